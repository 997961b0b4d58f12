import { LIMITED } from './losses';
import type { LossyService } from './lossyService';

/** Whoever waits for others does so for as long at least. */
export const WAIT_MS = 10_000;

/**
 * While the first waits for the rate limit, the second is through, or waits for it: then it does so
 * until the first is through.
 */
export async function whileLimited<Run>(
	service: LossyService,
	first: () => Promise<Run>,
	second: () => Promise<Run>,
) {
	const { clock } = service;
	const { sleep } = clock;
	let isLimited = false;
	let secondRun: Promise<Run> | undefined;
	let wait = () => {};
	const waits = new Promise<void>((resolve) => (wait = resolve));
	clock.sleep = async (milliseconds) => {
		if (milliseconds === LIMITED.afterMs) {
			isLimited = true;
			secondRun = second();
			await Promise.race([secondRun, waits]);
		} else if (isLimited && milliseconds >= WAIT_MS) {
			wait();
			await firstRun;
		}
		await sleep.call(clock, milliseconds);
	};
	const firstRun = first();
	const runs = [await firstRun, await secondRun];
	clock.sleep = sleep;
	return runs;
}
