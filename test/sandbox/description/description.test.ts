import { codesOf, nameOf, type Schema } from '../support/servedDescription';
import { ANSWERS, TEXTS } from '../rows/answers';
import { CODES, CODES_OF_THE_SANDBOX, OPERATIONS } from '../rows/operations';
import { QUERIES, REQUESTS } from '../rows/requests';
import { ALL_EVENTS, Workspace } from '../workspace';

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const OBJECTS = { ...ANSWERS, ...REQUESTS, ...TEXTS };

/** A schema in the words of the tables. */
function inWords(schema: Schema): string | object {
	const { anyOf, items, properties, additionalProperties, required = [], pattern, format } = schema;
	const name = nameOf(schema);
	if (name) return name;
	if (anyOf) return anyOf.map(inWords).join(' or ');
	if (items) return `list of ${String(inWords(items))}${limitsOf(schema)}`;
	if (typeof additionalProperties === 'object')
		return `${String(inWords(additionalProperties))} by key`;
	if (properties) {
		return Object.fromEntries(
			Object.entries(properties).map(([key, property]) => [
				required.includes(key) ? key : `${key}?`,
				inWords(property),
			]),
		);
	}
	if (schema.enum) return schema.enum.join(', ');
	const prefix = /^\^(\w+_)\[0-9A-Za-z\]\+\$$/.exec(pattern ?? '')?.[1];
	const form = [format === 'uri' ? 'url' : format, prefix ?? pattern].filter(Boolean).join(' ');
	return (form || (schema.type === 'string' ? 'text' : String(schema.type))) + limitsOf(schema);
}

function limitsOf(schema: Schema): string {
	const least = schema.minLength ?? schema.minimum ?? schema.minItems;
	const most = schema.maxLength ?? schema.maximum ?? schema.maxItems;
	const above = schema.exclusiveMinimum;
	return [
		least === undefined ? '' : ` from ${least}`,
		above === undefined ? '' : ` above ${above}`,
		most === undefined ? '' : ` up to ${most}`,
	].join('');
}

describe('the description of the interface, /v1/openapi.json', () => {
	const workspace = Workspace.forTests();
	const served = () => workspace.description;
	const schemas = () => served().document.components.schemas;

	it('is OpenAPI 3.1 of the version that docs/service.md names, served where the sandbox listens', () => {
		const { openapi, info, servers } = served().document;
		expect([openapi, info.version]).toEqual(['3.1.0', '1.0.0']);
		expect(servers.map(({ url }) => url)).toEqual([workspace.sandbox.url]);
	});

	it('has every endpoint under a short name, with what it takes and answers, and no other', () => {
		const described = served().operations.map(({ path, method, statuses, name, answer, body }) => {
			const status = statuses.find((one) => one < 400) ?? 0;
			const id = served().document.paths[path]?.[method.toLowerCase()]?.operationId;
			return [id, [name, status, nameOf(answer(status) ?? {}), ...(body ? [nameOf(body)] : [])]];
		});
		expect(Object.fromEntries(described)).toEqual(OPERATIONS);
	});

	it.each(Object.entries(OBJECTS))(
		'%s has the properties and limits that it has by the tables',
		(name, words) => {
			expect(inWords(schemas()[name] ?? {})).toEqual(words);
		},
	);

	it('has every object of the tables, and no other', () => {
		const used = served().operations.flatMap(({ statuses, answer, body }) => [
			...statuses
				.filter((status) => status < 400)
				.flatMap((status) => served().partsOf(answer(status) ?? {})),
			...(body ? served().partsOf(body) : []),
		]);
		// One of two events.
		const objects = new Set(used.filter((name) => name !== 'EventPayload'));
		expect([...objects].sort()).toEqual(Object.keys(OBJECTS).sort());
	});

	it('has the queries of the tables, and no other', () => {
		const queries = served().operations.map(({ name, parameters }): [string, object] => {
			const own = parameters.filter((one) => one.in === 'query');
			return [name, Object.fromEntries(own.map((one) => [one.name, inWords(one.schema)]))];
		});
		expect(Object.fromEntries(queries.filter(([, own]) => Object.keys(own).length > 0))).toEqual(
			QUERIES,
		);
	});

	it('names every code of every status somewhere, and no other', () => {
		const described: Record<number, Set<string>> = {};
		for (const [status, code] of served().operations.flatMap(codesOf))
			(described[status] ??= new Set()).add(code);
		const sorted = (codes: Iterable<string>) => [...codes].sort();
		const expected = [...Object.keys(CODES), ...Object.keys(CODES_OF_THE_SANDBOX)]
			.map(Number)
			.map((status) => {
				return [
					status,
					sorted([...(CODES[status] ?? []), ...(CODES_OF_THE_SANDBOX[status] ?? [])]),
				] as const;
			});
		const all = Object.entries(described).map(([status, codes]) => [status, sorted(codes)]);
		expect(Object.fromEntries(all)).toEqual(Object.fromEntries(expected));
	});

	it('has the rate limit headers on every answer to a valid key, and retry-after on 429', () => {
		for (const operation of served().operations) {
			for (const status of operation.statuses) {
				const expected =
					status === 401 ? [] : status === 429 ? [...RATE_HEADERS, 'retry-after'] : RATE_HEADERS;
				expect([operation.name, status, operation.headers(status)]).toEqual([
					operation.name,
					status,
					expected,
				]);
			}
		}
	});

	it('has the seven events, with a recipient where the event is about one', () => {
		const { webhooks } = served().document;
		expect(Object.keys(webhooks).sort()).toEqual([...ALL_EVENTS].sort());
		const aboutOne = Object.entries(webhooks).filter(([event, { post }]) => {
			const payload = served().resolve(post.requestBody?.content['application/json']?.schema ?? {});
			expect(payload.properties?.event?.enum).toContain(event);
			return payload.properties?.recipient !== undefined;
		});
		const names = aboutOne.map(([event]) => event).sort();
		expect(names).toEqual(['document.declined', 'recipient.signed', 'recipient.viewed']);
	});
});
