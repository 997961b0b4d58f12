/** The envelope of every refusal (docs/service.md section 7). */
import { Type } from '@sinclair/typebox';
import { closed } from './formats';

export const errorSchema = Type.Object(
	{
		error: Type.Object({
			code: Type.String({
				description:
					'The stable contract. Four codes carry a detail after a colon: signer_missing_signature_field, ' +
					'max_recipients_exceeded, duplicate_email and entitlement_required.',
			}),
			message: Type.String({ description: 'Prose, which may change.' }),
			details: Type.Optional(
				Type.Array(
					Type.Object(
						{ field: Type.String(), message: Type.String() },
						{ title: 'ErrorDetail', ...closed },
					),
					{
						description: 'Every bad field by its path, such as recipients.0.email.',
					},
				),
			),
			requiredPlan: Type.Optional(Type.String()),
			known_roles: Type.Optional(Type.Array(Type.String())),
			missing_roles: Type.Optional(Type.Array(Type.String())),
			file_ids: Type.Optional(Type.Array(Type.String())),
			cap: Type.Optional(Type.Integer()),
		}),
	},
	{
		title: 'Error',
		examples: [
			{
				error: {
					code: 'validation_error',
					message: 'The request is not valid.',
					details: [{ field: 'recipients.0.email', message: 'is required' }],
				},
			},
		],
	},
);
