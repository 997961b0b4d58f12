/** An event that was accepted: its id, and when, in milliseconds since the epoch. */
export type SeenEvent = { id: string; at: number };

/** A second delivery within this time is the service's own retry; a later one is a deliberate replay and runs. */
export const DEDUPLICATION_WINDOW_MS = 300_000;

/** Whether an event accepted at `at` makes one that arrives at `now` a repetition. */
export function isWithinWindow(at: number, now: number): boolean {
	return now - at <= DEDUPLICATION_WINDOW_MS;
}

/** Whether a list of accepted events makes a delivery of `id` at `now` a repetition. */
export function isDuplicate(seen: readonly SeenEvent[], id: string, now: number): boolean {
	return seen.some((event) => event.id === id && isWithinWindow(event.at, now));
}

/** The newest `limit` events of several lists, oldest first, each id once with its latest time. */
export function mergeSeen(limit: number, ...lists: Array<readonly SeenEvent[]>): SeenEvent[] {
	const latest = new Map<string, number>();
	for (const { id, at } of lists.flat()) latest.set(id, Math.max(at, latest.get(id) ?? at));
	return [...latest]
		.map(([id, at]) => ({ id, at }))
		.sort((a, b) => a.at - b.at)
		.slice(-limit);
}
