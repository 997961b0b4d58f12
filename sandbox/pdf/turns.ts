/**
 * Lets so many pieces of work be done at a time; the others wait for their turn, in the order in
 * which they came.
 */
export class Turns {
	private busy = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly most: number) {}

	async take<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.busy < this.most) this.busy++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			// Whoever waits takes this place over, so that nobody comes in between.
			const next = this.waiting.shift();
			if (next) next();
			else this.busy--;
		}
	}
}
