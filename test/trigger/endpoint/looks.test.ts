import { client, type WebhookDelivery } from '../../../nodes/ESign/client';
import { Watch, watchEndpoint } from '../../../nodes/ESign/trigger/endpoint/watch';
import { listWebhooks } from '../../../nodes/ESign/waiting/registerWithTriggers';
import { arrived, attempt, attempts } from '../support/attempts';
import { refusal, turns, Wire } from '../support/wire';

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

/** Whether all is well after a look. */
async function look(by = watch): Promise<boolean> {
	await by.lookOnce();
	return by.isWell;
}

const MADE = { id: 'whk_made_1', status: 'ACTIVE', created_at: '2026-01-01T00:00:00Z' };
const LOOK = ['GET /webhooks', 'GET /webhooks/whk_1/deliveries'];
const idsLeft = () => wire.endpoints.map(({ id }) => id);
const known = () => wire.state.endpoints.all().map(({ id }) => id);

it('The list that all share does not end with the execution that has asked for it', async () => {
	const stopped = { ...wire.context, getExecutionCancelSignal: () => AbortSignal.abort() };
	await expect(listWebhooks(stopped, client.now())).resolves.toMatchObject({ data: [] });
});

describe('A look', () => {
	it('is due after a failure, until one has begun when all attempts were over', async () => {
		wire.add('whk_1');
		await watch.lookOnce();
		const lookedAt = client.now();
		wire.state.noteFailure(lookedAt + 20_000);
		const asked: boolean[] = [];
		// From one to the next all attempts of a delivery are over, or a storm of failures would use up
		// the limit.
		for (const elapsed of [49_999, 50_000, 99_999, 100_000, 150_000]) {
			wire.requests.length = 0;
			wire.time = lookedAt + elapsed;
			await watch.lookIfDue();
			asked.push(wire.requests.length > 0);
		}
		expect(asked).toEqual([false, true, false, true, false]);
	});

	it('of an endpoint in place costs two requests, and logs nothing', async () => {
		wire.add('whk_1');
		expect(await look()).toBe(true);
		expect(wire.requests).toEqual(LOOK);
		expect(wire.messages).toHaveLength(1);
		expect(wire.logged).toEqual([]);
	});

	it('reads no log where what was missed is not to run', async () => {
		wire.add('whk_1');
		wire.state.activation.ignoresMissed = true;
		expect(await look()).toBe(true);
		expect(wire.requests).toEqual(['GET /webhooks']);
	});

	it('is one at a time', async () => {
		wire.add('whk_1');
		wire.during = () => client.pause(1);
		await Promise.all([watch.lookOnce(), watch.lookOnce()]);
		expect(wire.requests).toEqual(LOOK);
		await watch.lookOnce();
		expect(wire.requests).toEqual([...LOOK, ...LOOK]);
	});

	it('that takes long has no list asked for beside it', async () => {
		wire.add('whk_1');
		await watch.lookOnce();
		wire.requests.length = 0;
		let goOn = () => {};
		wire.during = (request) =>
			request.endsWith('deliveries')
				? new Promise<void>((resolve) => void (goOn = resolve))
				: undefined;
		const busy = watch.lookOnce();
		await turns();
		for (let turn = 0; turn < 3; turn++) {
			await client.pause(30_000);
			await watch.lookIfDue();
		}
		expect(wire.requests).toEqual(LOOK.slice(1));
		goOn();
		await busy;
	});

	it('without anything that is wanted asks nobody', async () => {
		wire.state.activation = { isOver: true };
		await watch.lookOnce();
		expect(wire.requests).toEqual([]);
	});

	it('after a start whose hooks failed goes by the endpoint that is known', async () => {
		wire.state.activation = { isOver: true };
		wire.add('whk_1');
		expect(await look()).toBe(true);
		expect(wire.requests).toEqual(LOOK);
	});

	it('after a start whose hooks failed registers anew what is known of it, and not more', async () => {
		wire.state.activation = { isOver: true };
		wire.know('whk_gone', { retired: true });
		await look();
		expect(wire.endpoints).toEqual([{ ...WANTED, ...MADE }]);
		expect(wire.state.endpoints.get(MADE.id)).not.toHaveProperty('retired');
	});

	it('registers an endpoint that is gone, shares its secret, and replays nothing of a log that is empty', async () => {
		expect(await look()).toBe(true);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', ...WANTED }]);
		expect(wire.messages).toHaveLength(2);
		expect(wire.messages[1]).toMatchObject({
			state: { endpoint: [{ id: 'whk_made_1', secret: 'whsec_made' }] },
		});
	});

	it('registers nothing while n8n does not answer at its own address', async () => {
		wire.isReachable = false;
		expect(await look()).toBe(false);
		expect(wire.requests).toEqual(['GET /webhooks']);
		expect(wire.logged).toEqual([
			expect.stringMatching(/warn.*n8n does not answer at its own webhook URL: .* answered 502/),
			expect.stringMatching(
				/error.*gone or switched off, and is registered again once n8n answers. If that lasts, publish the workflow again/,
			),
		]);
	});

	it('runs what was missed only where n8n can be reached, and what it had no time for soon after', async () => {
		wire.add('whk_1');
		const payload = { id: 'missed' } as WebhookDelivery['payload'];
		wire.logs = { whk_1: [attempt('missed', 1, 90, { payload })] };
		wire.isReachable = false;
		expect([await look(), wire.given]).toEqual([false, []]);
		await watch.lookIfDue();
		expect(wire.given).toEqual([]);
		wire.isReachable = true;
		await watch.lookIfDue();
		expect(wire.given).toEqual(['missed']);
	});

	it('that n8n does not answer, as behind a proxy that still starts, gives up nothing that was missed', async () => {
		wire.add('whk_off', { status: 'DISABLED' });
		wire.add('whk_1');
		const payload = { id: 'missed' } as WebhookDelivery['payload'];
		wire.logs = { whk_off: [attempt('missed', 1, 90, { payload })] };
		wire.isReachable = false;
		await watch.firstLook();
		expect([wire.given, idsLeft()]).toEqual([[], ['whk_off', 'whk_1']]);
		wire.isReachable = true;
		await secondsWithRequests(1.5);
		expect([wire.given, idsLeft()]).toEqual([['missed'], ['whk_1']]);
	});

	it('registers an endpoint that is gone where n8n is not reached, if a delivery has proved the address', async () => {
		wire.isReachable = false;
		wire.state.activation.isProven = true;
		await look();
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1' }]);
	});

	it('comes in time for a log of a hundred attempts where many fail at once', async () => {
		wire.add('whk_1');
		await look();
		wire.requests.length = 0;
		for (let failures = 0; failures < 100; failures++) watch.readLogInTime();
		await turns();
		expect(wire.requests).toEqual(Array(2).fill('GET /webhooks/whk_1/deliveries'));
	});

	it('reads in time the log in place, also where n8n has moved away and back', async () => {
		wire.add('whk_1');
		wire.add('whk_tunnel', { url: 'https://tunnel.example.com/webhook/hook-1/webhook' });
		wire.know('whk_tunnel', { url: 'https://tunnel.example.com/webhook/hook-1/webhook', at: 2 });
		for (let failures = 0; failures < 40; failures++) watch.readLogInTime();
		await turns();
		expect(wire.requests).toEqual(['GET /webhooks/whk_1/deliveries']);
	});

	it('that cannot ask the service says so once, and asks for those who wait all the same', async () => {
		wire.during = () => refusal(403);
		wire.waitFor('7', 'doc_1');
		expect(await look()).toBe(false);
		expect(wire.requests).toEqual(['GET /webhooks', 'GET /documents']);
		await look();
		expect(wire.logged).toEqual([
			expect.stringMatching(/error.*the webhook could not be checked or registered: /),
		]);
	});
});

