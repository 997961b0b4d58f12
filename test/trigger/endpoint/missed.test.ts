import type { IDataObject } from 'n8n-workflow';
import { client, type WebhookDelivery } from '../../../nodes/ESign/client';
import { ANSWERED_EARLY, noteAccepted } from '../../../nodes/ESign/trigger/delivery/acceptance';
import { OwnEndpoints } from '../../../nodes/ESign/trigger/endpoint/ownEndpoints';
import { collectMissed, giveUp, runMissed } from '../../../nodes/ESign/trigger/endpoint/missed';
import { recoverMissed } from '../../../nodes/ESign/trigger/endpoint/look';
import type { KnownEndpoint } from '../../../nodes/ESign/trigger/triggerState';
import { ago, arrived, attempts } from '../support/attempts';
import { payloadOf } from '../support/deliveries';
import { WebResponse } from '../support/webResponse';
import { refusal, turns, Wire } from '../support/wire';

const ID = 'whk_1';
const OLD = 'whk_old';

afterEach(() => jest.restoreAllMocks());

let wire: Wire;
let stop: AbortController;
let endpoints: OwnEndpoints;

beforeEach(() => {
	wire = new Wire();
	wire.add(ID);
	stop = new AbortController();
	endpoints = new OwnEndpoints(wire.context, wire.state, { signal: stop.signal });
});

/** As a look does. @returns whether nothing is left */
const recover = async ({ replaced = [] as string[], unanswered = 0 } = {}) => {
	const fits = wire.state.endpoints.get(ID) as KnownEndpoint;
	const found = { replaceable: new Set(replaced), askedAt: Date.now(), data: [] };
	endpoints.unanswered = unanswered;
	return await recoverMissed(endpoints, fits, found);
};

/** Attempts as the log has them, with the payload as it was sent. */
const logged = (log: WebhookDelivery[]): WebhookDelivery[] =>
	log.map((one) => ({ ...one, payload: { ...one.payload, id: one.event_id } }));
const fail = (event: string, ...ages: number[]) => logged(attempts(event, ...ages));
const arrive = (event: string, ...ages: number[]) => arrived(fail(event, ...ages));
const early = (log: WebhookDelivery[]) =>
	log.map((one) => ({ ...one, response_body: ANSWERED_EARLY }));
const accept = (id: string, outcome: 'pending' | 'started' = 'pending') =>
	noteAccepted(wire.state, { id, signedAt: 0 }, outcome);
const restart = () => {
	wire.state.save(wire.context);
	wire.process = new Wire().process;
	endpoints = new OwnEndpoints(wire.context, wire.state, {});
};

/** The events whose replay was asked for, in this order. */
const replayed = () =>
	wire.requests.flatMap((request) => /deliveries\/dlv_(\w+)_\d+\/replay/.exec(request)?.[1] ?? []);

