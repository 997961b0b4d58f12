import { accept, isAccepted, isRepetition } from '../../../nodes/ESign/trigger/delivery/acceptance';
import { WebResponse } from '../support/webResponse';
import { turns, WATCH, Wire } from '../support/wire';

const E = { id: 'evt_1', signedAt: 1_000 };

let wire: Wire;
let response: WebResponse;
let passTime: () => void;

beforeEach(() => {
	wire = new Wire();
	wire.state.watch = WATCH;
	response = new WebResponse();
	// Seven seconds pass when the test says.
	passTime = wire.stopClock();
});

const first = () => void accept(wire.context, wire.state, E, response);
const another = async (signedAt = E.signedAt) =>
	await accept(wire.context, wire.state, { ...E, signedAt }, new WebResponse());

describe('An event', () => {
	it('is accepted once n8n has answered, for as long as bytes signed then would verify', async () => {
		first();
		expect(isAccepted(wire.state, E.id)).toBe(false);
		const seconds = Math.floor(Date.now() / 1_000);
		response.status(200).send('started');
		await turns();
		expect(isAccepted(wire.state, E.id)).toBe(true);
		const { until = 0 } = wire.state.events.get(E.id) ?? {};
		expect(until / 1_000 - seconds).toBeGreaterThanOrEqual(301);
		expect(until / 1_000 - seconds).toBeLessThan(310);
		expect([wire.state.starts.size, wire.state.failedAt]).toEqual([0, 0]);
	});

	it('signed by a clock that is ahead is accepted for as long from then', async () => {
		const signedAt = Math.floor(Date.now() / 1_000) + 200;
		void accept(wire.context, wire.state, { ...E, signedAt }, response);
		response.status(200).send('started');
		await turns();
		expect(wire.state.events.get(E.id)?.until).toBe((signedAt + 301) * 1_000);
	});

	it('is not accepted when n8n fails, and the failure is noted', async () => {
		first();
		response.status(300).send('no');
		await turns();
		expect([isAccepted(wire.state, E.id), wire.state.starts.size]).toEqual([false, 0]);
		expect(wire.state.failedAt).toBeGreaterThan(0);
	});

	it('is accepted after seven seconds, and the service is answered then; what n8n says later goes to nobody', async () => {
		first();
		passTime();
		await turns();
		expect(response.sent).toEqual(['200 Accepted: n8n starts the workflow when it has room']);
		expect(isAccepted(wire.state, E.id)).toBe(true);
		response.status(200).send('started');
		await turns();
		expect([response.sent.length, wire.logged]).toEqual([1, []]);
		expect(wire.state.events.get(E.id)?.outcome).toBe('started');
	});

	it('that n8n starts late is a repetition for no longer', async () => {
		first();
		passTime();
		await turns();
		const { until } = wire.state.events.get(E.id) ?? {};
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
		response.status(200).send('started');
		await turns();
		expect(wire.state.events.get(E.id)).toEqual({ until, outcome: 'started' });
		jest.restoreAllMocks();
	});

	it('that n8n fails after that is to run from the log, or when it is delivered again', async () => {
		first();
		passTime();
		await turns();
		response.status(500).send('no');
		await turns();
		expect(isAccepted(wire.state, E.id)).toBe(false);
		expect(wire.state.events.get(E.id)?.outcome).toBe('failed');
		expect(wire.logged).toEqual([
			expect.stringMatching(/error.*accepted event evt_1 but did not start/),
		]);
		expect(await another()).toBe('first');
	});

	it('that comes again was not answered in time, and is looked after', async () => {
		first();
		response.status(200).send('started');
		await turns();
		expect(await another(E.signedAt + 5)).toBe('repetition');
		expect(wire.state.failedAt).toBeGreaterThan(0);
	});

	it('whose sender hangs up is looked after, and accepted all the same without an answer', async () => {
		first();
		response.close();
		expect(wire.state.failedAt).toBeGreaterThan(0);
		passTime();
		await turns();
		expect([response.sent, isAccepted(wire.state, E.id)]).toEqual([[], true]);
	});
});

describe('A delivery of an accepted event', () => {
	it.each([
		['within its time', 4_999, undefined, true],
		['after it', 5_000, undefined, false],
		['out of the log, whatever the time', 9_999, true, true],
	])('%s', (_what, now, isFromLog, expected) => {
		wire.state.events.set(E.id, { until: 5_000, outcome: 'pending' });
		expect(isRepetition(wire.state, { ...E, isFromLog }, now)).toBe(expected);
	});

	it('that n8n has failed to start, or that is unknown, is none', () => {
		expect(isRepetition(wire.state, E, 1)).toBe(false);
		wire.state.events.set(E.id, { until: 5_000, outcome: 'failed' });
		expect(isRepetition(wire.state, { ...E, isFromLog: true }, 1)).toBe(false);
	});
});

describe('A second delivery of an event that is under way', () => {
	it('fails if n8n could not take it, and the third is the first again', async () => {
		first();
		const second = another();
		response.status(500).send('no');
		expect(await second).toBe('failed');
		expect(await another()).toBe('first');
	});

	it('waits until it is known', async () => {
		first();
		let verdict: string | undefined;
		void another().then((one) => (verdict = one));
		await turns();
		expect(verdict).toBeUndefined();
		passTime();
		await turns();
		expect(verdict).toBe('repetition');
	});

	it('of two at once exactly one is first', async () => {
		const verdicts = [another(), another()];
		await turns();
		passTime();
		expect(await Promise.all(verdicts)).toEqual(['first', 'repetition']);
	});
});