describe('A trigger that is switched off', () => {
	it('while its endpoint is registered leaves none behind', async () => {
		wire.during = (request) => (request === 'POST /webhooks' ? watch.end() : undefined);
		await watch.lookOnce();
		expect(idsLeft()).toEqual([]);
		expect(wire.state.watch).toBeUndefined();
		expect(wire.logged.filter((line) => line.startsWith('error'))).toEqual([]);
	});

	it('while it runs what was missed ends there, and no error reaches n8n', async () => {
		wire.add('whk_1');
		await watch.lookOnce();
		for (const id of ['first', 'second']) {
			const payload = { id } as WebhookDelivery['payload'];
			wire.state.missed.set(id, { ...attempt(id, 1, 90, { payload }), endpointId: 'whk_1' });
		}
		wire.onGiven = () => watch.end();
		await watch.lookIfDue();
		expect([wire.given, wire.logged.join()]).toEqual([
			['first'],
			expect.not.stringMatching(/error/),
		]);
	});

	it('while n8n is called at its own address asks the service nothing', async () => {
		Object.defineProperty(wire, 'isReachable', { get: () => void watch.end() });
		await watch.lookOnce();
		expect(wire.requests).toEqual([]);
	});

	it('while the list is under way changes nothing', async () => {
		wire.add('whk_1');
		wire.add('whk_2', { isKnown: false });
		wire.during = () => watch.end();
		await watch.lookOnce();
		expect(idsLeft()).toEqual(['whk_1', 'whk_2']);
	});

	it('does not look any longer', async () => {
		watch.end();
		await watch.lookOnce();
		await watch.firstLook();
		expect(wire.requests).toEqual([]);
	});
});

