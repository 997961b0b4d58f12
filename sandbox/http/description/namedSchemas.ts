import type { TSchema } from '@sinclair/typebox';

/** Keywords whose values are data rather than schemas. */
const DATA: ReadonlySet<string> = new Set(['examples', 'default', 'enum', 'const', 'required']);

/**
 * The schemas that have a title, by it. They are written once, and whatever contains them refers to
 * them.
 */
export class NamedSchemas {
	private readonly byName = new Map<string, object>();

	/**
	 * Takes out every schema that has a title, this one included, and leaves a reference in its
	 * place.
	 */
	refer(schema: TSchema): object {
		return this.replaced(schema) as object;
	}

	/** All of them, as the framework keeps shared schemas. */
	all(): object[] {
		return [...this.byName].map(([name, schema]) => ({ $id: name, ...schema }));
	}

	private replaced(node: unknown): unknown {
		if (Array.isArray(node)) return node.map((one) => this.replaced(one));
		if (typeof node !== 'object' || node === null) return node;
		const copy = Object.fromEntries(
			Object.entries(node).map(([key, value]) => [
				key,
				DATA.has(key) ? (value as unknown) : this.replaced(value),
			]),
		);
		if (typeof copy.title !== 'string') return copy;
		this.byName.set(copy.title, copy);
		return { $ref: `${copy.title}#` };
	}
}
