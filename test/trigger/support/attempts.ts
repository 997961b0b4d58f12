import type { WebhookDelivery } from '../../../nodes/ESign/client';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

/** Failed attempts of one event, each so many seconds ago. */
export const attempts = (event_id: string, ...ages: number[]): WebhookDelivery[] =>
	ages.map((age, index) => ({
		id: `dlv_${event_id}_${index}`,
		event: 'document.sent',
		event_id,
		document_id: null,
		attempt: index + 1,
		response_status: null,
		response_body: null,
		error: null,
		succeeded: false,
		payload: { occurred_at: secondsAgo(age) } as WebhookDelivery['payload'],
		created_at: secondsAgo(age),
	}));

/** The same, had they arrived. */
export const arrived = (log: WebhookDelivery[]): WebhookDelivery[] => log.map((one) => ({ ...one, succeeded: true }));