/**
 * Lets minutes pass, each with its two turns on n8n's schedule. @returns after how many seconds the
 * service was asked
 */
async function secondsWithRequests(minutes: number): Promise<number[]> {
	const asked: number[] = [];
	for (let seconds = 30; seconds <= minutes * 60; seconds += 30) {
		const { length } = wire.requests;
		await client.pause(30_000);
		await watch.lookIfDue();
		if (wire.requests.length > length) asked.push(seconds);
	}
	return asked;
}

describe('The first look', () => {
	it('comes three seconds after the hooks, and again every 90 seconds until it succeeds', async () => {
		const began = client.now();
		wire.add('whk_1');
		wire.during = () => refusal(403);
		await watch.firstLook();
		expect(client.now() - began).toBe(3_000);
		expect(await secondsWithRequests(4.5)).toEqual([90, 180, 270]);
		wire.during = () => undefined;
		wire.requests.length = 0;
		await secondsWithRequests(1.5);
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

it('The first look waits no longer for hooks on a busy machine, where each pause takes longer', async () => {
	const { sleep } = client.settings.clock;
	client.settings.clock.sleep = async (ms, signal) => await sleep(ms + 1_000, signal);
	wire.state.activation.isOver = false;
	const began = client.now();
	await watch.firstLook();
	expect(client.now() - began).toBeLessThan(100_000);
});

it('The first look goes by no list from before the hooks were over: it would make a twin', async () => {
	wire.add('whk_1');
	await new Watch(wire.context, wire.state).lookOnce();
	await client.pause(1);
	wire.endpoints.length = 0;
	wire.add('whk_2');
	await watch.firstLook();
	expect(idsLeft()).toEqual(['whk_2']);
	expect(known()).toContain('whk_2');
});

describe('While n8n runs', () => {
	beforeEach(async () => {
		wire.add('whk_1');
		await watch.firstLook();
		wire.requests.length = 0;
	});

	it('the service is asked every 90 seconds for what it has, by all triggers together, and each looks once an hour', async () => {
		wire.state.watch = undefined;
		const other = new Watch(wire.context, wire.state);
		await other.firstLook();
		wire.requests.length = 0;
		for (let turn = 1; turn < 120; turn++) {
			await client.pause(30_000);
			await Promise.all([watch.lookIfDue(), other.lookIfDue()]);
		}
		expect(wire.requests).toEqual(Array(39).fill('GET /webhooks'));
		wire.requests.length = 0;
		await secondsWithRequests(0.5);
		expect(wire.requests).toEqual(LOOK);
	});

	it.each<[string, () => void]>([
		['was switched off', () => Object.assign(wire.endpoints[0] ?? {}, { status: 'DISABLED' })],
		['was deleted', () => (wire.endpoints.length = 0)],
	])('an endpoint that %s unseen is there again within 90 seconds', async (_what, happens) => {
		happens();
		await secondsWithRequests(1.5);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
		wire.requests.length = 0;
		expect(await secondsWithRequests(3)).toEqual([90, 180]);
		expect(wire.requests).toEqual(Array(2).fill('GET /webhooks'));
	});

	it('what n8n does not take at a turn is given again at the next, without requests of the service', async () => {
		const payload = { id: 'missed' } as WebhookDelivery['payload'];
		wire.state.missed.set('missed', {
			...attempt('missed', 1, 90, { payload }),
			endpointId: 'whk_1',
		});
		wire.refused = ['missed'];
		await secondsWithRequests(3);
		expect(wire.requests).toEqual(Array(2).fill('GET /webhooks'));
		wire.refused = [];
		await secondsWithRequests(0.5);
		expect(wire.given).toEqual(['missed']);
	});

	it('a second endpoint, whose secret was lost with an answer, is gone within 90 seconds', async () => {
		wire.add('whk_twin', { isKnown: false });
		await secondsWithRequests(1.5);
		expect(idsLeft()).toEqual(['whk_1']);
	});

	it('an endpoint that somebody has put in the place of ours is replaced within 90 seconds', async () => {
		Object.assign(wire.endpoints[0] ?? {}, { id: 'whk_theirs' });
		await secondsWithRequests(1.5);
		expect(idsLeft()).toEqual(['whk_made_1']);
	});

	it('a service that does not say what it has is asked again every 90 seconds, and what could not be mended is tried again', async () => {
		wire.during = () => refusal(403);
		expect(await secondsWithRequests(4.5)).toEqual([90, 180, 270]);
		wire.during = () => undefined;
		wire.endpoints.length = 0;
		wire.places = 0;
		expect(await secondsWithRequests(4.5)).toEqual([90, 180, 270]);
		wire.places = 1;
		await secondsWithRequests(1.5);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
	});

	it('a failure that was seen is looked after once', async () => {
		await client.pause(50_000);
		wire.state.noteFailure();
		await watch.lookIfDue();
		expect(wire.requests).toEqual(LOOK);
	});

	it.each([
		['51 seconds before a start is looked after by the first look alone', 51_000, 0],
		['49 seconds before a start is looked after once more', 49_000, 1],
	])('what failed %s', async (_when, ago, looks) => {
		wire.state.noteFailure(Date.now() - ago);
		watch.end();
		watch = new Watch(wire.context, wire.state);
		wire.state.activation = { isOver: true, wanted: WANTED };
		await watch.firstLook();
		wire.requests.length = 0;
		await secondsWithRequests(1);
		expect(wire.requests).toEqual(Array(looks).fill(LOOK).flat());
	});

	it('a failure is looked after also when the clock was set back since the one before', async () => {
		wire.state.noteFailure();
		await secondsWithRequests(3);
		jest.spyOn(Date, 'now').mockImplementation(() => client.now() - 3_600_000);
		wire.requests.length = 0;
		wire.state.noteFailure();
		await secondsWithRequests(0.5);
		expect(wire.requests).toEqual(LOOK);
	});

	it.each([
		['50 seconds ago', 50_000, []],
		['longer ago, because it stood still', 50_001, LOOK],
	])(
		'what failed is looked after unseen, where n8n was last reached %s',
		async (_when, elapsed, requests) => {
			await watch.lookIfDue();
			await client.pause(elapsed);
			await watch.lookIfDue();
			expect(wire.requests).toEqual(requests);
		},
	);

	it.each([
		['the look, if not just before it', [false, true]],
		['just before the look, if not then', [true, false]],
	])('an endpoint that is gone is there again where n8n answers %s', async (_when, answers) => {
		wire.endpoints.length = 0;
		await client.pause(80_000);
		wire.nextAnswers.push(...answers);
		await watch.lookIfDue();
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
	});

	it('what failed while n8n answered later than the service waits was seen by nobody', async () => {
		wire.answersAfterMs = 10_001;
		wire.state.noteFailure();
		// Two looks in this time have waited for it.
		await secondsWithRequests(2);
		wire.answersAfterMs = 0;
		wire.requests.length = 0;
		await secondsWithRequests(1);
		expect(wire.requests).toEqual(LOOK);
	});

	it('what failed while n8n was not reached was seen by nobody: it is looked after when n8n answers again', async () => {
		Object.assign(wire.endpoints[0] ?? {}, { status: 'DISABLED' });
		wire.isReachable = false;
		// It is said, and not mended: it is unknown whether the workflow is active.
		expect(await secondsWithRequests(3)).toEqual([90, 180]);
		expect(wire.logged.join()).toContain('gone or switched off, and is registered again once');
		wire.isReachable = true;
		await secondsWithRequests(2);
		expect(wire.endpoints).toMatchObject([{ id: 'whk_made_1', status: 'ACTIVE' }]);
	});

	it('a failure is looked after also where n8n does not reach its own URL, as without a way back into its network', async () => {
		wire.isReachable = false;
		await client.pause(50_000);
		wire.state.noteFailure();
		await watch.lookIfDue();
		expect(wire.requests).toContain('GET /webhooks');
	});
});

describe('Watching', () => {
	it('is scheduled twice a minute until it ends; a test listener is not watched', async () => {
		wire.add('whk_1');
		wire.logs = { whk_1: arrived(attempts('fine', 9)) };
		const random = jest.spyOn(Math, 'random').mockReturnValue(0.999);
		const { firstLook, closeFunction } = watchEndpoint(wire.context, wire.process);
		random.mockRestore();
		await firstLook;
		const seconds = wire.ticks.map(({ expression }) =>
			Number(/^([1-5]?\d) \* \* \* \* \*$/.exec(expression)?.[1]),
		);
		expect(seconds).toEqual([29, 59]);
		wire.requests.length = 0;
		await client.pause(50_000);
		wire.state.noteFailure();
		await wire.ticks[0]?.tick();
		expect(wire.requests).toEqual(LOOK);
		expect(wire.state.watch).toBeDefined();
		// n8n does not end the one of an activation that has failed.
		const again = watchEndpoint(wire.context, wire.process);
		wire.requests.length = 0;
		await wire.ticks[0]?.tick();
		expect([wire.requests, wire.state.watch]).toEqual([[], expect.anything()]);
		await closeFunction?.();
		expect(wire.state.watch).toBeDefined();
		await again.closeFunction?.();
		expect([wire.state.watch, wire.state.activation.isOver]).toEqual([undefined, false]);
		wire.mode = 'manual';
		await watchEndpoint(wire.context, wire.process).firstLook;
		expect(wire.ticks).toHaveLength(4);
	});
});
