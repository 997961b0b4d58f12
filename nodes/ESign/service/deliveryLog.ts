import type { WebhookDelivery } from './wire';

/**
 * An endpoint is switched off when so many of its last deliveries have failed (docs/service.md
 * section 6, rule 3).
 */
export const FAILURES_THAT_SWITCH_OFF = 20;

/** After so many attempts the service gives an event up (docs/service.md section 6, rule 1). */
const ATTEMPTS = 3;
/**
 * By then it has made all of them, which takes 45 s, or was interrupted itself. The clocks of two
 * machines may differ.
 */
const ATTEMPTS_ARE_OVER_MS = 60_000;

/** A time as the service writes it, as milliseconds since the epoch. */
export const timeOf = (timestamp: string): number => new Date(timestamp).getTime();

/** The attempts of a log, oldest first: the service leaves open in which order it gives them. */
function inOrder(log: readonly WebhookDelivery[]): WebhookDelivery[] {
	return [...log].sort(
		(a, b) => timeOf(a.created_at) - timeOf(b.created_at) || a.attempt - b.attempt,
	);
}

/** The attempts of one event, oldest first. */
type Attempts = { first: WebhookDelivery; latest: WebhookDelivery; count: number };

/** The events of a log no attempt of which succeeded, oldest event first. */
function missed(
	log: readonly WebhookDelivery[],
	unstarted: ReadonlySet<string> = new Set(),
): Attempts[] {
	const arrived = log.filter(({ succeeded, event_id }) => succeeded && !unstarted.has(event_id));
	const delivered = new Set(arrived.map(({ event_id }) => event_id));
	const events = new Map<string, Attempts>();
	for (const attempt of inOrder(log).filter(({ event_id }) => !delivered.has(event_id))) {
		const { first, count } = events.get(attempt.event_id) ?? { first: attempt, count: 0 };
		events.set(attempt.event_id, { first, latest: attempt, count: count + 1 });
	}
	// A payload that cannot be read says nothing: then the first attempt tells when it was.
	const occurred = ({ first }: Attempts) =>
		timeOf(first.payload?.occurred_at) || timeOf(first.created_at);
	return [...events.values()].sort((a, b) => occurred(a) - occurred(b));
}

/**
 * The events of a delivery log no attempt of which succeeded, or that started nothing, oldest
 * first, each as its latest attempt.
 */
export function missedEvents(
	log: readonly WebhookDelivery[],
	unstarted?: ReadonlySet<string>,
): WebhookDelivery[] {
	return missed(log, unstarted).map(({ latest }) => latest);
}

/** Whether the service has given up on a delivery: until then it tries again by itself. */
function isGivenUp({ latest: { attempt, created_at } }: Attempts): boolean {
	return attempt >= ATTEMPTS || Date.now() - timeOf(created_at) > ATTEMPTS_ARE_OVER_MS;
}

/** How many of the newest attempts have failed in a row. */
export function failuresInARow(log: readonly WebhookDelivery[]): number {
	return log.length - 1 - inOrder(log).findLastIndex(({ succeeded }) => succeeded);
}

/** Whether the log has attempts, and all of them failed. */
export function hasOnlyFailed(log: readonly WebhookDelivery[]): boolean {
	return log.length > 0 && failuresInARow(log) === log.length;
}

/**
 * When an event was replayed last, or 0. A replay shows as a fourth attempt, or as one long after
 * the first.
 */
function lastReplayOf({ first, latest, count }: Attempts): number {
	const [begin, end] = [timeOf(first.created_at), timeOf(latest.created_at)];
	return count > ATTEMPTS || end - begin > ATTEMPTS_ARE_OVER_MS ? end : 0;
}

/**
 * The events to replay: those that were given up, or have arrived `unstarted`; first those that no
 * replay was made of.
 */
export function eventsToReplay(
	log: readonly WebhookDelivery[],
	unstarted?: ReadonlySet<string>,
): WebhookDelivery[] {
	const lost = missed(log, unstarted).filter(isGivenUp);
	return lost.sort((a, b) => lastReplayOf(a) - lastReplayOf(b)).map(({ latest }) => latest);
}

/**
 * Whether another replay may switch the endpoint off: one has failed since the last arrival, and
 * the failures come near the limit.
 */
export function isReplayRisky(log: readonly WebhookDelivery[]): boolean {
	const lastArrival = inOrder(log).findLast(({ succeeded }) => succeeded);
	const arrivedAt = lastArrival ? timeOf(lastArrival.created_at) : 0;
	const hasFailedSince = missed(log).some((event) => lastReplayOf(event) > arrivedAt);
	return hasFailedSince && failuresInARow(log) > FAILURES_THAT_SWITCH_OFF - 2 * ATTEMPTS;
}

/**
 * Whether the service has switched the endpoint of this log off, and so dropped what came after.
 */
export function wasSwitchedOff(log: readonly WebhookDelivery[]): boolean {
	return failuresInARow(log) >= FAILURES_THAT_SWITCH_OFF;
}

/** The times of the oldest and of the newest attempt that a log shows. */
export function spanOf(log: readonly WebhookDelivery[]): string[] {
	const times = inOrder(log).map(({ created_at }) => created_at);
	return [...times.slice(0, 1), ...times.slice(-1)];
}

/**
 * From this time on there may be events in no log, such as those dropped while the endpoint was
 * off: the last arrival, or the first attempt.
 */
export function uncertainSince(log: readonly WebhookDelivery[]): string {
	const ordered = inOrder(log);
	return (
		(ordered.findLast(({ succeeded }) => succeeded) ?? ordered[0])?.created_at ??
		new Date().toISOString()
	);
}
