import type { WebhookDelivery } from './wire';

/**
 * An endpoint is switched off when so many of its last deliveries have failed (docs/service.md
 * section 6, rule 3).
 */
const FAILURES_THAT_SWITCH_OFF = 20;

/** A time as the service writes it, as milliseconds since the epoch. */
export const timeOf = (timestamp: string): number => new Date(timestamp).getTime();

/** The attempts of a log, oldest first: the service leaves open in which order it gives them. */
function inOrder(log: readonly WebhookDelivery[]): WebhookDelivery[] {
	return log.toSorted(
		(a, b) => timeOf(a.created_at) - timeOf(b.created_at) || a.attempt - b.attempt,
	);
}

/**
 * The events of a delivery log no attempt of which succeeded, the oldest first, each as its latest
 * attempt.
 *
 * @param isInDoubt an attempt that succeeded, and may have started nothing
 */
export function missedEvents(
	log: readonly WebhookDelivery[],
	isInDoubt: (attempt: WebhookDelivery) => boolean = () => false,
): WebhookDelivery[] {
	const arrived = log.filter((attempt) => attempt.succeeded && !isInDoubt(attempt));
	const delivered = new Set(arrived.map(({ event_id }) => event_id));
	const attempts = inOrder(log).filter(({ event_id }) => !delivered.has(event_id));
	const latest = new Map(attempts.map((attempt) => [attempt.event_id, attempt]));

	// A payload that cannot be read says nothing: then the first attempt tells when it was.
	const occurred = ({ event_id, payload }: WebhookDelivery) => {
		const first = attempts.find((attempt) => attempt.event_id === event_id);
		return timeOf(payload?.occurred_at) || timeOf(String(first?.created_at));
	};
	return [...latest.values()].sort((a, b) => occurred(a) - occurred(b));
}

/** How many of the newest attempts have failed in a row. */
export function failuresInARow(log: readonly WebhookDelivery[]): number {
	return log.length - 1 - inOrder(log).findLastIndex(({ succeeded }) => succeeded);
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
