/** Servers behind one address may disagree on the time by so many milliseconds. */
const TOLERANCE_MS = 1_000;

/** Used while no response has carried a date: clocks of two machines may be this far apart. */
const UNKNOWN_SKEW_MS = 60_000;

/** So many readings count: enough to even out, few enough that a clock put right is soon known. */
const MOST_READINGS = 20;

/** What the `Date` headers of a service tell about its clock, so that its `created_at` can be compared with ours. */
export class ServerClock {
	/** By how much each of the last answers saw the service's clock ahead of ours; negative where it is behind. */
	private readonly readings: number[] = [];

	/** @param receivedAt local time at which the response with this `Date` header had come in */
	read(date: unknown, receivedAt: number): void {
		const at = typeof date === 'string' ? Date.parse(date) : NaN;
		if (Number.isNaN(at)) return;
		this.readings.push(at - receivedAt);
		if (this.readings.length > MOST_READINGS) this.readings.shift();
	}

	/**
	 * A time by the service's clock that is certainly not after the given local one, and close before it.
	 *
	 * The header is cut to whole seconds and takes time to arrive, so each reading is a lower bound. Of these the lowest
	 * counts: after one server whose clock is fast, or a clock put back, any other would hide what a lost answer has
	 * created, and it would be created twice.
	 */
	notAfter(localTime: number): number {
		if (this.readings.length === 0) return localTime - UNKNOWN_SKEW_MS;
		return localTime + Math.min(...this.readings) - TOLERANCE_MS;
	}
}
