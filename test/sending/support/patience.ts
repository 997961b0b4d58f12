import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LossyService } from './lossyService';

/** Waits for lost answers are longer. */
export const LONG_MS = 60_000;

/** Turns of the event loop. */
export async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await nextTurn();
}

/**
 * Time passes for nobody before the others have done what takes them less. Whoever waits for long
 * does so until they are through, or wait as well.
 */
export function passTimeSlowly({ clock }: LossyService): void {
	beforeAll(() => {
		const sleep = clock.sleep.bind(clock);
		clock.sleep = async (milliseconds) => {
			await turns(milliseconds > LONG_MS ? 20_000 : 2_000);
			await sleep(milliseconds);
		};
	});
}
