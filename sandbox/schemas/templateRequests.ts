/** What requests about templates and public links hold (docs/service.md sections 2 and 4). */
import { Type, type Static } from '@sinclair/typebox';
import { embedOptions } from './documentRequests';
import { closed, email, httpsUri, moment } from './formats';

const templateRecipient = Type.Object(
	{
		role: Type.String({
			minLength: 1,
			maxLength: 80,
			description: 'A role of the template; case is ignored.',
		}),
		name: Type.String({ minLength: 1, maxLength: 120 }),
		email,
		phone: Type.Optional(Type.String({ maxLength: 32 })),
	},
	{ title: 'TemplateRecipientInput', ...closed },
);

/**
 * Whoever starts a public link becomes a recipient of its template, and is held to the same limits.
 */
export const visitorInput = Type.Pick(templateRecipient, ['name', 'email'], closed);
export type VisitorInput = Static<typeof visitorInput>;

export const templateSendBody = Type.Object(
	{
		recipients: Type.Array(templateRecipient, { minItems: 1, maxItems: 10 }),
		title: Type.Optional(
			Type.String({
				minLength: 1,
				maxLength: 160,
				description: 'The name of the template if it is left out.',
			}),
		),
		field_values: Type.Optional(
			Type.Record(Type.String(), Type.String({ maxLength: 2000 }), {
				description:
					'Values by field key. A value makes its field fixed; an empty one leaves it to the signer. Unknown keys are ' +
					'ignored.',
			}),
		),
		send: Type.Optional(
			Type.Boolean({ default: true, description: 'Whether the document goes out at once.' }),
		),
		embed: Type.Optional(embedOptions),
	},
	{
		title: 'SendTemplate',
		examples: [
			{
				recipients: [
					{ role: 'Client', name: 'Ann Arden', email: 'ann@example.com' },
					{ role: 'Company', name: 'Bo Chen', email: 'bo@example.com' },
				],
				field_values: { client_company: 'Arden Ltd', term_months: '12' },
			},
		],
		...closed,
	},
);
export type TemplateSendBody = Static<typeof templateSendBody>;

export const createLinkBody = Type.Object(
	{
		signers: Type.Array(
			Type.Object(
				{
					placeholder_id: Type.String({ description: 'The id of a signer role of the template.' }),
					is_open: Type.Boolean({
						description: 'Whether the visitor takes this role; true for exactly one signer.',
					}),
					name: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
					email: Type.Optional(email),
				},
				{
					title: 'LinkSignerInput',
					description: 'A signer who is not open needs a name and an e-mail address.',
					...closed,
				},
			),
			{ minItems: 1, description: 'One for each signer role of the template.' },
		),
		label: Type.Optional(Type.String({ maxLength: 120 })),
		headline: Type.Optional(Type.String({ maxLength: 160 })),
		message: Type.Optional(Type.String({ maxLength: 600 })),
		redirect_url: Type.Optional(httpsUri(500, 'Where the visitor is sent after signing.')),
		expires_at: Type.Optional(moment),
		max_uses: Type.Optional(
			Type.Integer({
				exclusiveMinimum: 0,
				maximum: 100_000,
				description: 'The link stops after this many completed starts.',
			}),
		),
	},
	{ title: 'CreateTemplateLink', ...closed },
);
export type CreateLinkBody = Static<typeof createLinkBody>;
