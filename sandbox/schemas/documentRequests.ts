/**
 * What requests about documents hold (docs/service.md sections 2 and 4). What validates them also
 * describes them.
 */
import { Type, type Static } from '@sinclair/typebox';
import { FONT_FAMILIES, RADIO_LAYOUTS, RECIPIENT_TYPES, ROUTINGS } from '../state/vocabulary';
import { fieldTypeSchema, fillModeSchema } from './enums';
import { closed, email, embedLifetime, httpsUri, oneOf, orNull } from './formats';

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const recipientInput = Type.Object(
	{
		name: Type.String({ minLength: 1, maxLength: 160 }),
		email,
		type: Type.Optional(
			oneOf(RECIPIENT_TYPES, {
				default: 'signer',
				description:
					'A cc receives the finished document without signing, and cannot be given fields.',
			}),
		),
		phone: Type.Optional(Type.String({ maxLength: 32 })),
		pin: Type.Optional(
			Type.String({
				maxLength: 20,
				description: 'What the person must enter to open the document.',
			}),
		),
	},
	{
		title: 'RecipientInput',
		examples: [{ name: 'Ann Arden', email: 'ann@example.com', type: 'signer' }],
		...closed,
	},
);

const fieldInput = Type.Object(
	{
		id: Type.Optional(Type.String()),
		recipientId: Type.Optional(orNull(Type.String(), { description: 'Who fills the field.' })),
		pageNumber: Type.Integer({ minimum: 1, description: 'The first page is 1.' }),
		xNorm: fraction('Left edge, as a part of the width of the page.'),
		yNorm: fraction('Top edge, as a part of the height of the page.'),
		widthNorm: fraction('Width, as a part of the width of the page.'),
		heightNorm: fraction('Height, as a part of the height of the page.'),
		type: fieldTypeSchema,
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
		fontColor: Type.Optional(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1A2B3C'] })),
		fieldKey: Type.Optional(
			Type.String({
				pattern: '^[a-z][a-z0-9_]{0,62}$',
				description: 'A name by which to prefill the field, or to read it back.',
			}),
		),
		customFieldId: Type.Optional(Type.String()),
		fillMode: Type.Optional(fillModeSchema),
	},
	{
		title: 'FieldInput',
		description: 'The place of a field is measured from the top left corner of its page.',
		examples: [
			{
				type: 'SIGNATURE',
				pageNumber: 1,
				xNorm: 0.1,
				yNorm: 0.8,
				widthNorm: 0.3,
				heightNorm: 0.05,
				recipientId: null,
			},
		],
		...closed,
	},
);
export type FieldInput = Static<typeof fieldInput>;

/**
 * The ceiling of 10 is not in the schema: going over it has a code of its own,
 * max_recipients_exceeded.
 */
const recipients = Type.Array(recipientInput, {
	minItems: 1,
	description: 'At most 10, signers and cc together.',
});
const fields = Type.Array(fieldInput, { maxItems: 500 });

export const createDocumentBody = Type.Object(
	{
		files: Type.Array(Type.String(), {
			minItems: 1,
			maxItems: 10,
			description: 'Ids of uploaded files, which are merged in this order.',
		}),
		recipients,
		title: Type.Optional(
			Type.String({ minLength: 1, maxLength: 160, default: 'Untitled document' }),
		),
		routing: Type.Optional(
			oneOf(ROUTINGS, {
				default: 'parallel',
				description: 'parallel: everyone is asked at once. sequential: in the order of the list.',
			}),
		),
		fields: Type.Optional(fields),
		send: Type.Optional(
			Type.Boolean({ default: false, description: 'Whether the document goes out at once.' }),
		),
	},
	{
		title: 'CreateDocument',
		examples: [
			{
				files: ['file_8fQ2mZc1'],
				title: 'Consulting agreement',
				recipients: [{ name: 'Ann Arden', email: 'ann@example.com' }],
			},
		],
		...closed,
	},
);
export type CreateDocumentBody = Static<typeof createDocumentBody>;

export const replaceRecipientsBody = Type.Object(
	{ recipients },
	{ title: 'ReplaceRecipients', ...closed },
);

export const replaceFieldsBody = Type.Object({ fields }, { title: 'ReplaceFields', ...closed });

export const remindBody = Type.Object(
	{
		recipient_id: Type.Optional(
			Type.String({ description: 'Whom to remind; everyone outstanding if it is left out.' }),
		),
	},
	{ title: 'Remind', ...closed },
);

export const embedOptions = Type.Object(
	{
		expires_in: Type.Optional(embedLifetime),
		redirect_url: Type.Optional(httpsUri(2000, 'Where the person is sent after signing.')),
	},
	{ title: 'EmbedOptions', ...closed },
);
export type EmbedOptions = Static<typeof embedOptions>;

/**
 * For calls without a body: an empty object is taken too, and anything in it is an unknown
 * property.
 */
export const noBody = Type.Object({}, closed);
