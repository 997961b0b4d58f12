import type { Timestamp } from '../settings';

/** Servers behind one address may disagree on the time by so many milliseconds. */
const TOLERANCE_MS = 1_000;

/** Clocks of two machines may be this far apart. What says more is not believed by itself. */
const USUAL_SKEW_MS = 60_000;

/** So many readings count: enough to even out, few enough that a clock put right is soon known. */
const MAX_READINGS = 20;

/** What the service's clock showed at that time, or a little earlier. */
type Reading = Timestamp & { server: number };

/** When something began, by the service's clock and in milliseconds. What lies between the two is ambiguous. */
export type Began = {
	/** Earliest plausible time: what was created before it was there before. */
	possible: number;
	/** Latest plausible time: what was created after it was not there before. */
	certain: number;
};

/**
 * What answers tell about the clock of the service, so that its `created_at` can be compared with ours. What the service
 * itself has written counts: `created_at` of something that this process has just created. A `Date` header may be that of a
 * proxy, whose clock may be hours off: where it disagrees with ours, nobody knows which of the two is right.
 */
export class ServerClock {
	private readonly created: Reading[] = [];

	private readonly dates: Reading[] = [];

	/**
	 * @param from a `Date` header, or the `created_at` of what the request has just created
	 * @param receivedAt when the response had come in
	 */
	read(from: 'dates' | 'created', time: unknown, receivedAt: Timestamp): void {
		const server = typeof time === 'string' ? Date.parse(time) : NaN;
		if (Number.isNaN(server)) return;
		this[from].push({ ...receivedAt, server });
		if (this[from].length > MAX_READINGS) this[from].shift();
	}

	/** A time by the clock that the last `Date` headers show: not later than it was, and two seconds earlier at most. */
	shown({ at, wallClock }: Timestamp): number {
		if (this.dates.length === 0) return wallClock - USUAL_SKEW_MS;
		return at + Math.min(...this.dates.map((reading) => reading.server - reading.at)) - TOLERANCE_MS;
	}

	/**
	 * When the given time was by the service's clock. Each reading is a lower bound: a header is cut to whole seconds, and an
	 * answer takes time to arrive. The lowest counts, because anything later could hide what a lost answer has created.
	 */
	began(moment: Timestamp): Began {
		const created = estimates(this.created, moment);
		const dates = estimates(this.dates, moment);
		const known = created.length > 0 ? created : [...dates];
		if (known.length === 0) known.push(moment.wallClock - USUAL_SKEW_MS + TOLERANCE_MS);
		else if (created.length === 0 && !isClose([...dates, moment.wallClock])) known.push(moment.wallClock);
		const earliest = Math.min(...known) - TOLERANCE_MS;
		return {
			// The service's clock may have been set back since something was created: then its dates are the first to tell.
			possible: Math.min(earliest, ...dates.map((date) => date - TOLERANCE_MS)),
			certain: isClose(known) ? earliest : Math.max(...known) - TOLERANCE_MS,
		};
	}
}

/** What the service's clock showed at a time, or a little less, by each reading and by either clock of ours. */
function estimates(readings: readonly Reading[], moment: Timestamp): number[] {
	const byReading = readings.map(({ server, at, wallClock }) => [
		server + moment.at - at,
		server + moment.wallClock - wallClock,
	]);
	// A reading from before the computer slept, or its clock was set, tells less than one from after it.
	const steady = byReading.filter(isClose);
	return (steady.length > 0 ? steady : byReading).flat();
}

function isClose(times: readonly number[]): boolean {
	return Math.max(...times) - Math.min(...times) <= USUAL_SKEW_MS;
}
