/** Thrown where a part of a file is not as the standard says. */
export class Unreadable extends Error {}

/** Thrown where nothing more can be said of a file as a whole. */
export class GivenUp extends Error {}

/**
 * Counts the work of reading one file, so that no file can make it more than its size allows. One step stands for one byte
 * that is looked at or unpacked, or for what takes as long.
 */
export class Work {
	spent = 0;

	/** @param most steps after which the file is given up */
	constructor(readonly most: number) {}

	/** Whole steps that are left, rounded up. */
	get left(): number {
		return Math.ceil(this.most - this.spent);
	}

	/** @throws GivenUp when all steps are spent */
	spend(steps: number): void {
		this.spent += steps;
		if (this.spent > this.most) throw new GivenUp('Reading this file takes more work than its size allows');
	}
}
