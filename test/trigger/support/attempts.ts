import type { WebhookDelivery } from '../../../nodes/ESign/client';

export const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

/**
 * One attempt to deliver an event, so many seconds ago, which failed; the event itself occurred a
 * second before its first one.
 */
export function attempt(
	event_id: string,
	number: number,
	age: number,
	changed: Partial<WebhookDelivery> = {},
): WebhookDelivery {
	return {
		id: `dlv_${event_id}_${number}`,
		event: 'document.sent',
		event_id,
		document_id: null,
		attempt: number,
		response_status: null,
		response_body: null,
		error: null,
		succeeded: false,
		payload: { occurred_at: ago(age + number) } as WebhookDelivery['payload'],
		created_at: ago(age),
		...changed,
	};
}

/** Failed attempts of one event, each so many seconds ago. */
export const attempts = (event_id: string, ...ages: number[]): WebhookDelivery[] =>
	ages.map((age, index) => attempt(event_id, index + 1, age));

/** The same, had they arrived. */
export const arrived = (log: WebhookDelivery[]): WebhookDelivery[] =>
	log.map((one) => ({ ...one, succeeded: true }));
