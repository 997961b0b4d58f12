/**
 * Webhook endpoints, what is delivered to them, and the log of it (docs/service.md sections 2, 4
 * and 6).
 */
import { Type, type Static } from '@sinclair/typebox';
import { DOCUMENT_EVENTS, RECIPIENT_EVENTS } from '../state/vocabulary';
import { documentStatusSchema, eventTypeSchema, modeSchema, recipientStatusSchema } from './enums';
import { closed, id, oneOf, orNull, timestamp } from './formats';

export const createWebhookBody = Type.Object(
	{
		/** https; the sandbox also takes http for loopback hosts (docs/service.md section 10, 8). */
		url: Type.String({
			format: 'uri',
			maxLength: 2000,
			pattern: '^(https://[^/?#]|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])([:/?#]|$))',
			description: 'Where events are delivered. https; http is accepted for loopback hosts only.',
			examples: ['https://example.com/hooks/esign'],
		}),
		events: Type.Array(eventTypeSchema, { minItems: 1 }),
	},
	{ title: 'CreateWebhookEndpoint', ...closed },
);
export type CreateWebhookBody = Static<typeof createWebhookBody>;

const endpointProperties = {
	id: id('whk'),
	url: Type.String({ format: 'uri' }),
	mode: modeSchema,
	events: Type.Array(eventTypeSchema),
	status: oneOf(['ACTIVE', 'DISABLED'], {
		description: 'DISABLED after 20 failed deliveries in a row.',
	}),
	created_at: timestamp,
};
export const endpointSchema = Type.Object(endpointProperties, {
	title: 'WebhookEndpoint',
	...closed,
});
export type EndpointWire = Static<typeof endpointSchema>;
export const createdEndpointSchema = Type.Object(
	{
		...endpointProperties,
		signing_secret: Type.String({
			description: 'Signs every delivery. Only this answer ever carries it.',
		}),
	},
	{ title: 'CreatedWebhookEndpoint', ...closed },
);
export type CreatedEndpointWire = Static<typeof createdEndpointSchema>;

const eventProperties = {
	id: id('evt'),
	mode: modeSchema,
	occurred_at: timestamp,
	document: Type.Object(
		{
			id: id('doc'),
			status: documentStatusSchema,
			title: Type.String(),
			signed_pdf: Type.Null(),
			certificate: Type.Null(),
		},
		{ title: 'EventDocument', ...closed },
	),
};

export const documentEventSchema = Type.Object(
	{ ...eventProperties, event: oneOf(DOCUMENT_EVENTS) },
	{ title: 'DocumentEvent', description: 'An event about a document as a whole.', ...closed },
);

export const recipientEventSchema = Type.Object(
	{
		...eventProperties,
		event: oneOf(RECIPIENT_EVENTS),
		recipient: Type.Object(
			{ id: id('rcp'), name: Type.String(), email: Type.String(), status: recipientStatusSchema },
			{ title: 'EventRecipient', ...closed },
		),
	},
	{
		title: 'RecipientEvent',
		description: 'An event about one recipient of a document.',
		...closed,
	},
);

/**
 * The body that is delivered to webhook endpoints: `recipient` is there for the events that are
 * about one.
 */
export const eventPayloadSchema = Type.Unsafe<
	Static<typeof documentEventSchema> | Static<typeof recipientEventSchema>
>({
	title: 'EventPayload',
	description:
		'What is delivered to webhook endpoints. `event` decides whether there is a `recipient`.',
	oneOf: [documentEventSchema, recipientEventSchema],
});
export type EventPayload = Static<typeof eventPayloadSchema>;
export type DocumentEventPayload = Static<typeof documentEventSchema>;

export const deliverySchema = Type.Object(
	{
		id: id('dlv'),
		event: eventTypeSchema,
		event_id: id('evt'),
		document_id: orNull(id('doc')),
		attempt: Type.Integer({ minimum: 1, maximum: 3 }),
		response_status: orNull(Type.Integer()),
		response_body: orNull(Type.String({ maxLength: 2000 })),
		error: orNull(Type.String()),
		succeeded: Type.Boolean(),
		payload: eventPayloadSchema,
		created_at: timestamp,
	},
	{ title: 'WebhookDelivery', description: 'One attempt to deliver one event.', ...closed },
);
export type DeliveryWire = Static<typeof deliverySchema>;

export const replaySchema = Type.Object(
	{ replayed: Type.Boolean(), event_id: id('evt') },
	{ title: 'ReplayedDelivery', ...closed },
);
