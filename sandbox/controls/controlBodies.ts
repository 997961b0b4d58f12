/** Bodies of the controls of sandbox/README.md; unknown keys are refused. */
import { Type, type Static } from '@sinclair/typebox';
import { closed, email, moment, oneOf, orNull } from '../schemas/formats';
import {
	FIELD_TYPES,
	MODES,
	PLANS,
	ROLE_TYPES,
	SCOPES,
	TEMPLATE_STATUSES,
} from '../state/vocabulary';

const fraction = Type.Number({ minimum: 0, maximum: 1 });

export const keyBody = Type.Object(
	{
		mode: oneOf(MODES),
		scopes: Type.Optional(Type.Array(oneOf(SCOPES))),
		expires_at: Type.Optional(moment),
	},
	closed,
);
export type KeyBody = Static<typeof keyBody>;

export const workspaceBody = Type.Object(
	{
		plan: Type.Optional(oneOf(PLANS)),
		trialing: Type.Optional(Type.Boolean()),
		suspended: Type.Optional(Type.Boolean()),
		embed_origins: Type.Optional(Type.Array(Type.String())),
		entitlements: Type.Optional(Type.Array(Type.String())),
		ip_allowlist: Type.Optional(Type.Array(Type.String())),
	},
	closed,
);
export type WorkspaceBody = Static<typeof workspaceBody>;

export const templateBody = Type.Object(
	{
		mode: oneOf(MODES),
		name: Type.String({ minLength: 1, maxLength: 160 }),
		description: Type.Optional(orNull(Type.String())),
		status: oneOf(TEMPLATE_STATUSES),
		roles: Type.Array(
			Type.Object(
				{ role: Type.String({ minLength: 1, maxLength: 80 }), type: oneOf(ROLE_TYPES) },
				closed,
			),
		),
		fields: Type.Array(
			Type.Object(
				{
					field_key: orNull(Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })),
					type: oneOf(FIELD_TYPES),
					role: orNull(Type.String()),
					required: Type.Boolean(),
					page: Type.Integer({ minimum: 1, maximum: 100 }),
					xNorm: Type.Optional(fraction),
					yNorm: Type.Optional(fraction),
					widthNorm: Type.Optional(fraction),
					heightNorm: Type.Optional(fraction),
					dropdownOptions: Type.Optional(
						Type.Array(Type.String({ maxLength: 80 }), { maxItems: 40 }),
					),
					customFieldId: Type.Optional(Type.String({ minLength: 1 })),
				},
				closed,
			),
			{ maxItems: 500 },
		),
	},
	closed,
);
export type TemplateBody = Static<typeof templateBody>;

export const personBody = Type.Object(
	{ name: Type.String({ minLength: 1, maxLength: 160 }), email },
	closed,
);
export type PersonBody = Static<typeof personBody>;

export const signBody = Type.Object(
	{ values: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 2000 }))) },
	closed,
);
export type SignBody = Static<typeof signBody>;

export const emptyBody = Type.Object({}, closed);

export const advanceBody = Type.Object(
	{ seconds: Type.Number({ minimum: 0, maximum: 3_153_600_000 }) },
	closed,
);

export const faultSchema = Type.Object(
	{
		method: oneOf(['GET', 'POST', 'PUT', 'DELETE', '*']),
		path: Type.String({ pattern: '^/' }),
		when: oneOf(['before', 'after']),
		kind: oneOf(['status', 'drop', 'delay']),
		status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
		delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
		times: Type.Integer({ minimum: 1 }),
	},
	closed,
);
export type FaultBody = Static<typeof faultSchema>;
