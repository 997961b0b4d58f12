import type { Loss } from '../../support/lateProxy';
import type { NodeRun } from '../../support/n8nCore/n8n';
import type { LossyService } from './lossyService';

/** A request that waits for the rate limit. */
export const LIMITED: Loss = { how: 429, afterMs: 30_000 };

/** Whoever waits for others does so for as long at least. */
export const WAIT_MS = 10_000;

type Run = () => Promise<NodeRun>;

/**
 * While the first waits for the rate limit, the second is through, or waits for it: then it does so
 * until the first is through.
 */
export async function whileLimited(service: LossyService, first: Run, second: Run) {
	const { clock } = service;
	const { sleep } = clock;
	let isLimited = false;
	let secondRun: Promise<NodeRun> | undefined;
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
