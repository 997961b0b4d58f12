/** What answers about documents and their parts hold (docs/service.md sections 2 and 4). */
import { Type, type Static } from '@sinclair/typebox';
import {
	documentStatusSchema,
	fieldTypeSchema,
	fillModeSchema,
	modeSchema,
	rawRecipientStatusSchema,
	recipientStatusSchema,
} from './enums';
import { closed, id, orNull, timestamp } from './formats';

const person = {
	id: id('rcp'),
	name: Type.String(),
	email: Type.String(),
	role: orNull(Type.String(), { description: 'Only on documents made from a template.' }),
};

export const recipientSchema = Type.Object(
	{ ...person, status: recipientStatusSchema },
	{ title: 'Recipient', ...closed },
);
const rawRecipientSchema = Type.Object(
	{ ...person, status: rawRecipientStatusSchema },
	{ title: 'RawRecipient', ...closed },
);
export type RecipientWire = Static<typeof recipientSchema>;
export type RawRecipientWire = Static<typeof rawRecipientSchema>;

export const documentProperties = {
	id: id('doc'),
	status: documentStatusSchema,
	title: Type.String(),
	mode: modeSchema,
	recipients: Type.Array(recipientSchema),
	created_at: timestamp,
};
export const DOCUMENT_EXAMPLE = {
	id: 'doc_5tR8vXq2',
	status: 'in_progress',
	title: 'Consulting agreement',
	mode: 'TEST',
	recipients: [
		{ id: 'rcp_1aB2cD3e', name: 'Ann Arden', email: 'ann@example.com', role: null, status: 'sent' },
	],
	created_at: '2026-11-21T09:30:00.000Z',
};
export const documentSchema = Type.Object(documentProperties, {
	title: 'Document',
	examples: [DOCUMENT_EXAMPLE],
	...closed,
});
export type DocumentWire = Static<typeof documentSchema>;

export const replacedRecipientsSchema = Type.Object(
	{ recipients: Type.Array(rawRecipientSchema) },
	{ title: 'ReplacedRecipients', ...closed },
);

export const replacedFieldsSchema = Type.Object(
	{
		fields: Type.Array(
			Type.Object(
				{
					id: id('fld'),
					type: fieldTypeSchema,
					page: Type.Integer({ minimum: 1 }),
					recipient_id: orNull(id('rcp')),
					field_key: orNull(Type.String()),
					fill_mode: fillModeSchema,
				},
				{ title: 'ReplacedField', ...closed },
			),
		),
	},
	{ title: 'ReplacedFields', ...closed },
);
export type ReplacedFieldsWire = Static<typeof replacedFieldsSchema>;

export const remindedSchema = Type.Object(
	{ reminded: Type.Integer({ minimum: 1, description: 'How many people were reminded.' }) },
	{ title: 'Reminded', ...closed },
);

export const downloadSchema = Type.Object(
	{
		url: Type.String({ format: 'uri', description: 'Needs no key.' }),
		expires_in: Type.Integer({
			minimum: 1,
			maximum: 600,
			description: 'Seconds for which the address works.',
		}),
	},
	{ title: 'DownloadUrl', ...closed },
);

export const embedLinkSchema = Type.Object(
	{ url: Type.String({ format: 'uri' }), expires_at: timestamp },
	{ title: 'EmbedLink', ...closed },
);
export type EmbedLinkWire = Static<typeof embedLinkSchema>;

export const fileSchema = Type.Object(
	{
		id: id('file'),
		name: Type.String(),
		mime_type: Type.String({ description: 'Detected from the bytes, whatever was declared.' }),
		size_bytes: Type.Integer({ minimum: 1 }),
		created_at: timestamp,
	},
	{
		title: 'File',
		examples: [
			{
				id: 'file_8fQ2mZc1',
				name: 'contract.pdf',
				mime_type: 'application/pdf',
				size_bytes: 48213,
				created_at: '2026-11-21T09:29:00.000Z',
			},
		],
		...closed,
	},
);
export type FileWire = Static<typeof fileSchema>;
