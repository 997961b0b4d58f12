/** A JSON Schema as n8n keeps it for the output of an operation. */
export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	version?: number;
}

/**
 * The schema that describes all of these values: the fields of every object, whichever of the
 * values have them. They keep the order of the output, in which the editor lists them.
 */
export function schemaOf(values: readonly unknown[]): OutputSchema {
	const [first] = values.filter((value) => value !== null && value !== undefined);
	if (first === undefined) return { type: 'null' };
	if (Array.isArray(first)) {
		return {
			type: 'array',
			items: schemaOf(values.filter((value) => Array.isArray(value)).flat()),
		};
	}
	if (typeof first !== 'object') return { type: typeof first };
	const objects = values.filter(
		(value): value is Record<string, unknown> => typeof value === 'object' && value !== null,
	);
	const names = [...new Set(objects.flatMap((value) => Object.keys(value)))];
	const properties = names.map(
		(name) => [name, schemaOf(objects.map((value) => value[name]))] as const,
	);
	return { type: 'object', properties: Object.fromEntries(properties) };
}
