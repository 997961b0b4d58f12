import { getEventListeners } from 'node:events';
import { Pacer, WaitTooLong, type Permit } from '../../../nodes/ESign/client/pacing/pacer';
import { Cancelled } from '../../../nodes/ESign/client/pacing/pause';
import { LimitedService, type LimitOptions, type Rounding } from '../support/limitedService';
import { SEED } from '../../support/nightly';
import { seededRandom } from '../../support/seededRandom';
import { VirtualClock } from '../support/virtualClock';

const PATIENCE = { patienceMs: 600_000, deadline: Infinity };
const START = 1_700_000_000_000;

/** A client that keeps to the pacer and sends again what is refused. */
async function send(
	pacer: Pacer,
	service: LimitedService,
	group: unknown = 'execution',
): Promise<void> {
	for (;;) {
		const permit = await pacer.permit(group, PATIENCE);
		const { accepted, reading } = await service.request();
		pacer.answered(permit, reading);
		if (accepted) return;
	}
}

async function sendInTurn(
	count: number,
	pacer: Pacer,
	service: LimitedService,
	group?: unknown,
): Promise<void> {
	for (let sent = 0; sent < count; sent++) await send(pacer, service, group);
}

function setUp(options: LimitOptions = {}) {
	const clock = new VirtualClock(START);
	return { clock, service: new LimitedService(clock, options), pacer: new Pacer(clock) };
}

/** 60 requests at 10 per 3 s: five windows have to pass before the sixth ten may go. */
const IDEAL_MS = 15_000;
const PHASES = [0, 430, 1290, 2150, 2870];

describe('The pacer, alone on a key', () => {
	describe.each<Rounding>(['up', 'down', 'nearest'])(
		'with seconds that are rounded %s',
		(rounding) => {
			it.each([
				['one after the other', 1],
				['from three executions at once', 3],
				['all at once', 60],
			])(
				'sends 60 requests %s within 3 % of the ideal, and none that is refused',
				async (_, executions) => {
					const { clock, service, pacer } = setUp({ rounding });
					const work = Array.from({ length: executions }, (_unused, index) =>
						sendInTurn(60 / executions, pacer, service, `execution ${index}`),
					);
					await clock.run(Promise.all(work));
					expect(service.refused).toEqual([]);
					expect(service.served).toHaveLength(60);
					expect(IDEAL_MS / (clock.now() - START)).toBeGreaterThanOrEqual(0.97);
				},
			);

			it('is refused at most once before it knows how windows that follow one another are rounded', async () => {
				for (const phase of PHASES) {
					const { clock, service, pacer } = setUp({ rounding, alignedTo: START - phase });
					await clock.run(sendInTurn(60, pacer, service));
					expect(service.refused.length).toBeLessThanOrEqual(rounding === 'up' ? 0 : 1);
					expect(service.served).toHaveLength(60);
					// Rounded up, nothing is waited for beyond the first boundary.
					if (rounding === 'up')
						expect(clock.now() - START).toBeLessThanOrEqual(IDEAL_MS + 1000 + 6 * 50);
				}
			});
		},
	);

	it.each([
		[1, 2],
		[7, 5],
		[100, 60],
	])('learns a limit of %d and a window of %d s', async (limit, seconds) => {
		const { clock, service, pacer } = setUp({
			limit,
			windowMs: seconds * 1000,
			latencyMs: () => 1,
		});
		await clock.run(sendInTurn(limit * 4, pacer, service));
		expect(service.refused).toEqual([]);
		expect((3 * seconds * 1000) / (clock.now() - START)).toBeGreaterThanOrEqual(0.97);
		expect(pacer.limit).toBe(limit);
	});

	it('keeps the others back until the first answer has shown the limit', async () => {
		const { clock, service, pacer } = setUp({ limit: 3, latencyMs: () => 50 });
		await clock.run(Promise.all([1, 2, 3].map(async (group) => await send(pacer, service, group))));
		expect(service.served).toEqual([START + 50, START + 150, START + 150]);
	});
});

