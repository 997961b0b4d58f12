import { Pacer, WaitTooLong } from '../../../nodes/ESign/client/pacing/pacer';
import { Cancelled } from '../../../nodes/ESign/client/pacing/pause';
import { LimitedService, type LimitOptions, type Rounding } from '../support/limitedService';
import { SEED } from '../../../harness/nightly';
import { seededRandom } from '../../../harness/seededRandom';
import { VirtualClock } from '../support/virtualClock';

const PATIENCE = { patienceMs: 600_000, deadline: Infinity };

const START = 1_700_000_000_000;

/** A client that keeps to the pacer and sends again what is refused. */
async function send(pacer: Pacer, service: LimitedService, group: unknown = 'execution'): Promise<void> {
	for (;;) {
		const permit = await pacer.permit(group, PATIENCE, undefined);
		const { accepted, reading } = await service.request();
		pacer.answered(permit, reading);
		if (accepted) return;
	}
}

async function sendInTurn(count: number, pacer: Pacer, service: LimitedService, group?: unknown): Promise<void> {
	for (let sent = 0; sent < count; sent++) await send(pacer, service, group);
}

function setUp(options: Partial<LimitOptions> = {}) {
	const clock = new VirtualClock(START);
	const service = new LimitedService(clock, {
		limit: 10,
		windowMs: 3000,
		rounding: 'up',
		latencyMs: () => 2,
		...options,
	});
	return { clock, service, pacer: new Pacer(clock) };
}

/** 60 requests at 10 per 3 s: five windows have to pass before the sixth ten may go. */
const IDEAL_MS = 15_000;

describe('The pacer, alone on a key', () => {
	const roundings: Rounding[] = ['up', 'down', 'nearest'];

	describe.each(roundings)('with seconds that are rounded %s', (rounding) => {
		it.each([
			['one after the other', 1],
			['from three executions at once', 3],
			['all at once', 60],
		])('sends 60 requests %s within 3 % of the ideal, and none that is refused', async (_, executions) => {
			const { clock, service, pacer } = setUp({ rounding });
			const work = Array.from({ length: executions }, (_unused, index) =>
				sendInTurn(60 / executions, pacer, service, `execution ${index}`),
			);
			await clock.run(Promise.all(work));
			expect(service.refused).toEqual([]);
			expect(service.served).toHaveLength(60);
			expect(IDEAL_MS / (clock.now() - START)).toBeGreaterThanOrEqual(0.97);
		});
	});

	it('never waits where windows follow one another and the seconds are rounded up, beyond the first boundary', async () => {
		for (let phase = 0; phase < 3000; phase += 130) {
			const { clock, service, pacer } = setUp({ alignedTo: START - phase });
			await clock.run(sendInTurn(60, pacer, service));
			expect(service.refused).toEqual([]);
			expect(clock.now() - START).toBeLessThanOrEqual(IDEAL_MS + 1000 + 6 * 50);
		}
	});

	it.each<Rounding>(['down', 'nearest'])(
		'is refused at most once before it knows that windows which follow one another round %s',
		async (rounding) => {
			for (let phase = 0; phase < 3000; phase += 130) {
				const { clock, service, pacer } = setUp({ rounding, alignedTo: START - phase });
				await clock.run(sendInTurn(60, pacer, service));
				expect(service.refused.length).toBeLessThanOrEqual(1);
				expect(service.served).toHaveLength(60);
			}
		},
	);

	it('learns the limit and the length of the window, whatever they are', async () => {
		for (const [limit, seconds] of [
			[1, 2],
			[7, 5],
			[100, 60],
			[10, 60],
		] as const) {
			const { clock, service, pacer } = setUp({ limit, windowMs: seconds * 1000, latencyMs: () => 1 });
			await clock.run(sendInTurn(limit * 4, pacer, service));
			expect(service.refused).toEqual([]);
			expect((3 * seconds * 1000) / (clock.now() - START)).toBeGreaterThanOrEqual(0.97);
		}
	});

	it('keeps the others back until the first answer has shown the limit', async () => {
		const { clock, service, pacer } = setUp({ limit: 3, latencyMs: () => 50 });
		const all = Promise.all(Array.from({ length: 3 }, async (_, group) => await send(pacer, service, group)));
		await clock.run(all);
		expect(service.served).toEqual([START + 50, START + 150, START + 150]);
	});

	it('does not wait at all where no limit is in force', async () => {
		const { clock, pacer } = setUp();
		for (let sent = 0; sent < 500; sent++) {
			const permit = await pacer.permit('execution', PATIENCE, undefined);
			expect(permit.waitedMs).toBe(0);
			pacer.answered(permit, 'no limit');
		}
		expect(clock.now()).toBe(START);
	});

	it('counts a request whose answer was lost against the window', async () => {
		const { clock, service, pacer } = setUp({ limit: 3 });
		await clock.run(
			(async () => {
				await send(pacer, service);
				const lost = await pacer.permit('execution', PATIENCE, undefined);
				await service.request();
				pacer.answered(lost, 'unanswered');
				await sendInTurn(4, pacer, service);
			})(),
		);
		expect(service.refused).toEqual([]);
	});
});

