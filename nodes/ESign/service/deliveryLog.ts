import type { WebhookDelivery } from './wire';

/** An endpoint is switched off when so many of its last deliveries have failed (docs/service.md section 6, rule 3). */
export const FAILURES_THAT_SWITCH_OFF = 20;

/** After so many attempts the service gives an event up (docs/service.md section 6, rule 1). */
const ATTEMPTS = 3;
/** By then it has made all of them, or has been interrupted itself. */
const ATTEMPTS_ARE_OVER_MS = 60_000;

/** A time as the service writes it, as milliseconds since the epoch. */
export const timeOf = (timestamp: string): number => new Date(timestamp).getTime();

/** The attempts of a log, oldest first. The description of the service leaves open in which order it gives them. */
function inOrder(log: readonly WebhookDelivery[]): WebhookDelivery[] {
	return [...log].sort((a, b) => timeOf(a.created_at) - timeOf(b.created_at) || a.attempt - b.attempt);
}

/**
 * The events of a delivery log no attempt of which succeeded, oldest event first, each as its latest attempt.
 *
 * @param unstarted events that arrived, and yet started nothing
 */
export function missedEvents(
	log: readonly WebhookDelivery[],
	unstarted: ReadonlySet<string> = new Set(),
): WebhookDelivery[] {
	const arrived = log.filter(({ succeeded, event_id }) => succeeded && !unstarted.has(event_id));
	const delivered = new Set(arrived.map(({ event_id }) => event_id));
	const firstTried = new Map<string, number>();
	const latest = new Map<string, WebhookDelivery>();
	for (const attempt of inOrder(log).filter(({ event_id }) => !delivered.has(event_id))) {
		if (!firstTried.has(attempt.event_id)) firstTried.set(attempt.event_id, timeOf(attempt.created_at));
		latest.set(attempt.event_id, attempt);
	}
	const occurred = ({ payload, event_id }: WebhookDelivery): number => {
		const time = timeOf(payload?.occurred_at);
		return Number.isNaN(time) ? (firstTried.get(event_id) ?? 0) : time;
	};
	return [...latest.values()].sort((a, b) => occurred(a) - occurred(b));
}

/** Whether the service has given up on a delivery: until then it tries again by itself. */
function isGivenUp({ attempt, created_at }: WebhookDelivery): boolean {
	return attempt >= ATTEMPTS || Date.now() - timeOf(created_at) > ATTEMPTS_ARE_OVER_MS;
}

/** How many of the newest attempts have failed in a row. */
export function failuresInARow(log: readonly WebhookDelivery[]): number {
	const newestFirst = inOrder(log).reverse();
	const lastSuccess = newestFirst.findIndex(({ succeeded }) => succeeded);
	return lastSuccess === -1 ? newestFirst.length : lastSuccess;
}

/**
 * Whether an event that never arrived was replayed: the log shows more attempts of it than the service makes by itself, or
 * some long after the first.
 */
function wasReplayed({ event_id, created_at }: WebhookDelivery, log: readonly WebhookDelivery[]): boolean {
	const attempts = log.filter((attempt) => attempt.event_id === event_id).map((attempt) => timeOf(attempt.created_at));
	return attempts.length > ATTEMPTS || timeOf(created_at) - Math.min(...attempts) > ATTEMPTS_ARE_OVER_MS;
}

/** The events to replay, in this order: those that the service has given up, and first those that no replay was made of. */
export function eventsToReplay(log: readonly WebhookDelivery[], unstarted?: ReadonlySet<string>): WebhookDelivery[] {
	const lastReplay = (delivery: WebhookDelivery) => (wasReplayed(delivery, log) ? timeOf(delivery.created_at) : 0);
	return missedEvents(log, unstarted)
		.filter(isGivenUp)
		.sort((a, b) => lastReplay(a) - lastReplay(b));
}

/**
 * Whether another replay may switch the endpoint off: a replay has failed since the last arrival, and the failures in a row
 * come near the number that does.
 */
export function isReplayRisky(log: readonly WebhookDelivery[]): boolean {
	const lastArrival = Math.max(...log.filter(({ succeeded }) => succeeded).map(({ created_at }) => timeOf(created_at)));
	const hasFailedSince = missedEvents(log).some(
		(delivery) => wasReplayed(delivery, log) && timeOf(delivery.created_at) > lastArrival,
	);
	return hasFailedSince && failuresInARow(log) > FAILURES_THAT_SWITCH_OFF - 2 * ATTEMPTS;
}

/** Whether the service has switched the endpoint of this log off, and so dropped what came after. */
export function wasSwitchedOff(log: readonly WebhookDelivery[]): boolean {
	return failuresInARow(log) >= FAILURES_THAT_SWITCH_OFF;
}

/** The times of the oldest and of the newest attempt that a log shows. */
export function spanOf(log: readonly WebhookDelivery[]): [string, string] | undefined {
	const [oldest, ...others] = inOrder(log);
	return oldest && [oldest.created_at, (others.at(-1) ?? oldest).created_at];
}

/**
 * The time since which events may be missing that no log names: what an endpoint drops that is switched off is never
 * recorded. That is the last delivery that arrived, or the first attempt that the log shows.
 */
export function uncertainSince(log: readonly WebhookDelivery[]): string {
	const ordered = inOrder(log);
	return (ordered.findLast(({ succeeded }) => succeeded) ?? ordered[0])?.created_at ?? new Date().toISOString();
}
