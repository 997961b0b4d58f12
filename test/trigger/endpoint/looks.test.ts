import { client } from '../../../nodes/ESign/client';
import { isLookDue, scheduleFor, Watch, watchEndpoint } from '../../../nodes/ESign/trigger/endpoint/watch';
import { arrived, attempts } from '../support/attempts';
import { refusal, Wire } from '../support/wire';

const WANTED = { url: Wire.URL, events: ['document.sent' as const] };

let wire: Wire;
let watch: Watch;

beforeEach(() => {
	wire = new Wire();
	watch = new Watch(wire.context, wire.state);
	wire.state.activation = { isOver: true, wanted: WANTED };
});

const LOOK = ['GET /webhooks', 'GET /webhooks/whk_1/deliveries'];
const idsLeft = () => wire.endpoints.map(({ id }) => id);

describe('A look', () => {
	it('is due after a failure, until one has begun when all attempts were over', () => {
		const failedAt = 1_000_000;
		const lookedAt = [0, failedAt, failedAt + 49_999, failedAt + 50_000];
		expect(lookedAt.map((at) => isLookDue(failedAt, at))).toEqual([true, true, true, false]);
		expect(isLookDue(0, 0)).toBe(false);
	});

	it('has a second of its own, of the hour and of the minute', () => {
		const all = Array.from({ length: 50 }, (_, n) => scheduleFor(`instance/workflow-${n}/node`));
		for (const { hourly, everyMinute } of all) {
			expect(hourly).toMatch(/^[1-5]?\d [1-5]?\d \* \* \* \*$/);
			expect(everyMinute).toBe(`${hourly.split(' ')[0]} * * * * *`);
		}
		expect(new Set(all.map(({ hourly }) => hourly)).size).toBeGreaterThan(45);
	});

	it('of an endpoint in place costs two requests, and logs nothing', async () => {
		wire.add('whk_1');
		expect(await watch.lookOnce()).toBe(true);
		expect(wire.requests).toEqual(LOOK);
		expect(wire.messages).toHaveLength(1);
		expect(wire.logged).toEqual([]);
	});

	it('does not ask again for what the hooks have just found, and does the next time', async () => {
		wire.add('whk_1');
		wire.state.activation.checkedId = 'whk_1';
		await watch.lookOnce();
		await watch.lookOnce();
		expect(wire.requests).toEqual([...LOOK.slice(1), ...LOOK]);
	});

	it('reads no log where nothing is to be replayed', async () => {
		wire = new Wire({ 'options.replayMissed': false });
		wire.add('whk_1');
		wire.state.activation = { isOver: true, wanted: WANTED };
		expect(await new Watch(wire.context, wire.state).lookOnce()).toBe(true);
		expect(wire.requests).toEqual(['GET /webhooks']);
	});

	it('is one at a time', async () => {
		wire.add('whk_1');
		expect(await Promise.all([watch.lookOnce(), watch.lookOnce()])).toEqual([true, true]);
		expect(wire.requests).toEqual(LOOK);
		await watch.lookOnce();
		expect(wire.requests).toEqual([...LOOK, ...LOOK]);
	});

	it('without anything that is wanted is not well, and asks nobody', async () => {
		wire.state.activation = { isOver: true };
		expect(await watch.lookOnce()).toBe(false);
		expect(wire.requests).toEqual([]);
	});

	it('after a start whose hooks failed goes by the endpoint that is known', async () => {
		wire.state.activation = { isOver: true };
		wire.add('whk_1');
		expect(await watch.lookOnce()).toBe(true);
		expect(wire.requests).toEqual(LOOK);
	});

	it('registers an endpoint that is gone, shares its secret, and replays nothing of a log that is empty', async () => {
		expect(await watch.lookOnce()).toBe(true);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', ...WANTED }]);
		expect(wire.messages).toHaveLength(2);
		expect(wire.messages[1]).toMatchObject({ state: { endpoint: [{ id: 'whk_made_1', secret: 'whsec_made' }] } });
	});

	it('registers nothing while n8n does not answer at its own address', async () => {
		wire.isReachable = false;
		expect(await watch.lookOnce()).toBe(false);
		expect(wire.requests).toEqual(['GET /webhooks']);
		expect(wire.logged).toEqual([
			expect.stringMatching(/warn.*n8n does not answer at its own webhook URL: .* answered 502/),
			expect.stringMatching(/error.*gone or switched off, and is registered again once n8n answers/),
		]);
	});

	it('replays what was missed only where n8n can be reached', async () => {
		wire.add('whk_1');
		wire.logs = { whk_1: attempts('missed', 90) };
		wire.isReachable = false;
		expect(await watch.lookOnce()).toBe(false);
		wire.isReachable = true;
		await watch.lookOnce();
		expect(wire.requests.filter((request) => request.endsWith('/replay'))).toHaveLength(1);
	});

	it('that cannot ask the service says so once, and asks for those who wait all the same', async () => {
		wire.during = () => refusal(403);
		wire.waitFor('7', 'doc_1');
		expect(await watch.lookOnce()).toBe(false);
		expect(wire.requests).toEqual(['GET /webhooks', 'GET /documents']);
		expect(wire.logged).toEqual(Array(2).fill(expect.stringMatching(/error.*the webhook could not be checked: /)));
	});
});