describe('What no attempt delivered', () => {
	it('runs from the log, the oldest first, and nothing else does, without a replay', async () => {
		wire.logs = {
			[ID]: [...fail('new', 70), ...fail('old', 90, 85, 75), ...arrive('fine', 80)],
		};
		wire.logs[ID]?.push(...arrive('newest', 60));
		expect(await recover()).toBe(true);
		expect([wire.given, replayed()]).toEqual([['old', 'new'], []]);
		expect(wire.logged).toEqual([
			expect.stringMatching(/info: .*run from the delivery log: document.sent old, last tried/),
			expect.stringMatching(/info: .*run from the delivery log: document.sent new, last tried/),
		]);
	});

	it('is left out if this process has it, also if n8n takes it meanwhile', async () => {
		wire.logs = { [ID]: [...fail('first', 90), ...fail('has', 80), ...fail('meanwhile', 70)] };
		accept('has');
		wire.during = (request) => void (request.includes('deliveries') && accept('meanwhile'));
		await recover();
		expect(wire.given).toEqual(['first']);
	});

	it.each([
		['ends the failures in a row at the service, by one replay', {}, 120, ['second']],
		['but without Deduplicate, where it would run twice', { deduplicate: false }, 120, []],
		['but long ago, where it would count as replayed by hand', {}, 119, []],
	])('and has run %s', async (_what, options, secondsLeft, expected) => {
		wire = new Wire({ 'options.deduplicate': (options as IDataObject).deduplicate ?? true });
		wire.add(ID);
		endpoints = new OwnEndpoints(wire.context, wire.state, {});
		wire.logs = { [ID]: [...fail('second', 80), ...fail('first', 90)] };
		jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		const until = Date.now() + secondsLeft * 1_000 + 1;
		for (const id of ['first', 'second']) wire.state.events.set(id, { until, outcome: 'started' });
		expect([await recover(), wire.given, replayed()]).toEqual([true, [], expected]);
	});

	it('and is replayed to end the failures arrives as a repetition', async () => {
		wire = new Wire({ events: ['document.sent'] });
		wire.add(ID);
		endpoints = new OwnEndpoints(wire.context, wire.state, {});
		const payload = payloadOf('document.sent');
		wire.logs = { [ID]: fail(payload.id, 80) };
		await recover();
		expect(wire.given).toEqual([payload.id]);
		const response = new WebResponse();
		expect(await wire.deliver(payload, response)).toHaveProperty('webhookResponse');
		expect([await recover(), wire.given.length]).toEqual([true, 1]);
	});

	it('includes what n8n failed to start after it was accepted', async () => {
		wire.logs = { [ID]: early(arrive('unstarted', 90)) };
		accept('unstarted');
		expect([await recover(), wire.given]).toEqual([true, []]);
		wire.state.events.set('unstarted', { until: 1, outcome: 'failed' });
		expect([await recover(), wire.given]).toEqual([true, ['unstarted']]);
	});

	it('includes what was answered before n8n had it, in a process that does not know of it', async () => {
		wire.logs = { [ID]: early(arrive('waiting', 90)) };
		accept('waiting');
		await recover();
		expect(wire.given).toEqual([]);
		wire.state.events.clear();
		wire.logs = { [ID]: [...early(arrive('waiting', 20)), ...arrive('fine', 10)] };
		await recover();
		expect(wire.given).toEqual(['waiting']);
	});

	it('includes what n8n had not answered for at the last look, if it has restarted since', async () => {
		wire.logs = { [ID]: [...early(arrive('waiting', 200)), ...arrive('fine', 70)] };
		accept('waiting');
		expect([await recover(), wire.given]).toEqual([true, []]);
		restart();
		expect([await recover(), wire.given]).toEqual([true, ['waiting']]);
	});

	it('is not given again when the log was run through, also after a restart', async () => {
		wire.logs = { [ID]: [...fail('once', 900), ...arrive('later', 300)] };
		await recover();
		restart();
		wire.logs[ID]?.push(...fail('new', 90));
		await recover();
		expect(wire.given).toEqual(['once', 'new']);
	});

	it('and failed a minute before the newest attempt may have been logged late', async () => {
		wire.logs = { [ID]: arrive('newest', 100) };
		await recover();
		restart();
		wire.logs[ID]?.push(...fail('logged late', 155), ...fail('long ago', 165));
		await recover();
		expect(wire.given).toEqual(['logged late']);
	});

	it('and is not taken by n8n ends the round, comes last in the next, and is not forgotten', async () => {
		wire.logs = { [ID]: [...fail('poison', 90), ...fail('second', 80)] };
		wire.refused = ['poison'];
		expect(await recover()).toBe(false);
		restart();
		expect([wire.given, await recover()]).toEqual([[], false]);
		expect([await recover(), wire.given]).toEqual([false, ['second']]);
		wire.refused = [];
		expect([await recover(), wire.given]).toEqual([true, ['second', 'poison']]);
		expect(wire.logged.join()).toContain('n8n does not take a missed event');
	});

	it('is left to the next turn when the time is over', async () => {
		wire.logs = { [ID]: fail('first', 90) };
		await collectMissed(endpoints, ID);
		expect([await runMissed(endpoints, Wire.URL, 0), wire.given]).toEqual([false, []]);
		expect([await recover(), wire.given]).toEqual([true, ['first']]);
	});

	it('and has no payload in the log is named', async () => {
		wire.logs = { [ID]: attempts('unread', 90) };
		expect(await recover()).toBe(true);
		expect(wire.given).toEqual([]);
		expect(wire.logged.join()).toMatch(/was not run, because its payload is not in.*unread/);
	});

	it('does not run where that is not wanted, and no log is read', async () => {
		wire.state.activation.ignoresMissed = true;
		wire.logs = { [ID]: fail('missed', 90) };
		expect(await recover({ replaced: [OLD] })).toBe(true);
		expect([wire.given, wire.requests]).toEqual([[], ['DELETE /webhooks/whk_old']]);
	});

	it('is not known where the service does not give the log: the look is repeated', async () => {
		wire.during = () => refusal(403);
		expect(await recover()).toBe(false);
		expect(wire.logged.join()).toContain('delivery log of webhook whk_1 could not be read');
	});

	it('ends with a trigger that is switched off', async () => {
		wire.logs = { [ID]: [...fail('first', 90), ...fail('second', 80)] };
		wire.during = (request) => void (request.includes('deliveries') && stop.abort());
		await recover().catch(() => undefined);
		expect(wire.given).toEqual([]);
	});

	it('and was given up while it was on its way is not said to have run', async () => {
		wire.logs = { [ID]: fail('given', 90) };
		wire.onGiven = () => {
			giveUp(endpoints, 'the trigger was switched off');
			throw new Error('the answer is lost');
		};
		await recover();
		expect(wire.logged).toEqual([expect.stringMatching(/was not run, because the trigger was/)]);
	});
});

