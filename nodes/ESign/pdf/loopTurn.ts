import { sleep } from 'n8n-workflow';

/** So long one thing may run before others get their turn. */
const LONGEST_TURN_MS = 6;

/** Of work that would hold the event loop: it pauses now and then. */
export class LoopTurn {
	private beganAt = Date.now();

	/** Lets everything else run, if it has waited for some milliseconds. */
	async pause(): Promise<void> {
		if (Date.now() - this.beganAt < LONGEST_TURN_MS) return;
		await sleep(0);
		this.beganAt = Date.now();
	}
}
