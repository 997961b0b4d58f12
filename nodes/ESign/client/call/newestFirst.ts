/**
 * Whether a list that is read page by page has come to what is older than some time. The order of a list is not promised
 * (docs/service.md section 10), so that nothing may be concluded but from what was seen: at least one entry older than the
 * one before it, and none newer.
 */
export class NewestFirst {
	private last = Infinity;
	private descents = 0;
	private ascents = 0;

	/** @param createdAt of the next entry, as the service gave it */
	see(createdAt: string): void {
		const at = Date.parse(createdAt);
		if (this.last !== Infinity && at < this.last) this.descents += 1;
		// A time that cannot be read tells nothing, and then nothing is concluded.
		if (!(at <= this.last)) this.ascents += 1;
		this.last = at;
	}

	/** @param time in milliseconds since the epoch */
	isPast(time: number): boolean {
		return this.descents > 0 && this.ascents === 0 && this.last < time;
	}
}
