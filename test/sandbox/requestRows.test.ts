import type { Kind } from './rows/kinds';
import { QUERY_TABLES, REQUEST_TABLES, TEN_ROLES, type Table } from './rows/requestRows';
import { ANN, placesIn, refusal, signersOf, Workspace, type Answer } from './workspace';

const ROWS = REQUEST_TABLES.flatMap((table) =>
	Object.entries(table.rows).map(([field, kind]): [string, string, string, Table, Kind] => {
		return [table.title, table.endpoint, pathIn(table, field), table, kind];
	}),
);

function pathIn({ at }: { at: string }, field: string): string {
	return [at, field].filter(Boolean).join('.');
}

type Tree = Record<string, unknown>;

/** The body with this in this place; undefined takes what is there away. */
function withValue(body: Tree, path: string, value: unknown): Tree {
	const copy = structuredClone(body);
	const segments = path.split('.');
	const last = segments.pop() ?? '';
	const parent = segments.reduce((node, segment) => node[segment] as Tree, copy);
	if (value === undefined) delete parent[last];
	else parent[last] = value;
	return copy;
}

describe('every row of every request table of docs/service.md', () => {
	const workspace = Workspace.forTests();
	/** What the texts that begin with `$` stand for, and the ids that the paths need. */
	const known: Record<string, string> = {};
	let paths: Record<string, string>;

	beforeAll(async () => {
		const { test } = workspace;
		const draft = await workspace.draft(test, [ANN]);
		const other = await workspace.draft(test, [ANN]);
		const sent = await workspace.sent(test, [ANN]);
		const nda = await workspace.template(test);
		const roles = TEN_ROLES.map((role) => ({ role, type: 'SIGNER' as const }));
		const note = { field_key: 'note', type: 'TEXT' as const, role: 'x', required: false, page: 1 };
		const templateId = await workspace.published({ roles, fields: [note] });
		const { data: link } = await test.post(`/templates/${nda.id}/links`, { signers: signersOf(nda) });
		Object.assign(known, {
			$file: await workspace.fileId(test, 2),
			$recipient: draft.recipients[0].id,
			$signer: sent.recipients[0].id,
			$openRole: nda.roles[0].id,
			$otherRole: nda.roles[1].id,
		});
		const signer = known.$signer ?? '';
		paths = {
			'POST /documents': '/documents',
			'PUT /documents/{id}/recipients': `/documents/${other.id}/recipients`,
			'PUT /documents/{id}/fields': `/documents/${draft.id}/fields`,
			'POST /documents/{id}/send': `/documents/${draft.id}/send`,
			'POST /documents/{id}/cancel': `/documents/${sent.id}/cancel`,
			'POST /documents/{id}/remind': `/documents/${sent.id}/remind`,
			'POST /documents/{id}/recipients/{recipientId}/embed-link': `/documents/${sent.id}/recipients/${signer}/embed-link`,
			'POST /templates/{id}/send': `/templates/${templateId}/send`,
			'POST /templates/{id}/links': `/templates/${nda.id}/links`,
			'POST /template-links/{linkId}/rotate': `/template-links/${link.id}/rotate`,
			'POST /webhooks': '/webhooks',
			'POST /webhooks/{id}/deliveries/{deliveryId}/replay': '/webhooks/whk_x/deliveries/dlv_x/replay',
		};
	});

	function resolve(body: Tree): Tree {
		const texts = JSON.stringify(body).replace(/"(\$\w+)"/g, (whole, name: string) =>
			name in known ? JSON.stringify(known[name]) : whole,
		);
		return JSON.parse(texts) as Tree;
	}

	async function call(endpoint: string, body: Tree): Promise<Answer> {
		const [method = ''] = endpoint.split(' ');
		const answer = await workspace.test.request({ method, url: paths[endpoint], data: resolve(body) });
		// Five endpoints are all that there may be.
		if (endpoint === 'POST /webhooks' && answer.status === 201)
			await workspace.test.delete(`/webhooks/${answer.data.id}`);
		return answer;
	}

	async function expectRefusal(endpoint: string, body: Tree, path: string, code = 'validation_error') {
		const { status, data } = await call(endpoint, body);
		const named = code === 'validation_error' ? data.error?.details?.map(({ field }) => field) : undefined;
		const expected = code === 'validation_error' ? [path] : undefined;
		expect({ body, status, code: data.error?.code, named }).toEqual({ body, status: 400, code, named: expected });
		for (const { message } of [data.error, ...(data.error.details ?? [])]) expect(message).toMatch(/\w/);
	}

	async function expectSuccess(endpoint: string, body: Tree) {
		const { status, data } = await call(endpoint, body);
		expect({ body, status, error: data.error }).toEqual({
			body,
			status: expect.any(Number) as number,
			error: undefined,
		});
		expect(Math.floor(status / 100)).toBe(2);
	}

	it.each(ROWS)('%s, %s: %s takes what it may and nothing else', async (_title, endpoint, path, table, kind) => {
		for (const value of kind.takes) await expectSuccess(endpoint, withValue(table.body, path, value));
		for (const { value, code, at } of kind.refuses) {
			await expectRefusal(endpoint, withValue(table.body, path, value), [path, at].filter(Boolean).join('.'), code);
		}
	});

	it.each(ROWS)('%s, %s: %s is required, or not', async (_title, endpoint, path, table, { required }) => {
		const without = withValue(table.body, path, undefined);
		if (required === undefined) await expectSuccess(endpoint, without);
		else await expectRefusal(endpoint, without, path, required);
	});

	it.each(REQUEST_TABLES.map((table) => [table.endpoint, table.at || 'the body', table] as const))(
		'section 2, unknown properties: %s refuses them in %s',
		async (endpoint, _at, table) => {
			const path = pathIn(table, 'colour');
			await expectRefusal(endpoint, withValue(table.body, path, 'red'), path);
		},
	);

	it.each(
		QUERY_TABLES.flatMap(({ endpoint, rows }) =>
			Object.entries(rows).map(([name, row]) => [endpoint, name, row] as const),
		),
	)('section 4, %s: the query %s takes what it may and nothing else', async (endpoint, name, { takes, refuses }) => {
		const quiet = { url: 'https://example.com/', events: ['document.expired'] };
		const { data: hook } = await workspace.test.post('/webhooks', quiet);
		const [method, path = ''] = endpoint.split(' ');
		const url = path.replace('{id}', hook.id);
		const query = (value: string) => workspace.test.request({ method, url, params: { [name]: value } });
		for (const value of takes) expect([value, (await query(value)).status]).toEqual([value, 200]);
		for (const value of refuses) {
			const answer = await query(value);
			expect([value, refusal(answer), placesIn(answer)]).toEqual([value, '400 validation_error', [name]]);
		}
		await workspace.test.delete(`/webhooks/${hook.id}`);
	});

	it('has a row for every property of every request that is served, and no other', () => {
		const { description } = workspace;
		const served = description.operations.flatMap(({ name, body, parameters }) => [
			...(body ? description.propertiesOf(body, (at) => `${at}.0`) : []).map(([at, property]) => {
				return `${name} ${pathIn({ at }, property)}`;
			}),
			...parameters.filter((one) => one.in === 'query').map((one) => `${name} ?${one.name}`),
		]);
		const rows = [
			...REQUEST_TABLES.flatMap(({ endpoint, at, rows: fields }) =>
				Object.keys(fields).map((field) => `${endpoint} ${pathIn({ at: at.replace(/\d+/g, '0') }, field)}`),
			),
			...QUERY_TABLES.flatMap(({ endpoint, rows: names }) => Object.keys(names).map((name) => `${endpoint} ?${name}`)),
		];
		expect([...new Set(rows)].sort()).toEqual(served.sort());
		// A call that takes no body has none described; its tables say that an empty object is taken.
		const tables = new Set(
			REQUEST_TABLES.filter((table) => Object.keys(table.rows).length > 0).map((one) => one.endpoint),
		);
		const withBody = description.operations.filter(({ body }) => body).map(({ name }) => name);
		expect([...tables].sort()).toEqual(withBody.sort());
	});
});
