import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import axios from 'axios';
import { ERRORS } from '../../sandbox/http/errors';
import { CODES, ENDPOINTS, type Shown } from './coverage';
import { Workspace } from './workspace';

describe('coverage of api.md', () => {
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

	it.each(Object.entries({ ...ENDPOINTS, ...CODES }))(
		'%s is shown by tests that exist',
		(_name, shown: readonly Shown[]) => {
			expect(shown.length).toBeGreaterThan(0);
			for (const [file, title] of shown) {
				const source = readFileSync(path.join(__dirname, file), 'utf8');
				expect(source).toMatch(new RegExp(`\\(\\s*['"\`]${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
			}
		},
	);

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