describe('The pacer, with others on the same key', () => {
	it('brings all requests through, while a foreign client spends from the limit', async () => {
		const random = seededRandom(SEED);
		for (let round = 0; round < 10; round++) {
			const { clock, service, pacer } = setUp({ latencyMs: () => 1 + random() * 40 });
			const foreign = (async () => {
				for (let sent = 0; sent < 30; sent++) {
					await clock.sleep(random() * 1500);
					await service.request();
				}
			})();
			const ours = [1, 2].map(async (execution) => await sendInTurn(20, pacer, service, execution));
			await clock.run(Promise.all([...ours, foreign]));
			expect(service.served.length).toBeGreaterThanOrEqual(40);
		}
	});

	it('stays away for as long as a refusal says', async () => {
		const { clock, service, pacer } = setUp({ windowMs: 7000 });
		await clock.run(Promise.all(Array.from({ length: 10 }, async () => await service.request())));
		await clock.run(send(pacer, service));
		expect(service.refused).toHaveLength(1);
		expect(service.served[10]).toBeLessThan(START + 7100);
	});
});

describe('Waiting for a key', () => {
	it('gives every execution its turn: a single request does not wait for a hundred others', async () => {
		const { clock, service, pacer } = setUp({ limit: 10 });
		const done: string[] = [];
		const batch = Array.from({ length: 100 }, async (_, item) => {
			await send(pacer, service, 'batch');
			done.push(`batch ${item}`);
		});
		const single = send(pacer, service, 'single').then(() => done.push('single'));
		await clock.run(Promise.all([...batch, single]));
		expect(done.indexOf('single')).toBeLessThan(3);
		expect(done.filter((entry) => entry !== 'single')).toEqual(
			Array.from({ length: 100 }, (_, item) => `batch ${item}`),
		);
	});

	it('ends at once when the execution is cancelled, and leaves the others in line', async () => {
		const { clock, service, pacer } = setUp({ limit: 1, windowMs: 60_000 });
		await clock.run(send(pacer, service));
		const stop = new AbortController();
		const cancelled = pacer.permit('one', PATIENCE, stop.signal);
		const other = send(pacer, service, 'other');
		stop.abort();
		await expect(cancelled).rejects.toBeInstanceOf(Cancelled);
		expect(clock.now()).toBeLessThan(START + 100);
		await clock.run(other);
		expect(service.served).toHaveLength(2);
	});

	it('is refused where the window ends later than anybody wants to wait', async () => {
		const { clock, service, pacer } = setUp({ limit: 1, windowMs: 3_600_000 });
		await clock.run(send(pacer, service));
		await expect(pacer.permit('execution', PATIENCE, undefined)).rejects.toBeInstanceOf(WaitTooLong);
	});
});