describe('An endpoint that is replaced', () => {
	beforeEach(() => wire.add(OLD));

	it('goes once its log was run, and not before', async () => {
		wire.logs = { [OLD]: fail('old', 90) };
		wire.refused = ['old'];
		expect(await recover({ replaced: [OLD] })).toBe(false);
		expect(wire.endpoints).toHaveLength(2);
		wire.refused = [];
		expect(await recover({ replaced: [OLD] })).toBe(true);
		expect([wire.given, wire.endpoints.map(({ id }) => id)]).toEqual([['old'], [ID]]);
	});

	it('and was switched off says so once, with the time from which on events are in no log', async () => {
		wire.logs = { [OLD]: Array.from({ length: 20 }, (_, n) => fail(`e${n}`, 100 - n)).flat() };
		wire.refused = ['e0'];
		const replacedAt = Date.now() - 10_000;
		wire.know(ID, { at: replacedAt });
		await recover({ replaced: [OLD] });
		await recover({ replaced: [OLD] });
		const lines = wire.logged.filter((line) => line.includes('had been switched off'));
		expect(lines).toEqual([
			expect.stringContaining(
				`between ${wire.logs[OLD]?.[0]?.created_at} and ${new Date(replacedAt).toISOString()}`,
			),
		]);
	});

	it('and is being switched off says so only once it is replaced', async () => {
		wire.logs = { [ID]: Array.from({ length: 20 }, (_, n) => fail(`e${n}`, 100 - n)).flat() };
		await collectMissed(endpoints, ID);
		expect(wire.logged).toEqual([]);
	});

	it('is gone already: as good', async () => {
		wire.endpoints = wire.endpoints.filter(({ id }) => id !== OLD);
		expect(await recover({ replaced: [OLD] })).toBe(true);
	});
});

describe('An endpoint at an address that n8n had before', () => {
	const url = 'https://old.example.com/webhook/hook-1/webhook';
	const moved = (madeAgo: number) => {
		wire.add(OLD, { url });
		wire.know(ID, { at: Date.now() - madeAgo });
		wire.logs = { [OLD]: fail('away', 90) };
	};

	it('is run once, when the attempts there are over, and stays', async () => {
		moved(51_000);
		expect([await recover(), await recover(), wire.given]).toEqual([true, true, ['away']]);
		const reads = wire.requests.filter((request) => request.includes(OLD));
		expect([reads, wire.endpoints.length]).toEqual([[`GET /webhooks/${OLD}/deliveries`], 2]);
	});

	it('is not read while the service may still be at its attempts', async () => {
		moved(49_000);
		expect([await recover(), wire.given]).toEqual([true, []]);
	});

	it('is read again after another move', async () => {
		moved(100_000);
		await recover();
		wire.logs[OLD]?.push(...fail('away again', 80));
		wire.know(ID, { at: Date.now() - 60_000 });
		await recover();
		expect(wire.given).toEqual(['away', 'away again']);
	});
});

