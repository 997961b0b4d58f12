import { client } from '../../../nodes/ESign/client';
import { isLookDue, Watch, watchEndpoint } from '../../../nodes/ESign/trigger/endpoint/watch';
import { arrived, attempts } from '../support/attempts';
import { refusal, Wire } from '../support/wire';

const WANTED = { url: Wire.URL, events: ['document.sent' as const] };

let wire: Wire;
let watch: Watch;

beforeEach(() => {
	wire = new Wire();
	jest.spyOn(Date, 'now').mockImplementation(() => client.now());
	watch = new Watch(wire.context, wire.state);
	wire.state.activation = { isOver: true, wanted: WANTED };
});
afterEach(() => jest.restoreAllMocks());

const LOOK = ['GET /webhooks', 'GET /webhooks/whk_1/deliveries'];
const idsLeft = () => wire.endpoints.map(({ id }) => id);

describe('A look', () => {
	it('is due after a failure, until one has begun when all attempts were over', () => {
		const failedAt = 1_000_000;
		const lookedAt = [0, failedAt, failedAt + 49_999, failedAt + 50_000];
		expect(lookedAt.map((at) => isLookDue(failedAt, at))).toEqual([true, true, true, false]);
		expect(isLookDue(0, 0)).toBe(false);
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

/** Lets minutes pass, each with its turn on n8n's schedule. @returns in which of them the service was asked */
async function minutesWithRequests(minutes: number): Promise<number[]> {
	const asked: number[] = [];
	for (let minute = 1; minute <= minutes; minute++) {
		const { length } = wire.requests;
		await client.pause(60_000);
		await watch.lookIfDue();
		if (wire.requests.length > length) asked.push(minute);
	}
	return asked;
}

describe('The first look', () => {
	it('comes three seconds after the hooks, and again every two minutes until it succeeds', async () => {
		const began = client.now();
		wire.add('whk_1');
		wire.during = () => refusal(403);
		await watch.firstLook();
		expect(client.now() - began).toBe(3_000);
		expect(await minutesWithRequests(7)).toEqual([2, 4, 6]);
		wire.during = () => undefined;
		wire.requests.length = 0;
		await minutesWithRequests(2);
		expect(wire.requests).toEqual(LOOK);
	});

	it('waits for the hooks, and not for longer than n8n gives them, and no other comes before it', async () => {
		wire.add('whk_1');
		wire.state.noteFailure();
		await watch.lookIfDue();
		expect(wire.requests).toEqual([]);
		wire.state.activation.isOver = false;
		const began = client.now();
		await watch.firstLook();
		expect(client.now() - began).toBe(93_000);
	});
});

describe('While n8n runs', () => {
	beforeEach(async () => {
		wire.add('whk_1');
		await watch.firstLook();
		wire.requests.length = 0;
	});

	it('the service is asked once in two minutes for what it has, by all triggers together, and looked after once an hour', async () => {
		const other = new Watch(wire.context, wire.state);
		await other.firstLook();
		wire.requests.length = 0;
		for (let minute = 1; minute < 60; minute++) {
			await client.pause(60_000);
			await Promise.all([watch.lookIfDue(), other.lookIfDue()]);
		}
		expect(wire.requests).toEqual(Array(29).fill('GET /webhooks'));
		wire.requests.length = 0;
		await minutesWithRequests(1);
		expect(wire.requests).toEqual(LOOK);
	});

	it.each<[string, () => void]>([
		['was switched off', () => Object.assign(wire.endpoints[0] ?? {}, { status: 'DISABLED' })],
		['was deleted', () => (wire.endpoints.length = 0)],
	])('an endpoint that %s unseen is there again within three minutes', async (_what, happens) => {
		happens();
		await minutesWithRequests(2);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
		wire.requests.length = 0;
		expect(await minutesWithRequests(4)).toEqual([2, 4]);
		expect(wire.requests).toEqual(Array(2).fill('GET /webhooks'));
	});

	it('a service that does not say what it has is asked again every two minutes, and what could not be mended is tried again', async () => {
		wire.during = () => refusal(403);
		expect(await minutesWithRequests(7)).toEqual([2, 4, 6]);
		wire.during = () => undefined;
		wire.endpoints.length = 0;
		wire.places = 0;
		expect(await minutesWithRequests(5)).toEqual([1, 3, 5]);
		wire.places = 1;
		await minutesWithRequests(2);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
	});

	it('a failure that was seen is looked after once', async () => {
		wire.state.noteFailure();
		await watch.lookIfDue();
		expect(wire.requests).toEqual(LOOK);
	});

	it.each([
		['a minute ago', 60_000, []],
		['longer ago, because it stood still', 80_001, LOOK],
	])('what failed is looked after unseen, where n8n was last reached %s', async (_when, elapsed, requests) => {
		await watch.lookIfDue();
		await client.pause(elapsed);
		await watch.lookIfDue();
		expect(wire.requests).toEqual(requests);
	});

	it('what failed while n8n was not reached was seen by nobody: it is looked after when n8n answers again', async () => {
		Object.assign(wire.endpoints[0] ?? {}, { status: 'DISABLED' });
		wire.isReachable = false;
		expect(await minutesWithRequests(3)).toEqual([]);
		wire.isReachable = true;
		// And once more when all attempts of what failed last are over.
		expect(await minutesWithRequests(3)).toEqual([1, 2]);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
	});

	it('a failure is looked after also where n8n does not reach its own URL, as without a way back into its network', async () => {
		wire.isReachable = false;
		wire.state.noteFailure();
		await watch.lookIfDue();
		expect(wire.requests).toContain('GET /webhooks');
	});
});

describe('Watching', () => {
	it('is scheduled once a minute until it ends; a test listener is not watched', async () => {
		wire.add('whk_1');
		wire.logs = { whk_1: arrived(attempts('fine', 9)) };
		const { firstLook, end } = watchEndpoint(wire.context, wire.process);
		await firstLook;
		expect(wire.ticks[0]?.expression).toMatch(/^[1-5]?\d \* \* \* \* \*$/);
		wire.requests.length = 0;
		wire.state.noteFailure();
		await wire.ticks[0]?.tick();
		expect(wire.requests).toEqual(LOOK);
		expect(wire.state.isWatched).toBe(true);
		end();
		expect([wire.state.isWatched, wire.state.activation.isOver]).toEqual([false, false]);
		wire.mode = 'manual';
		await watchEndpoint(wire.context, wire.process).firstLook;
		expect(wire.ticks).toHaveLength(1);
	});
});
