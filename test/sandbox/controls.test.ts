import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import axios from 'axios';
import { ANN, placesIn, refusal, Workspace, type Wire } from './workspace';

describe('faults on request (sandbox/README.md)', () => {
	const workspace = Workspace.forTests();
	const count = async () => (await workspace.test.get('/documents')).data.data.length;
	const create = async () =>
		workspace.test.post('/documents', {
			files: [await workspace.fileId(workspace.test)],
			recipients: [ANN],
		});
	const fault = { method: 'POST', path: '/documents', times: 1 } as const;

	it.each([
		['before', 0],
		['after', 3],
	] as const)(
		'answers a status or drops the connection %s the effect, as often as asked',
		async (when, documents) => {
			await workspace.control.fault({ ...fault, when, kind: 'status', status: 503, times: 2 });
			for (let time = 0; time < 2; time++)
				expect(refusal(await create())).toBe('503 internal_error');
			await workspace.control.fault({ ...fault, when, kind: 'drop' });
			await expect(create()).rejects.toThrow(/socket hang up|ECONNRESET|aborted/);
			expect(await count()).toBe(documents);
			expect((await create()).status).toBe(201);
		},
	);

	it.each(['before', 'after'] as const)('delays the answer %s the effect', async (when) => {
		await workspace.control.fault({ ...fault, when, kind: 'delay', delay_ms: 100 });
		const started = Date.now();
		expect((await create()).status).toBe(201);
		expect(Date.now() - started).toBeGreaterThanOrEqual(99);
	});

	it('matches one segment by *, leaves other calls alone, and is cleared', async () => {
		const tooMany = { when: 'before', kind: 'status', status: 429, times: 9 } as const;
		await workspace.control.fault({ method: 'GET', path: '/documents/*', ...tooMany });
		const met = await workspace.test.get('/documents/doc_x');
		expect(refusal(met)).toBe('429 request_failed');
		expect(Number(met.headers['retry-after'])).toBeGreaterThan(0);
		expect((await workspace.test.get('/documents')).status).toBe(200);
		expect((await workspace.test.get('/documents/doc_x/files/signed')).status).toBe(404);
		await workspace.control.clearFaults();
		expect((await workspace.test.get('/documents/doc_x')).status).toBe(404);
	});
});

describe('controls (sandbox/README.md)', () => {
	const workspace = Workspace.forTests();

	it('resets to the seed, keeping the keys of the ready line', async () => {
		await workspace.draft(workspace.test);
		await workspace.control.workspace({ plan: 'ULTIMATE', embed_origins: [] });
		await workspace.control.advance(1e6);
		const { key } = await workspace.control.createKey({ mode: 'TEST' });
		await workspace.control.reset();
		expect(await workspace.control.requests()).toEqual([]);
		expect((await workspace.test.get('/documents')).data.data).toEqual([]);
		expect((await workspace.caller(key).get('/account')).status).toBe(401);
		expect((await workspace.test.get('/account')).data.plan).toEqual({
			code: 'BUSINESS',
			trialing: false,
		});
		expect(await workspace.control.workspace({})).toMatchObject({
			embed_origins: ['https://app.example.com'],
		});
		const date = Date.parse(String((await workspace.test.get('/account')).headers.date));
		expect(date).toBe(Math.floor(workspace.now / 1_000) * 1_000);
	});

	it('logs every API request with its method, path, status and time', async () => {
		await workspace.test.get('/documents?limit=5');
		await workspace.caller(null).get('/account');
		const log = await workspace.control.requests();
		expect(log.map(({ method, path: called, status }) => [method, called, status])).toEqual([
			['GET', '/v1/documents', 200],
			['GET', '/v1/account', 401],
		]);
		expect(log[0]?.at).toMatch(/^\d{4}-.*Z$/);
	});

	it('refuses unknown keys in every control that takes a body', async () => {
		const acts = ['view', 'sign', 'decline', 'reassign'].map((act) => `/recipients/rcp_x/${act}`);
		const others = [
			'/reset',
			'/keys',
			'/templates',
			'/links/x/start',
			'/documents/doc_x/expire',
			'/clock/advance',
		];
		for (const path of [...acts, ...others, '/faults', '/workspace']) {
			const method = path === '/workspace' ? 'PATCH' : 'POST';
			const url = `${workspace.origin}/_sandbox${path}`;
			const answer = await workspace.test.request({ method, url, data: { colour: 'red' } });
			expect([path, answer.status, placesIn(answer)]).toEqual([
				path,
				400,
				expect.arrayContaining(['colour']),
			]);
		}
	});
});

describe('npm run sandbox', () => {
	it('prints one JSON line when it is ready, serves as it is set to, and ends on SIGTERM', async () => {
		const cwd = path.resolve(__dirname, '../..');
		const options = ['--port', '0', '--rate-limit', '3', '--empty'];
		const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...options], {
			cwd,
		});
		try {
			const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
			const { url, keys } = JSON.parse(line) as {
				url: string;
				keys: { live: string; test: string };
			};
			const authorization = `Bearer ${keys.test}`;
			const { headers, data } = await axios.get<Wire>(`${url}/templates`, {
				headers: { authorization },
			});
			expect([headers['x-ratelimit-limit'], data.data]).toEqual(['3', []]);
		} finally {
			child.kill('SIGTERM');
		}
		const [code] = (await once(child, 'exit')) as [number | null];
		expect(code).toBe(0);
	});
});
