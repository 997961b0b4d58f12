import { client } from '../../../nodes/ESign/client';
import { OwnEndpoints } from '../../../nodes/ESign/trigger/endpoint/ownEndpoints';
import { replayMissedEvents } from '../../../nodes/ESign/trigger/endpoint/replayMissed';
import { arrived, attempts } from '../support/attempts';
import { Wire } from '../support/wire';

const ID = 'whk_1';

let wire: Wire;
let stop: AbortController;

beforeEach(() => {
	wire = new Wire();
	wire.add(ID);
	stop = new AbortController();
});

const replay = async (isReachable = true) =>
	await replayMissedEvents(
		new OwnEndpoints(wire.context, wire.state, { signal: stop.signal }),
		ID,
		isReachable,
	);

const accept = (id: string) => wire.state.events.keep({ id, at: 1, until: 1 });

/** The events whose replay was asked for, in this order. */
const replayed = () =>
	wire.requests.flatMap((request) => /deliveries\/dlv_(\w+)_\d+\/replay/.exec(request)?.[1] ?? []);

/** Each replay arrives, unless it is of one of these events. */
const arriveBut = (...lost: string[]) => {
	wire.during = (request) => {
		const event = /deliveries\/dlv_(\w+)_\d+\/replay/.exec(request)?.[1];
		if (event && !lost.includes(event)) accept(event);
	};
};

it('events that no attempt delivered are replayed, the oldest first, and no others', async () => {
	wire.logs = {
		[ID]: [
			...attempts('new', 70),
			...attempts('old', 90, 85, 75),
			...arrived(attempts('fine', 80)),
			...attempts('tried', 20),
		],
	};
	arriveBut();
	expect(await replay()).toBe(true);
	expect(replayed()).toEqual(['old', 'new']);
	expect(wire.logged).toEqual([
		'info: eSign: missed events are replayed: 2',
		expect.stringMatching(
			/info: eSign: asked for a replay of a missed event: document.sent old, last tried/,
		),
		expect.stringMatching(
			/info: eSign: asked for a replay of a missed event: document.sent new, last tried/,
		),
	]);
});

it('what this n8n has accepted although its answer was lost is not replayed, before the round or during it', async () => {
	wire.logs = {
		[ID]: [...attempts('first', 90), ...attempts('accepted', 80), ...attempts('meanwhile', 70)],
	};
	accept('accepted');
	wire.during = (request) => {
		if (!request.endsWith('/replay')) return;
		accept('first');
		accept('meanwhile');
	};
	expect(await replay()).toBe(true);
	expect(replayed()).toEqual(['first']);
	expect(wire.logged).toContain('info: eSign: missed events are replayed: 2');
});

it('what n8n failed to start after it was accepted is replayed although it arrived', async () => {
	wire.logs = { [ID]: arrived(attempts('unstarted', 90)) };
	wire.state.events.keep({ id: 'unstarted', at: 1, until: 0 });
	await replay();
	expect(replayed()).toEqual(['unstarted']);
});

it('one that does not arrive within fifteen seconds ends the round', async () => {
	wire.logs = { [ID]: [...attempts('lost', 90), ...attempts('next', 80)] };
	arriveBut('lost');
	const began = client.now();
	expect(await replay()).toBe(true);
	expect(replayed()).toEqual(['lost']);
	expect(client.now() - began).toBe(15_000);
	expect(wire.logged.at(-1)).toMatch(
		/a replayed event did not arrive, and no other is replayed.*document.sent lost/,
	);
});

it('one that another process has received arrives by what the log says', async () => {
	wire.logs = { [ID]: [...attempts('elsewhere', 90), ...attempts('next', 80)] };
	wire.during = (request) => {
		if (request.endsWith('_1/replay')) {
			const log = wire.logs[ID] ?? [];
			wire.logs[ID] = [
				...log,
				...arrived(attempts(request.includes('next') ? 'next' : 'elsewhere', 0)),
			];
		}
	};
	await replay();
	expect(replayed()).toEqual(['elsewhere', 'next']);
});

it('near the twenty failures nothing is replayed before something has arrived, and the log says what waits', async () => {
	const replays = attempts('again', 900, 895, 885, 100);
	const others = Array.from({ length: 11 }, (_, n) => attempts(`other${n}`, 300 + n)).flat();
	wire.logs = { [ID]: [...replays, ...others] };
	expect(await replay()).toBe(true);
	expect(replayed()).toEqual([]);
	expect(wire.logged.at(-1)).toMatch(
		/no event is replayed until a delivery arrives, because 15 failed in a row.*again/,
	);
});

it('n8n that cannot be reached at its own address is asked for nothing, unless the newest attempt arrived', async () => {
	wire.logs = { [ID]: [] };
	// Nothing was missed yet: there is nothing to wait for.
	expect([await replay(false), wire.state.logReadTo]).toEqual([true, 0]);
	wire.logs = { [ID]: attempts('missed', 90) };
	expect(await replay(false)).toBe(false);
	wire.logs = { [ID]: [...attempts('missed', 90), ...arrived(attempts('fine', 70))] };
	arriveBut();
	expect(await replay(false)).toBe(true);
	expect(replayed()).toEqual(['missed']);
});

it('a trigger that is switched off asks for no further replay, and says nothing of the last', async () => {
	wire.logs = { [ID]: [...attempts('first', 90), ...attempts('second', 80)] };
	wire.during = (request) => (request.endsWith('/replay') ? stop.abort() : undefined);
	await replay().catch(() => undefined);
	expect(replayed()).toEqual(['first']);
	expect(wire.logged.join()).not.toContain('did not arrive');
});

it('a full log names the span of time that it does not show, once', async () => {
	const full = Array.from({ length: 100 }, (_, n) => arrived(attempts(`e${n}`, 1_000 - n))).flat();
	wire.logs = { [ID]: full };
	await replay();
	await replay();
	const [oldest] = full;
	const lines = wire.logged.filter((line) => line.includes('the last 100 attempts only'));
	expect(lines).toEqual([
		expect.stringContaining(
			`since ${oldest?.created_at}; whether earlier events arrived is not known`,
		),
	]);
	expect(lines[0]).toContain(`between ${new Date(1).toISOString()} and ${oldest?.created_at}`);
});

it('a log that is not full says nothing', async () => {
	wire.logs = {
		[ID]: Array.from({ length: 99 }, (_, n) => arrived(attempts(`e${n}`, 1_000 - n))).flat(),
	};
	expect(await replay()).toBe(true);
	expect(wire.logged).toEqual([]);
	expect(new Date(wire.state.logReadTo).toISOString()).toBe(wire.logs[ID]?.at(-1)?.created_at);
});
