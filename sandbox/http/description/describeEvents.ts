import {
	documentEventSchema,
	eventPayloadSchema,
	recipientEventSchema,
} from '../../schemas/webhookSchemas';
import { DOCUMENT_EVENTS, RECIPIENT_EVENTS, type EventType } from '../../state/vocabulary';
import type { NamedSchemas } from './namedSchemas';

const MEANINGS: Record<EventType, string> = {
	'document.sent': 'A document went out for signature',
	'recipient.viewed': 'A recipient opened a document for the first time',
	'recipient.signed': 'A recipient signed; others may still have to',
	'document.completed': 'Everyone signed, and the PDF is sealed',
	'document.declined': 'A recipient declined, which ends the document',
	'document.expired': 'A document was not signed in time',
	'document.cancelled': 'The sender withdrew a document',
};

const HEADERS = {
	'x-esign-signature':
		't=<unix seconds>,v1=<hex>: HMAC-SHA256 over t, a dot and the raw body, keyed with the secret.',
	'x-esign-event': 'The type of the event.',
	'x-esign-event-id': 'The id of the event, the same in every attempt.',
};

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
	name,
	in: 'header',
	required: true,
	description,
	schema: { type: 'string' },
}));

function operationId(event: EventType): string {
	const words = event.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
	return `on${words.join('')}`;
}

function delivery(event: EventType, payload: string) {
	const schema = { $ref: `#/components/schemas/${payload}` };
	return {
		post: {
			operationId: operationId(event),
			summary: MEANINGS[event],
			description: `${MEANINGS[event]}. Delivered to the endpoints that ask for \`${event}\`.`,
			tags: ['Webhooks'],
			// Deliveries carry no key: their signature says who sent them.
			security: [],
			parameters,
			requestBody: { required: true, content: { 'application/json': { schema } } },
			responses: {
				'2XX': { description: 'The event is delivered.' },
				'4XX': {
					description:
						'Any other status, or none within 10 seconds: it is tried again, up to 3 times in all.',
				},
			},
		},
	};
}

/** What is delivered to webhook endpoints, by event (docs/service.md section 6). */
export function describeEvents(named: NamedSchemas): Record<string, object> {
	for (const schema of [eventPayloadSchema, documentEventSchema, recipientEventSchema])
		named.refer(schema);
	return {
		...Object.fromEntries(
			DOCUMENT_EVENTS.map((event) => [event, delivery(event, 'DocumentEvent')]),
		),
		...Object.fromEntries(
			RECIPIENT_EVENTS.map((event) => [event, delivery(event, 'RecipientEvent')]),
		),
	};
}