describe('A trigger that is switched off', () => {
	it('while its endpoint is registered leaves none behind', async () => {
		wire.during = (request) => (request === 'POST /webhooks' ? watch.end() : undefined);
		await watch.lookOnce();
		expect(idsLeft()).toEqual([]);
		expect(wire.state.isWatched).toBe(false);
		expect(wire.logged.filter((line) => line.startsWith('error'))).toEqual([]);
	});

	it('while the list is under way changes nothing', async () => {
		wire.add('whk_1');
		wire.add('whk_2', { isKnown: false });
		wire.during = () => watch.end();
		expect(await watch.lookOnce()).toBe(true);
		expect(idsLeft()).toEqual(['whk_1', 'whk_2']);
	});

	it('looks no more', async () => {
		watch.end();
		expect([await watch.lookOnce(), await watch.firstLook()]).toEqual([true, undefined]);
		expect(wire.requests).toEqual([]);
	});
});

describe('The first look', () => {
	it('comes three seconds after the hooks, and again at growing intervals of ten minutes at most until it succeeds', async () => {
		const begun: number[] = [client.now()];
		wire.add('whk_1');
		wire.during = () => {
			begun.push(client.now());
			return begun.length < 9 ? refusal(403) : undefined;
		};
		await watch.firstLook();
		const pauses = begun.slice(1, 9).map((at, index) => (at - (begun[index] ?? 0)) / 1_000);
		expect(pauses).toEqual([3, 30, 60, 120, 240, 480, 600, 600]);
	});

	it('waits for the hooks, and not for longer than n8n gives them', async () => {
		wire.add('whk_1');
		wire.state.activation.isOver = false;
		const began = client.now();
		await watch.firstLook();
		expect(client.now() - began).toBe(93_000);
	});
});

describe('A failure that was seen', () => {
	it('is looked after once, and not while all is well', async () => {
		wire.add('whk_1');
		await watch.lookAfterFailures();
		expect(wire.requests).toEqual([]);
		wire.state.noteFailure();
		await watch.lookAfterFailures();
		expect(wire.requests).toEqual(LOOK);
	});

	it.each([
		['that it did not stand still', 10_000, []],
		['that it stood still', 10_001, LOOK],
	])('may be one that n8n did not see: it knows by its own pulse %s', async (_what, elapsed, requests) => {
		wire.add('whk_1');
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now');
		for (const at of [now, now + elapsed]) {
			clock.mockReturnValue(at);
			watch.beat();
		}
		clock.mockRestore();
		await watch.lookAfterFailures();
		expect(wire.requests).toEqual(requests);
	});

	it('is noted where n8n answers again at its own URL, once: what failed until then was seen by nobody', async () => {
		wire.add('whk_1', { status: 'DISABLED' });
		wire.isReachable = false;
		for (let minute = 0; minute < 2; minute++) await watch.lookAfterFailures();
		expect([wire.requests, wire.logged]).toEqual([[], []]);
		wire.isReachable = true;
		await watch.lookAfterFailures();
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
		const { length } = wire.requests;
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 50_000);
		for (let minute = 0; minute < 2; minute++) await watch.lookAfterFailures();
		jest.restoreAllMocks();
		expect(wire.requests).toHaveLength(length + 2);
	});

	it('is looked after where n8n does not reach its own URL, as without a way back into its network', async () => {
		wire.add('whk_1');
		wire.isReachable = false;
		wire.state.noteFailure();
		for (let minute = 0; minute < 2; minute++) await watch.lookAfterFailures();
		expect(wire.requests).toContain('GET /webhooks');
	});
});

describe('Watching', () => {
	it('is scheduled once an hour, once a minute and every five seconds, until it ends; a test listener is not watched', async () => {
		wire.add('whk_1');
		wire.logs = { whk_1: arrived(attempts('fine', 9)) };
		wire.state.activation.isOver = true;
		const { firstLook, end } = watchEndpoint(wire.context, wire.process);
		await firstLook;
		const [hourly, everyMinute] = wire.ticks;
		const everyTime = wire.ticks.map(({ expression }) => expression.split(' ').filter((part) => part === '*').length);
		expect([everyTime, wire.ticks[2]?.expression]).toEqual([[4, 5, 5], '*/5 * * * * *']);
		wire.requests.length = 0;
		await everyMinute?.tick();
		expect(wire.requests).toEqual([]);
		wire.state.noteFailure();
		await everyMinute?.tick();
		await hourly?.tick();
		expect(wire.requests).toEqual([...LOOK, ...LOOK]);
		expect(wire.state.isWatched).toBe(true);
		end();
		expect([wire.state.isWatched, wire.state.activation.isOver]).toEqual([false, false]);
		wire.mode = 'manual';
		await watchEndpoint(wire.context, wire.process).firstLook;
		expect(wire.ticks).toHaveLength(3);
	});
});