describe('An n8n that cannot call its own address', () => {
	const replay = async (replaced: string[] = [], unanswered = 1) =>
		await recover({ unanswered, replaced });

	/** Each replay arrives, unless it is of one of these events. */
	const arriveBut = (...lost: string[]) => {
		wire.during = (request) => {
			const event = /deliveries\/dlv_(\w+)_\d+\/replay/.exec(request)?.[1];
			if (event && !lost.includes(event)) accept(event, 'started');
		};
	};

	it('has the service replay, one after the other, while the newest attempt has arrived', async () => {
		const missed = [...fail('first', 95), ...fail('second', 90)];
		wire.logs = { [ID]: missed };
		arriveBut();
		expect([await replay(), replayed()]).toEqual([false, []]);
		wire.logs = { [ID]: [...missed, ...arrive('fine', 70)] };
		expect([await replay(), replayed()]).toEqual([true, ['first', 'second']]);
		expect(wire.given).toEqual([]);
	});

	it('asks for no other replay when one does not arrive within fifteen seconds', async () => {
		const log = [...fail('lost', 95), ...fail('next', 90), ...arrive('fine', 70)];
		wire.logs = { [ID]: log };
		arriveBut('lost');
		const began = client.now();
		expect([await replay(), replayed(), client.now() - began]).toEqual([false, ['lost'], 15_000]);
		log.push(...fail('lost', 0));
		expect([await replay(), replayed()]).toEqual([false, ['lost']]);
	});

	it('forgets nothing that is on its way when the trigger is switched off', async () => {
		wire.logs = { [ID]: [...fail('late', 95), ...arrive('fine', 70)] };
		wire.stopClock();
		const replaying = expect(replay()).rejects.toThrow();
		await turns();
		expect(replayed()).toEqual(['late']);
		stop.abort();
		await replaying;
		expect([...wire.state.missed.keys()]).toEqual(['late']);
	});

	it('believes the log at the next look where another process has received the replay', async () => {
		const log = [...fail('elsewhere', 95), ...fail('next', 90), ...arrive('fine', 70)];
		wire.logs = { [ID]: log };
		arriveBut('elsewhere');
		expect([await replay(), replayed()]).toEqual([false, ['elsewhere']]);
		log.push(...arrive('elsewhere', 0));
		expect([await replay(), replayed()]).toEqual([true, ['elsewhere', 'next']]);
	});

	it('keeps what an endpoint that is replaced has missed for an hour, and then names it', async () => {
		wire.add(OLD);
		wire.logs = { [OLD]: fail('old', 90), [ID]: [...fail('here', 90), ...arrive('fine', 70)] };
		arriveBut();
		expect([await replay([OLD], 160), replayed()]).toEqual([false, ['here']]);
		expect([wire.endpoints.length, wire.logged.join()]).toEqual([
			2,
			expect.not.stringContaining('was not run'),
		]);
		expect([await replay([OLD], 161), wire.endpoints.length]).toEqual([true, 1]);
		expect(wire.logged.join()).toMatch(/of webhook whk_old was not run, because n8n cannot call/);
	});
});

describe('A log of a hundred attempts', () => {
	const full = () => Array.from({ length: 100 }, (_, n) => arrive(`e${n}`, 1_000 - n)).flat();

	it('says for which time it shows nothing, once', async () => {
		const log = full();
		wire.logs = { [ID]: log };
		await recover();
		await recover();
		const lines = wire.logged.filter((line) => line.includes('the last 100 attempts only'));
		const begin = log[0]?.created_at;
		expect(lines).toEqual([
			expect.stringContaining(`since ${begin}; whether earlier events arrived is not known`),
		]);
		expect(lines[0]).toContain(`between ${new Date(1).toISOString()} and ${begin}`);
	});

	it('says it of nothing that was read before, though that was not run through', async () => {
		const log = full();
		for (const read of [log, [...log.slice(1), ...arrive('next', 900)]]) {
			wire.logs = { [ID]: read };
			await collectMissed(endpoints, ID);
		}
		expect(wire.logged).toEqual([expect.stringContaining(`since ${log[0]?.created_at};`)]);
	});

	it('says it of nothing that was run through before a restart', async () => {
		wire.logs = { [ID]: arrive('before', 2_000) };
		await recover();
		restart();
		wire.logs = { [ID]: full() };
		await recover();
		expect(wire.logged.join()).toContain(`between ${ago(2_000).slice(0, 17)}`);
	});

	it('less one says nothing', async () => {
		wire.logs = { [ID]: full().slice(1) };
		expect([await recover(), wire.logged]).toEqual([true, []]);
	});
});
