/** Queries of the lists, and what they answer with (docs/service.md section 4). */
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { documentStatusSchema } from './enums';
import { closed, orNull } from './formats';

/** How many objects a list answers with when it is not told (docs/service.md section 8). */
export const PAGE_SIZE = 20;
const limit = Type.Integer({
	minimum: 1,
	maximum: 100,
	default: PAGE_SIZE,
	description: 'How many objects to answer with at most.',
});

export const pageQuery = Type.Object(
	{
		limit: Type.Optional(limit),
		cursor: Type.Optional(Type.String({ description: 'The `next_cursor` of the page before.' })),
	},
	closed,
);
export type PageQuery = Static<typeof pageQuery>;

export const documentsQuery = Type.Object(
	{ ...pageQuery.properties, status: Type.Optional(documentStatusSchema) },
	closed,
);

export const deliveriesQuery = Type.Object({ limit: Type.Optional(limit) }, closed);

export function pageOf<T extends TSchema>(item: T, title: string) {
	return Type.Object(
		{
			data: Type.Array(item),
			has_more: Type.Boolean(),
			next_cursor: orNull(Type.String(), {
				description: 'Reads the next page; null on the last one.',
			}),
		},
		{ title, ...closed },
	);
}

export function listOf<T extends TSchema>(item: T, title: string) {
	return Type.Object({ data: Type.Array(item) }, { title, ...closed });
}
