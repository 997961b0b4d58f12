import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import axios from 'axios';
import { ERRORS } from '../../sandbox/http/errors';
import { CODES, ENDPOINTS, type Shown } from './coverage';
import { QUERY_TABLES, REQUEST_TABLES } from './rows/requestRows';
import { CREATED, RULES, SILENCES, STATUS_OF_CODES } from './rows/rules';
import { Workspace } from './workspace';

describe('coverage of docs/service.md', () => {
	let workspace: Workspace;
	beforeAll(async () => (workspace = await Workspace.open()));
	afterAll(() => workspace.close());
	const description = async () => (await axios.get<Description>(`${workspace.sandbox.url}/openapi.json`)).data;
	interface Description {
		openapi: string;
		info: { version: string };
		servers: Array<{ url: string }>;
		paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>;
	}

	it('names every endpoint that is registered, and no other', () => {
		const registered = workspace.sandbox.endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`);
		expect(registered.sort()).toEqual(Object.keys(ENDPOINTS).sort());
	});

	it('names every code that the service answers with, and no other', () => {
		expect(Object.keys(CODES).sort()).toEqual(Object.keys(ERRORS).sort());
	});

	it('gives every code the status that the tables give it', () => {
		const statuses = Object.entries(STATUS_OF_CODES).flatMap(([status, codes]) => {
			return codes.map((code) => [code, Number(status)] as const);
		});
		const given = statuses.map(([code]) => [code, ERRORS[code as keyof typeof ERRORS]?.[0]]);
		expect(given).toEqual(statuses);
	});

	it('answers 201 to what creates something, and 200 to everything else', () => {
		const created = workspace.sandbox.endpoints.filter(({ status }) => status === 201);
		expect(created.map(({ method, path: url }) => `${method} ${url}`).sort()).toEqual([...CREATED].sort());
	});

	it.each(shownBy())('%s is shown by tests that exist', (_name, shown) => {
		expect(shown.length).toBeGreaterThan(0);
		for (const [file, title] of shown) {
			const source = readFileSync(path.join(__dirname, file), 'utf8');
			expect(source).toMatch(new RegExp(`\\(\\s*['"\`]${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
		}
	});

	it('has a test for each decision in the table of silences, and no other', () => {
		const readme = readFileSync(path.join(__dirname, '../../'), 'utf8');
		const table = readme.split('| question | here | why |')[1]?.trim().split('\n').slice(1) ?? [];
		expect(table.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(Object.keys(SILENCES));
	});

	it('describes the same endpoints as OpenAPI 3.1, from the schemas that validate', async () => {
		const document = await description();
		expect(document.openapi).toMatch(/^3\.1/);
		expect(document.info.version).toBe('1.0.0');
		expect(document.servers).toEqual([{ url: workspace.sandbox.url }]);
		const described = Object.entries(document.paths).flatMap(([url, operations]) =>
			Object.keys(operations).map((method) => `${method.toUpperCase()} ${url}`),
		);
		expect(described.sort()).toEqual(Object.keys(ENDPOINTS).sort());
		for (const endpoint of workspace.sandbox.endpoints) {
			const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
			const schema = operation?.requestBody?.content['application/json']?.schema;
			expect(schema).toEqual(endpoint.body && JSON.parse(JSON.stringify(endpoint.body)));
		}
	});

	it('describes them validly', async () => {
		const script = path.join(__dirname, 'validateOpenapi.mjs');
		const { stdout, stderr } = spawnSync(process.execPath, [script], {
			input: JSON.stringify(await description()),
			encoding: 'utf8',
		});
		expect(stderr).toBe('');
		expect(JSON.parse(stdout)).toEqual({ valid: true, errors: [], version: '3.1' });
	});
});

/** Everything that a table says is shown by a test, with those tests. */
function shownBy(): Array<[name: string, shown: readonly Shown[]]> {
	const rows = REQUEST_TABLES.flatMap(({ title, endpoint, rows: fields }) =>
		Object.entries(fields).flatMap(([field, { byDefault, effect }]): Array<[string, Shown | undefined]> => [
			[`${title}, ${endpoint}, ${field}: default`, byDefault],
			[`${title}, ${endpoint}, ${field}: effect`, effect],
		]),
	);
	const queries = QUERY_TABLES.flatMap(({ endpoint, rows: names }) =>
		Object.entries(names).flatMap(([name, { byDefault, effect }]): Array<[string, Shown | undefined]> => [
			[`${endpoint}, ${name}: default`, byDefault],
			[`${endpoint}, ${name}: effect`, effect],
		]),
	);
	const rules = Object.entries(RULES).flatMap(([section, rulesOfSection]) =>
		Object.entries(rulesOfSection).map(([rule, shown]): [string, readonly Shown[]] => [`${section}, ${rule}`, shown]),
	);
	return [
		...Object.entries({ ...ENDPOINTS, ...CODES }),
		...rules,
		...Object.entries(SILENCES),
		...[...rows, ...queries].flatMap(([name, shown]): Array<[string, readonly Shown[]]> => {
			return shown ? [[name, [shown]]] : [];
		}),
	];
}
