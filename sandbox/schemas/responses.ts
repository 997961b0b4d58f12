/** Response shapes of docs/service.md sections 2 and 4, for the interface description and for the types of wire.ts. */
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import {
	DOCUMENT_STATUSES,
	EVENT_TYPES,
	FIELD_TYPES,
	FILL_MODES,
	MODES,
	PUBLIC_RECIPIENT_STATUS,
	ROLE_TYPES,
	type RawRecipientStatus,
	type RecipientStatus,
} from '../state/vocabulary';
import { closed, id, oneOf, orNull, timestamp } from './formats';

const rawStatuses = Object.keys(PUBLIC_RECIPIENT_STATUS) as RawRecipientStatus[];
const publicStatuses = Object.values(PUBLIC_RECIPIENT_STATUS) as RecipientStatus[];

const person = { id: id('rcp'), name: Type.String(), email: Type.String(), role: orNull(Type.String()) };

export const recipientSchema = Type.Object({ ...person, status: oneOf(publicStatuses) }, closed);
const rawRecipientSchema = Type.Object({ ...person, status: oneOf(rawStatuses) }, closed);
export type RecipientWire = Static<typeof recipientSchema>;
export type RawRecipientWire = Static<typeof rawRecipientSchema>;

const documentProperties = {
	id: id('doc'),
	status: oneOf(DOCUMENT_STATUSES),
	title: Type.String(),
	mode: oneOf(MODES),
	recipients: Type.Array(recipientSchema),
	created_at: timestamp,
};
export const documentSchema = Type.Object(documentProperties, closed);
export type DocumentWire = Static<typeof documentSchema>;

export const embedLinkSchema = Type.Object({ url: Type.String({ format: 'uri' }), expires_at: timestamp }, closed);
export type EmbedLinkWire = Static<typeof embedLinkSchema>;

export const sentTemplateSchema = Type.Object(
	{
		...documentProperties,
		embed_links: Type.Optional(
			Type.Array(Type.Object({ recipient_id: id('rcp'), ...embedLinkSchema.properties }, closed)),
		),
	},
	closed,
);
export type SentTemplateWire = Static<typeof sentTemplateSchema>;

const templateProperties = {
	id: id('tpl'),
	name: Type.String(),
	description: orNull(Type.String()),
	status: Type.Literal('PUBLISHED'),
	created_at: timestamp,
};
const role = { role: Type.String(), type: oneOf(ROLE_TYPES) };
export const templateSchema = Type.Object(
	{ ...templateProperties, roles: Type.Array(Type.Object(role, closed)) },
	closed,
);
export type TemplateWire = Static<typeof templateSchema>;

export const templateDetailSchema = Type.Object(
	{
		...templateProperties,
		roles: Type.Array(Type.Object({ id: id('ph'), ...role, order: Type.Integer({ minimum: 0 }) }, closed)),
		fields: Type.Array(
			Type.Object(
				{
					field_key: orNull(Type.String()),
					type: oneOf(FIELD_TYPES),
					role: orNull(Type.String()),
					required: Type.Boolean(),
					page: Type.Integer({ minimum: 1 }),
				},
				closed,
			),
		),
	},
	closed,
);
export type TemplateDetailWire = Static<typeof templateDetailSchema>;

export const fileSchema = Type.Object(
	{
		id: id('file'),
		name: Type.String(),
		mime_type: Type.String(),
		size_bytes: Type.Integer({ minimum: 1 }),
		created_at: timestamp,
	},
	closed,
);
export type FileWire = Static<typeof fileSchema>;

const text = orNull(Type.String());
export const linkSchema = Type.Object(
	{
		id: id('lnk'),
		slug: Type.String(),
		url: Type.String({ format: 'uri' }),
		template_id: id('tpl'),
		label: text,
		headline: text,
		message: text,
		redirect_url: text,
		expires_at: orNull(timestamp),
		max_uses: orNull(Type.Integer()),
		use_count: Type.Integer({ minimum: 0 }),
		enabled: Type.Boolean(),
		signers: Type.Array(
			Type.Object(
				{ placeholder_id: id('ph'), role: Type.String(), is_open: Type.Boolean(), name: text, email: text },
				closed,
			),
		),
		created_at: timestamp,
	},
	closed,
);
export type LinkWire = Static<typeof linkSchema>;

