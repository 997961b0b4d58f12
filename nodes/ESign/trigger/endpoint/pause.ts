import { sleep } from 'n8n-workflow';

const SLICE_MS = 50;

/**
 * Waits, in short slices, until the time is over or `isOver` says so, whichever comes first. The slices are counted as well
 * as timed: on a busy machine they take longer than asked, and a clock that is set back must not prolong the wait.
 */
export async function pause(milliseconds: number, isOver: () => boolean): Promise<void> {
	const until = Date.now() + milliseconds;
	for (let waited = 0; waited < milliseconds && Date.now() < until && !isOver(); waited += SLICE_MS) {
		await sleep(Math.min(SLICE_MS, milliseconds - waited));
	}
}
