/** What GET /account answers with (docs/service.md section 2). */
import { Type, type Static } from '@sinclair/typebox';
import { modeSchema } from './enums';
import { closed, id, orNull, timestamp } from './formats';

export const accountSchema = Type.Object(
	{
		organization: Type.Object({ id: id('org'), name: Type.String() }, closed),
		plan: Type.Object({ code: Type.String(), trialing: Type.Boolean() }, closed),
		mode: modeSchema,
		usage: Type.Object(
			{
				documents_used: Type.Integer({ minimum: 0 }),
				documents_included: orNull(Type.Integer(), { description: 'null: unlimited.' }),
				documents_billable: Type.Integer({ minimum: 0 }),
				overage_amount_cents: Type.Integer({ minimum: 0 }),
				period_start: orNull(timestamp),
				period_end: orNull(timestamp),
			},
			{ title: 'Usage', ...closed },
		),
	},
	{ title: 'Account', ...closed },
);
export type AccountWire = Static<typeof accountSchema>;
