import { codesOf } from '../support/servedDescription';
import { CODES, CODES_OF_THE_SANDBOX, OPERATIONS } from '../rows/operations';
import { ALL_EVENTS, Workspace } from '../workspace';

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

describe('the description of the interface, /v1/openapi.json', () => {
	const workspace = Workspace.forTests();
	const served = () => workspace.description;

	it('is OpenAPI 3.1 of the version that docs/service.md names, served where the sandbox listens', () => {
		const { openapi, info, servers } = served().document;
		expect([openapi, info.version]).toEqual(['3.1.0', '1.0.0']);
		expect(servers.map(({ url }) => url)).toEqual([workspace.sandbox.url]);
	});

	it('has every endpoint under a short name, with the status of its success, and no other', () => {
		const { paths } = served().document;
		const described = served().operations.map(({ path: url, method, statuses, name }) => [
			paths[url]?.[method.toLowerCase()]?.operationId,
			[name, statuses.find((status) => status < 400)],
		]);
		const expected = Object.entries(OPERATIONS).map(([id, [name, status]]) => [id, [name, status]]);
		expect(Object.fromEntries(described)).toEqual(Object.fromEntries(expected));
	});

	it('names every code of every status somewhere, and no other', () => {
		const described = new Map<number, Set<string>>();
		for (const [status, code] of served().operations.flatMap(codesOf)) {
			described.set(status, (described.get(status) ?? new Set()).add(code));
		}
		const expected = [...Object.entries(CODES), ...Object.entries(CODES_OF_THE_SANDBOX)];
		for (const [status, codes] of described) {
			const known = expected.filter(([one]) => Number(one) === status).flatMap(([, all]) => all);
			expect([status, [...codes].sort()]).toEqual([status, known.sort()]);
		}
		expect([...described.keys()].sort()).toEqual([...new Set(expected.map(([status]) => Number(status)))].sort());
	});

	it('has the rate limit headers on every answer to a valid key, and retry-after on 429', () => {
		for (const operation of served().operations) {
			for (const status of operation.statuses) {
				const expected = status === 401 ? [] : status === 429 ? [...RATE_HEADERS, 'retry-after'] : RATE_HEADERS;
				expect([operation.name, status, operation.headers(status)]).toEqual([operation.name, status, expected]);
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
