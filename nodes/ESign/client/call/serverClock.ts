import type { Timestamp } from '../settings';

/** What whole seconds leave out. Servers behind one address may disagree on the time by as much. */
const TOLERANCE_MS = 1_000;

/** Clocks of two machines may be this far apart. */
const USUAL_SKEW_MS = 60_000;

/**
 * The clock of the service, so that its `created_at` can be compared with our times: as the last
 * `Date` header shows it, which may be a proxy's. Where it disagrees with ours, it is unknown which
 * is right, and what lies between the two is ambiguous.
 */
export class ServerClock {
	private last: (Timestamp & { server: number }) | undefined;

	/** @param date a `Date` header */
	read(date: unknown, receivedAt: Timestamp): void {
		const server = typeof date === 'string' ? Date.parse(date) : NaN;
		if (!Number.isNaN(server)) this.last = { ...receivedAt, server };
	}

	/**
	 * What was created before `possible` was there before this moment, what after `certain` was not.
	 */
	began(moment: Timestamp): { possible: number; certain: number } {
		const { last } = this;
		if (!last) {
			const known = moment.wallClock - USUAL_SKEW_MS;
			return { possible: known, certain: known };
		}
		// An answer takes time to arrive, and a computer may have slept: the lowest counts.
		const shown = [
			last.server + moment.at - last.at,
			last.server + moment.wallClock - last.wallClock,
		];
		const all = [...shown, moment.wallClock];
		const counted =
			Math.max(...all) - Math.min(...all) <= USUAL_SKEW_MS ? [Math.min(...shown)] : all;
		return {
			possible: Math.min(...counted) - TOLERANCE_MS,
			certain: Math.max(...counted) - TOLERANCE_MS,
		};
	}
}
