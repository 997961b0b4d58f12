/** What answers about templates and public links hold (docs/service.md sections 2 and 4). */
import { Type, type Static } from '@sinclair/typebox';
import { documentProperties, embedLinkSchema } from './documentAnswers';
import { fieldTypeSchema, roleTypeSchema } from './enums';
import { closed, id, orNull, timestamp } from './formats';

const text = orNull(Type.String());

const templateProperties = {
	id: id('tpl'),
	name: Type.String(),
	description: text,
	status: Type.Literal('PUBLISHED'),
	created_at: timestamp,
};
const role = { role: Type.String(), type: roleTypeSchema };

export const templateSchema = Type.Object(
	{
		...templateProperties,
		roles: Type.Array(Type.Object(role, { title: 'TemplateRole', ...closed })),
	},
	{ title: 'Template', ...closed },
);
export type TemplateWire = Static<typeof templateSchema>;

export const templateDetailSchema = Type.Object(
	{
		...templateProperties,
		roles: Type.Array(
			Type.Object(
				{ id: id('ph'), ...role, order: Type.Integer({ minimum: 0 }) },
				{ title: 'TemplateRoleDetail', ...closed },
			),
		),
		fields: Type.Array(
			Type.Object(
				{
					field_key: orNull(Type.String(), {
						description: 'A field without a key cannot be prefilled.',
					}),
					type: fieldTypeSchema,
					role: orNull(Type.String()),
					required: Type.Boolean(),
					page: Type.Integer({ minimum: 1 }),
				},
				{ title: 'TemplateField', ...closed },
			),
		),
	},
	{ title: 'TemplateDetail', ...closed },
);
export type TemplateDetailWire = Static<typeof templateDetailSchema>;

export const sentTemplateSchema = Type.Object(
	{
		...documentProperties,
		embed_links: Type.Optional(
			Type.Array(
				Type.Object(
					{ recipient_id: id('rcp'), ...embedLinkSchema.properties },
					{ title: 'RecipientEmbedLink', ...closed },
				),
				{ description: 'One for each signer, when `embed` was asked for.' },
			),
		),
	},
	{ title: 'DocumentFromTemplate', ...closed },
);
export type SentTemplateWire = Static<typeof sentTemplateSchema>;

export const linkSchema = Type.Object(
	{
		id: id('lnk'),
		slug: Type.String({ description: 'The public token in `url`.' }),
		url: Type.String({ format: 'uri' }),
		template_id: id('tpl'),
		label: text,
		headline: text,
		message: text,
		redirect_url: text,
		expires_at: orNull(timestamp),
		max_uses: orNull(Type.Integer()),
		use_count: Type.Integer({ minimum: 0, description: 'Completed starts so far.' }),
		enabled: Type.Boolean(),
		signers: Type.Array(
			Type.Object(
				{
					placeholder_id: id('ph'),
					role: Type.String(),
					is_open: Type.Boolean(),
					name: text,
					email: text,
				},
				{ title: 'LinkSigner', ...closed },
			),
		),
		created_at: timestamp,
	},
	{ title: 'TemplateLink', ...closed },
);
export type LinkWire = Static<typeof linkSchema>;

/** What deleting a template link or a webhook endpoint answers with. */
export const deletedSchema = Type.Object(
	{ id: Type.String(), deleted: Type.Boolean() },
	{ title: 'Deleted', ...closed },
);