const endpointProperties = {
	id: id('whk'),
	url: Type.String({ format: 'uri' }),
	mode: oneOf(MODES),
	events: Type.Array(oneOf(EVENT_TYPES)),
	status: oneOf(['ACTIVE', 'DISABLED']),
	created_at: timestamp,
};
export const endpointSchema = Type.Object(endpointProperties, closed);
export type EndpointWire = Static<typeof endpointSchema>;
export const createdEndpointSchema = Type.Object({ ...endpointProperties, signing_secret: Type.String() }, closed);
export type CreatedEndpointWire = Static<typeof createdEndpointSchema>;

/** The body that is delivered to webhook endpoints (docs/service.md section 6). */
export const eventPayloadSchema = Type.Object(
	{
		id: id('evt'),
		event: oneOf(EVENT_TYPES),
		mode: oneOf(MODES),
		occurred_at: timestamp,
		document: Type.Object(
			{
				id: id('doc'),
				status: oneOf(DOCUMENT_STATUSES),
				title: Type.String(),
				signed_pdf: Type.Null(),
				certificate: Type.Null(),
			},
			closed,
		),
		recipient: Type.Optional(
			Type.Object({ id: id('rcp'), name: Type.String(), email: Type.String(), status: oneOf(publicStatuses) }, closed),
		),
	},
	closed,
);
export type EventPayload = Static<typeof eventPayloadSchema>;

export const deliverySchema = Type.Object(
	{
		id: id('dlv'),
		event: oneOf(EVENT_TYPES),
		event_id: id('evt'),
		document_id: orNull(id('doc')),
		attempt: Type.Integer({ minimum: 1, maximum: 3 }),
		response_status: orNull(Type.Integer()),
		response_body: orNull(Type.String({ maxLength: 2000 })),
		error: text,
		succeeded: Type.Boolean(),
		payload: eventPayloadSchema,
		created_at: timestamp,
	},
	closed,
);
export type DeliveryWire = Static<typeof deliverySchema>;

export const replaySchema = Type.Object({ replayed: Type.Boolean(), event_id: id('evt') }, closed);

export const accountSchema = Type.Object(
	{
		organization: Type.Object({ id: id('org'), name: Type.String() }, closed),
		plan: Type.Object({ code: Type.String(), trialing: Type.Boolean() }, closed),
		mode: oneOf(MODES),
		usage: Type.Object(
			{
				documents_used: Type.Integer({ minimum: 0 }),
				documents_included: orNull(Type.Integer()),
				documents_billable: Type.Integer({ minimum: 0 }),
				overage_amount_cents: Type.Integer({ minimum: 0 }),
				period_start: orNull(timestamp),
				period_end: orNull(timestamp),
			},
			closed,
		),
	},
	closed,
);
export type AccountWire = Static<typeof accountSchema>;

export const replacedFieldsSchema = Type.Object(
	{
		fields: Type.Array(
			Type.Object(
				{
					id: id('fld'),
					type: oneOf(FIELD_TYPES),
					page: Type.Integer({ minimum: 1 }),
					recipient_id: orNull(id('rcp')),
					field_key: text,
					fill_mode: oneOf(FILL_MODES),
				},
				closed,
			),
		),
	},
	closed,
);
export type ReplacedFieldsWire = Static<typeof replacedFieldsSchema>;

export const replacedRecipientsSchema = Type.Object({ recipients: Type.Array(rawRecipientSchema) }, closed);
export const remindedSchema = Type.Object({ reminded: Type.Integer({ minimum: 1 }) }, closed);
export const downloadSchema = Type.Object(
	{ url: Type.String({ format: 'uri' }), expires_in: Type.Integer({ minimum: 1, maximum: 600 }) },
	closed,
);
export const deletedSchema = Type.Object({ id: Type.String(), deleted: Type.Boolean() }, closed);

export function pageOf<T extends TSchema>(item: T) {
	return Type.Object({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: text }, closed);
}

export function listOf<T extends TSchema>(item: T) {
	return Type.Object({ data: Type.Array(item) }, closed);
}

export const errorSchema = Type.Object({
	error: Type.Object({
		code: Type.String(),
		message: Type.String(),
		details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, closed))),
		requiredPlan: Type.Optional(Type.String()),
		known_roles: Type.Optional(Type.Array(Type.String())),
		missing_roles: Type.Optional(Type.Array(Type.String())),
		file_ids: Type.Optional(Type.Array(Type.String())),
		cap: Type.Optional(Type.Integer()),
	}),
});
