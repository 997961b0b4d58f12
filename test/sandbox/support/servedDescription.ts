import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** As much of an OpenAPI document as these tests read. */
export interface Schema {
	$ref?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	anyOf?: Schema[];
	oneOf?: Schema[];
	allOf?: Schema[];
	enum?: unknown[];
	pattern?: string;
	type?: string;
	format?: string;
	required?: string[];
	additionalProperties?: Schema | boolean;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	exclusiveMinimum?: number;
	minItems?: number;
	maxItems?: number;
}
type Content = Record<string, { schema: Schema }>;
interface OperationObject {
	operationId: string;
	parameters?: Array<{ in: string; name: string; schema: Schema }>;
	requestBody?: { required: boolean; content: Content };
	responses: Record<string, { headers?: Record<string, unknown>; content?: Content }>;
}
export interface OpenapiDocument {
	openapi: string;
	info: { version: string };
	servers: Array<{ url: string }>;
	paths: Record<string, Record<string, OperationObject>>;
	webhooks: Record<string, { post: OperationObject }>;
	components: { schemas: Record<string, Schema> };
}

/** One endpoint, as the description that is served states it. */
export interface Operation {
	name: string;
	method: string;
	path: string;
	/** Statuses without ranges such as 5XX. */
	statuses: number[];
	parameters: Array<{ in: string; name: string; schema: Schema }>;
	body: Schema | undefined;
	answer(status: number): Schema | undefined;
	headers(status: number): string[];
	/** Why an answer is not as described; undefined when it is. */
	faultOf(status: number, answer: unknown): string | undefined;
}

const DOCUMENT = 'openapi';

function pointer(...segments: string[]): string {
	return segments
		.map((segment) => `/${encodeURIComponent(segment.replace(/~/g, '~0').replace(/\//g, '~1'))}`)
		.join('');
}

/**
 * The description that the sandbox serves, read as a client reads it: the tests hold every answer
 * against it.
 */
export class Description {
	readonly operations: Operation[];
	private readonly ajv = addFormats(new Ajv({ strict: false, validateFormats: true }));
	private readonly compiled = new Map<string, ValidateFunction>();

	constructor(readonly document: OpenapiDocument) {
		this.ajv.addSchema(document, DOCUMENT);
		this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
			Object.entries(item).map(([method, operation]) => this.operation(method, path, operation)),
		);
	}

	/** The operation that a call meets. */
	find(method: string, url: string): Operation | undefined {
		const path = url.split('?')[0] ?? '';
		// A path that cannot be decoded is nobody's.
		if (/%(?![0-9a-f]{2})/i.test(path)) return undefined;
		return this.operations.find((one) => {
			const pattern = new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`);
			return one.method === method.toUpperCase() && pattern.test(path);
		});
	}

	/** The names of all schemas that a schema is made of. */
	partsOf(schema: Schema): string[] {
		const { anyOf = [], oneOf = [], items, properties = {} } = schema;
		const name = nameOf(schema);
		if (name) return [name, ...this.partsOf(this.resolve(schema))];
		const inner = [...anyOf, ...oneOf, ...(items ? [items] : []), ...Object.values(properties)];
		return inner.flatMap((part) => this.partsOf(part));
	}

	/** What a reference stands for. */
	resolve(schema: Schema): Schema {
		const name = nameOf(schema);
		return name ? this.resolve(this.schemaOf(name)) : schema;
	}

	schemaOf(name: string): Schema {
		const schema = this.document.components.schemas[name];
		if (!schema) throw new Error(`${name} is not described`);
		return schema;
	}

	/** The places of all objects in a schema, itself included, such as `recipients.0`. */
	placesOf(schema: Schema, at: string[] = []): string[] {
		const { properties, items } = this.resolve(schema);
		if (items) return this.placesOf(items, [...at, '0']);
		if (!properties) return [];
		const inner = Object.entries(properties).flatMap(([name, property]) =>
			this.placesOf(property, [...at, name]),
		);
		return [at.join('.'), ...inner];
	}

	private operation(method: string, path: string, operation: OperationObject): Operation {
		const place = ['paths', path, method];
		const json = (content?: Content) => content?.['application/json']?.schema;
		return {
			name: `${method.toUpperCase()} ${path}`,
			method: method.toUpperCase(),
			path,
			statuses: Object.keys(operation.responses)
				.map(Number)
				.filter((status) => !Number.isNaN(status)),
			parameters: operation.parameters ?? [],
			body: json(operation.requestBody?.content),
			answer: (status) => json(operation.responses[String(status)]?.content),
			headers: (status) => Object.keys(operation.responses[String(status)]?.headers ?? {}),
			faultOf: (status, answer) => {
				const key = operation.responses[String(status)]
					? String(status)
					: `${Math.floor(status / 100)}XX`;
				if (!operation.responses[key]) return `the status ${status} is not described`;
				return this.fault(
					[...place, 'responses', key, 'content', 'application/json', 'schema'],
					answer,
				);
			},
		};
	}

	private fault(place: string[], answer: unknown): string | undefined {
		const reference = `${DOCUMENT}#${pointer(...place)}`;
		const validate = this.compiled.get(reference) ?? this.ajv.compile({ $ref: reference });
		this.compiled.set(reference, validate);
		return validate(answer) ? undefined : this.ajv.errorsText(validate.errors);
	}
}

/** The name of the schema that this one refers to. */
export function nameOf({ $ref }: Schema): string | undefined {
	return $ref?.split('/').at(-1);
}

/**
 * The codes that an operation may refuse with, by status; the four that carry a detail without it.
 */
export function codesOf(operation: Operation): Array<[status: number, code: string]> {
	return operation.statuses
		.filter((status) => status >= 400)
		.flatMap((status) => {
			const refusal = (operation.answer(status)?.allOf ?? []).find(({ properties }) => properties);
			const code = refusal?.properties?.error?.properties?.code ?? {};
			return (code.anyOf ?? [code]).flatMap((choice) => [
				...(choice.enum ?? []).map((one): [number, string] => [status, String(one)]),
				...(choice.pattern
					? [[status, choice.pattern.replace(/^\^|:$/g, '')] as [number, string]]
					: []),
			]);
		});
}
