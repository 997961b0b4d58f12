/** Request bodies and queries of docs/service.md sections 2 and 4; what validates them also describes and types them. */
import { Type, type Static } from '@sinclair/typebox';
import {
	DOCUMENT_STATUSES,
	EVENT_TYPES,
	FIELD_TYPES,
	FILL_MODES,
	FONT_FAMILIES,
	RADIO_LAYOUTS,
	RECIPIENT_TYPES,
	ROUTINGS,
} from '../state/vocabulary';
import { closed, email, embedLifetime, httpsUri, moment, oneOf, orNull } from './formats';

const fraction = Type.Number({ minimum: 0, maximum: 1 });

const recipientInput = Type.Object(
	{
		name: Type.String({ minLength: 1, maxLength: 160 }),
		email,
		type: Type.Optional(oneOf(RECIPIENT_TYPES)),
		phone: Type.Optional(Type.String({ maxLength: 32 })),
		pin: Type.Optional(Type.String({ maxLength: 20 })),
	},
	closed,
);

const fieldInput = Type.Object(
	{
		id: Type.Optional(Type.String()),
		recipientId: Type.Optional(orNull(Type.String())),
		pageNumber: Type.Integer({ minimum: 1 }),
		xNorm: fraction,
		yNorm: fraction,
		widthNorm: fraction,
		heightNorm: fraction,
		type: oneOf(FIELD_TYPES),
		required: Type.Optional(Type.Boolean({ default: true })),
		placeholderText: Type.Optional(Type.String({ maxLength: 120 })),
		helpText: Type.Optional(Type.String({ maxLength: 500 })),
		dropdownOptions: Type.Optional(Type.Array(Type.String({ maxLength: 80 }), { maxItems: 40 })),
		dateFormat: Type.Optional(Type.String({ maxLength: 20 })),
		radioLayout: Type.Optional(oneOf(RADIO_LAYOUTS)),
		value: Type.Optional(Type.String({ maxLength: 2000 })),
		fontFamily: Type.Optional(oneOf(FONT_FAMILIES)),
		fontBold: Type.Optional(Type.Boolean()),
		fontItalic: Type.Optional(Type.Boolean()),
		fontSize: Type.Optional(Type.Integer({ minimum: 6, maximum: 48 })),
		fontColor: Type.Optional(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' })),
		fieldKey: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })),
		customFieldId: Type.Optional(Type.String()),
		fillMode: Type.Optional(oneOf(FILL_MODES)),
	},
	closed,
);
export type FieldInput = Static<typeof fieldInput>;

/** The ceiling of 10 is not in the schema: going over it has a code of its own, max_recipients_exceeded. */
const recipients = Type.Array(recipientInput, { minItems: 1 });
const fields = Type.Array(fieldInput, { maxItems: 500 });

export const createDocumentBody = Type.Object(
	{
		files: Type.Array(Type.String(), { minItems: 1, maxItems: 10 }),
		recipients,
		title: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
		routing: Type.Optional(oneOf(ROUTINGS)),
		fields: Type.Optional(fields),
		send: Type.Optional(Type.Boolean({ default: false })),
	},
	closed,
);
export type CreateDocumentBody = Static<typeof createDocumentBody>;

export const replaceRecipientsBody = Type.Object({ recipients }, closed);

export const replaceFieldsBody = Type.Object({ fields }, closed);

export const remindBody = Type.Object({ recipient_id: Type.Optional(Type.String()) }, closed);

export const embedOptions = Type.Object(
	{ expires_in: Type.Optional(embedLifetime), redirect_url: Type.Optional(httpsUri(2000)) },
	closed,
);
export type EmbedOptions = Static<typeof embedOptions>;

export const noBody = Type.Object({}, closed);

const templateRecipient = Type.Object(
	{
		role: Type.String({ minLength: 1, maxLength: 80 }),
		name: Type.String({ minLength: 1, maxLength: 120 }),
		email,
		phone: Type.Optional(Type.String({ maxLength: 32 })),
	},
	closed,
);

/** Whoever starts a public link becomes a recipient of its template, and is held to the same limits. */
export const visitorInput = Type.Pick(templateRecipient, ['name', 'email'], closed);
export type VisitorInput = Static<typeof visitorInput>;

export const templateSendBody = Type.Object(
	{
		recipients: Type.Array(templateRecipient, { minItems: 1, maxItems: 10 }),
		title: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
		field_values: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 2000 }))),
		send: Type.Optional(Type.Boolean({ default: true })),
		embed: Type.Optional(embedOptions),
	},
	closed,
);
export type TemplateSendBody = Static<typeof templateSendBody>;

export const createLinkBody = Type.Object(
	{
		signers: Type.Array(
			Type.Object(
				{
					placeholder_id: Type.String(),
					is_open: Type.Boolean(),
					name: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
					email: Type.Optional(email),
				},
				closed,
			),
			{ minItems: 1 },
		),
		label: Type.Optional(Type.String({ maxLength: 120 })),
		headline: Type.Optional(Type.String({ maxLength: 160 })),
		message: Type.Optional(Type.String({ maxLength: 600 })),
		redirect_url: Type.Optional(httpsUri(500)),
		expires_at: Type.Optional(moment),
		max_uses: Type.Optional(Type.Integer({ exclusiveMinimum: 0, maximum: 100_000 })),
	},
	closed,
);
export type CreateLinkBody = Static<typeof createLinkBody>;

export const createWebhookBody = Type.Object(
	{
		/** https; the sandbox also takes http for loopback hosts (docs/service.md section 10, 8). */
		url: Type.String({
			format: 'uri',
			maxLength: 2000,
			pattern: '^(https://[^/?#]|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])([:/?#]|$))',
		}),
		events: Type.Array(oneOf(EVENT_TYPES), { minItems: 1 }),
	},
	closed,
);
export type CreateWebhookBody = Static<typeof createWebhookBody>;

/** How many objects a list answers with when it is not told (docs/service.md section 8). */
export const PAGE_SIZE = 20;
const limit = Type.Integer({ minimum: 1, maximum: 100, default: PAGE_SIZE });

export const pageQuery = Type.Object({ limit: Type.Optional(limit), cursor: Type.Optional(Type.String()) }, closed);
export type PageQuery = Static<typeof pageQuery>;

export const documentsQuery = Type.Object(
	{ ...pageQuery.properties, status: Type.Optional(oneOf(DOCUMENT_STATUSES)) },
	closed,
);

export const deliveriesQuery = Type.Object({ limit: Type.Optional(limit) }, closed);