describe('The pacer, with others on the same key', () => {
	it('brings all requests through, while a foreign client spends from the limit', async () => {
		const random = seededRandom(SEED);
		for (let round = 0; round < 5; round++) {
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
});

describe('A permit', () => {
	const permitOf = async (pacer: Pacer, patience = {}, signal?: AbortSignal): Promise<Permit> =>
		await pacer.permit('execution', { ...PATIENCE, ...patience, signal });

	/** The window has so much room, and ends a minute from now. */
	const reading = (remaining: number) => {
		return { limit: 10, remaining, resetSeconds: 59, sentAt: START, receivedAt: START };
	};

	async function known(remaining: number) {
		const { clock, pacer } = setUp();
		pacer.answered(await permitOf(pacer), reading(remaining));
		return { clock, pacer };
	}

	it('is given at once where no limit is in force, however many are under way, until one is named', async () => {
		const { pacer } = setUp();
		pacer.answered(await permitOf(pacer), 'no limit');
		const permits = await Promise.all(
			Array.from({ length: 500 }, async () => await permitOf(pacer)),
		);
		expect(permits.every(({ waitedMs }) => waitedMs === 0)).toBe(true);
		permits.forEach((permit) => pacer.answered(permit, reading(0)));
		await expect(permitOf(pacer, { patienceMs: 0 })).rejects.toBeInstanceOf(WaitTooLong);
	});

	it('is one fewer after a request that was not answered', async () => {
		const { clock, pacer } = await known(1);
		pacer.answered(await permitOf(pacer), 'unanswered');
		await expect(clock.run(permitOf(pacer))).resolves.toMatchObject({ waitedMs: 60_000 });
	});

	it('is given two seconds after one whose answer is to show the limit does not come', async () => {
		const { clock, pacer } = setUp();
		await permitOf(pacer);
		await expect(clock.run(permitOf(pacer))).resolves.toMatchObject({ waitedMs: 2_000 });
	});

	it('is given at once when the window is over, whatever is under way since before', async () => {
		const { clock, pacer } = await known(2);
		await clock.run(clock.sleep(59_000));
		await permitOf(pacer);
		await clock.run(clock.sleep(1_000));
		await expect(permitOf(pacer)).resolves.toMatchObject({ waitedMs: 0 });
	});

	it.each([
		['the window', { patienceMs: 60_000 }, { patienceMs: 59_999 }],
		['the call', { deadline: START + 60_000 }, { deadline: START + 59_999 }],
	])(
		'is refused at once where the window ends later than the patience of %s',
		async (_, enough, tooLittle) => {
			const { clock, pacer } = await known(0);
			await expect(permitOf(pacer, tooLittle)).rejects.toMatchObject({ waitMs: 60_000 });
			await expect(permitOf(pacer, tooLittle)).rejects.toBeInstanceOf(WaitTooLong);
			expect(clock.now()).toBe(START);
			await expect(clock.run(permitOf(pacer, enough))).resolves.toMatchObject({ waitedMs: 60_000 });
		},
	);

	it('is not waited for any more once the execution is cancelled, and the others stay in line', async () => {
		const { clock, pacer } = await known(0);
		const stop = new AbortController();
		const cancelled = permitOf(pacer, {}, stop.signal);
		const other = permitOf(pacer);
		stop.abort();
		await expect(cancelled).rejects.toBeInstanceOf(Cancelled);
		await expect(permitOf(pacer, {}, stop.signal)).rejects.toBeInstanceOf(Cancelled);
		expect(clock.now()).toBe(START);
		await expect(clock.run(other)).resolves.toMatchObject({ waitedMs: 60_000 });
		// The signal of an execution outlives thousands of calls.
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
	});

	it('goes to each execution in turn: a single request does not wait for a hundred others', async () => {
		const { clock, service, pacer } = setUp();
		const done: string[] = [];
		const batch = Array.from({ length: 100 }, async (_, item) => {
			await send(pacer, service, 'batch');
			done.push(`batch ${item}`);
		});
		const single = send(pacer, service, 'single').then(() => done.push('single'));
		await clock.run(Promise.all([...batch, single]));
		expect(done.indexOf('single')).toBeLessThan(3);
		expect(done.filter((entry) => entry !== 'single')).toEqual(
			batch.map((_, item) => `batch ${item}`),
		);
	});

	it('goes to who waits first, however soon who was just answered asks again', async () => {
		for (let steps = 0; steps < 20; steps++) {
			const { clock, pacer } = setUp();
			const order: string[] = [];
			const ask = async (group: string) => {
				await pacer.permit(group, PATIENCE);
				order.push(group);
			};
			const first = await pacer.permit('answered', PATIENCE);
			const waiting = ask('waiting');
			pacer.answered(first, reading(1));
			for (let step = 0; step < steps; step++) await Promise.resolve();
			await clock.run(Promise.all([ask('answered'), waiting]));
			expect(order).toEqual(['waiting', 'answered']);
		}
	});

	it('is refused at once also behind a more patient one of the same execution', async () => {
		const { clock, pacer } = await known(0);
		const patient = permitOf(pacer);
		const hurried = permitOf(pacer, { deadline: START + 45_000 });
		await expect(hurried).rejects.toBeInstanceOf(WaitTooLong);
		expect(clock.now()).toBe(START);
		await expect(clock.run(patient)).resolves.toMatchObject({ waitedMs: 60_000 });
	});

	it('costs a few looks at the clock, however many executions wait for one', async () => {
		const { clock, service, pacer } = setUp({ limit: 50 });
		const looks = jest.spyOn(clock, 'now');
		const executions = Array.from({ length: 200 }, (_, execution) => execution);
		await clock.run(Promise.all(executions.map(async (one) => await send(pacer, service, one))));
		expect(service.served).toHaveLength(200);
		expect(looks.mock.calls.length).toBeLessThan(20 * 200);
	});
});
