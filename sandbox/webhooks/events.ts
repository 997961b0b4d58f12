import type { DocumentEventPayload, EventPayload } from '../schemas/webhookSchemas';
import type { Timeline } from '../state/clock';
import type { Recipient, SignDocument } from '../state/entities';
import { newId } from '../state/ids';
import type { State } from '../state/state';
import {
	PUBLIC_RECIPIENT_STATUS,
	type DocumentEvent,
	type RecipientEvent,
} from '../state/vocabulary';
import type { Announcer } from '../state/world';
import type { DeliveryQueue } from './deliveries';

/** Turns what happens to documents into payloads for the endpoints that want them. */
export class WebhookEvents implements Announcer {
	constructor(
		private readonly state: State,
		private readonly timeline: Timeline,
		private readonly queue: DeliveryQueue,
	) {}

	emit(document: SignDocument, event: DocumentEvent): void {
		this.send(document, { id: newId('evt'), event, ...this.subject(document) });
	}

	emitAbout(recipient: Recipient, document: SignDocument, event: RecipientEvent): void {
		const { id, name, email, status } = recipient;
		this.send(document, {
			id: newId('evt'),
			event,
			...this.subject(document),
			recipient: { id, name, email, status: PUBLIC_RECIPIENT_STATUS[status] },
		});
	}

	private subject({
		id,
		status,
		title,
		mode,
	}: SignDocument): Omit<DocumentEventPayload, 'id' | 'event'> {
		const document = { id, status, title, signed_pdf: null, certificate: null };
		return { mode, occurred_at: this.timeline.date().toISOString(), document };
	}

	/**
	 * Sends to every endpoint of the document's mode that asked for the event. A second emission of
	 * the same event is collapsed (docs/service.md section 6, delivery rule 5).
	 */
	private send(document: SignDocument, payload: EventPayload): void {
		const { event } = payload;
		const emission = `${event} ${'recipient' in payload ? payload.recipient.id : ''}`;
		if (document.emitted.has(emission)) return;
		document.emitted.add(emission);
		const body = JSON.stringify(payload);
		for (const endpoint of this.state.endpoints.newestFirst(document.mode)) {
			if (!endpoint.events.includes(event)) continue;
			this.queue.enqueue(endpoint, { event, eventId: payload.id, documentId: document.id, body });
		}
	}
}
