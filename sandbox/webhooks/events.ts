import type { Timeline } from '../state/clock';
import type { EventPayload } from '../schemas/responses';
import type { Recipient, SignDocument } from '../state/entities';
import { newId } from '../state/ids';
import type { State } from '../state/state';
import type { Announcer } from '../state/world';
import { PUBLIC_RECIPIENT_STATUS, type EventType } from '../state/vocabulary';
import type { DeliveryQueue } from './deliveries';

/** The events whose payload names a recipient (docs/service.md section 6). */
const ABOUT_A_RECIPIENT: ReadonlySet<EventType> = new Set([
	'recipient.viewed',
	'recipient.signed',
	'document.declined',
]);

/** Turns what happens to documents into payloads for the endpoints that want them. */
export class WebhookEvents implements Announcer {
	constructor(
		private readonly state: State,
		private readonly timeline: Timeline,
		private readonly queue: DeliveryQueue,
	) {}

	/**
	 * Emits one event to every endpoint of the document's mode that asked for it. A second emission of the same event is
	 * collapsed (delivery rule 5).
	 */
	emit(document: SignDocument, event: EventType, recipient?: Recipient): void {
		const emission = `${event} ${recipient?.id ?? ''}`;
		if (document.emitted.has(emission)) return;
		document.emitted.add(emission);
		const payload = this.payload(document, event, recipient);
		const body = JSON.stringify(payload);
		for (const endpoint of this.state.endpoints.newestFirst(document.mode)) {
			if (!endpoint.events.includes(event)) continue;
			this.queue.enqueue(endpoint, { event, eventId: payload.id, documentId: document.id, body });
		}
	}

	private payload(document: SignDocument, event: EventType, recipient?: Recipient): EventPayload {
		const { id, status, title, mode } = document;
		return {
			id: newId('evt'),
			event,
			mode,
			occurred_at: this.timeline.date().toISOString(),
			document: { id, status, title, signed_pdf: null, certificate: null },
			...(recipient &&
				ABOUT_A_RECIPIENT.has(event) && {
					recipient: {
						id: recipient.id,
						name: recipient.name,
						email: recipient.email,
						status: PUBLIC_RECIPIENT_STATUS[recipient.status],
					},
				}),
		};
	}
}
