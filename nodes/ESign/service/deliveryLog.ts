import type { WebhookDelivery, WebhookEndpoint } from './wire';

/** A time as the service writes it, as milliseconds since the epoch. */
const timeOf = (timestamp: string): number => new Date(timestamp).getTime();

/**
 * The events of a delivery log no attempt of which succeeded, oldest event first, each as its latest attempt. Makes no
 * assumption about the order of the log, which docs/service.md leaves open.
 */
export function missedEvents(log: readonly WebhookDelivery[]): WebhookDelivery[] {
	const delivered = new Set(log.filter(({ succeeded }) => succeeded).map(({ event_id }) => event_id));
	const attempts = log
		.filter(({ event_id }) => !delivered.has(event_id))
		.sort((a, b) => timeOf(a.created_at) - timeOf(b.created_at));
	const firstTried = new Map<string, number>();
	const latest = new Map<string, WebhookDelivery>();
	for (const attempt of attempts) {
		if (!firstTried.has(attempt.event_id)) firstTried.set(attempt.event_id, timeOf(attempt.created_at));
		latest.set(attempt.event_id, attempt);
	}
	const occurred = ({ payload, event_id }: WebhookDelivery): number => {
		const time = timeOf(payload?.occurred_at);
		return Number.isNaN(time) ? (firstTried.get(event_id) ?? 0) : time;
	};
	return [...latest.values()].sort((a, b) => occurred(a) - occurred(b));
}

/**
 * The time since which events may be missing that no log names: what a DISABLED endpoint drops is never recorded
 * (docs/service.md section 6, rule 3). That is the last delivery that arrived, or else the creation of the endpoint.
 */
export function uncertainSince(endpoint: Pick<WebhookEndpoint, 'created_at'>, log: readonly WebhookDelivery[]): string {
	const times = (records: readonly WebhookDelivery[]) =>
		records.map(({ created_at }) => created_at).sort((a, b) => timeOf(a) - timeOf(b));
	return times(log.filter(({ succeeded }) => succeeded)).at(-1) ?? endpoint.created_at;
}
