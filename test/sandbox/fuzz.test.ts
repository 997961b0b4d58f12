import fc from 'fast-check';
import http from 'node:http';
import { SEED, sized } from '../../harness/nightly';
import { Workspace, type Wire } from './workspace';

/** How many random requests are made of each of four kinds. */
const RUNS = sized(500, 10_000);

describe('random requests never break the service', () => {
	const workspace = Workspace.forTests();
	const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
	let paths: string[] = [];
	beforeAll(async () => {
		const draft = await workspace.draft(workspace.test);
		const sent = await workspace.sent(workspace.test);
		const template = await workspace.template(workspace.test);
		paths = workspace.description.operations.flatMap(({ path }) =>
			[draft.id, sent.id, template.id].map((id) =>
				path
					.replace('{id}', id)
					.replace('{variant}', 'original')
					.replace(/\{\w+\}/g, sent.recipients[0].id ?? 'x'),
			),
		);
	});
	afterAll(async () => {
		agent.destroy();
	});

	/** The answer's status and text; 0 when the service closed the connection on something that is not HTTP. */
	function call(method: string, path: string, given: Record<string, string>, body: Buffer | string) {
		const headers = { ...given, 'content-length': Buffer.byteLength(body) };
		return new Promise<{ status: number; text: string }>((resolve, reject) => {
			const request = http.request(
				`${workspace.origin}`,
				{ method, path, headers, agent, timeout: 120_000 },
				(response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk: Buffer) => chunks.push(chunk));
					response.on('end', () =>
						resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
					);
				},
			);
			request.on('timeout', () => request.destroy(new Error(`hangs: ${method} ${path}`)));
			request.on('error', reject);
			request.end(body);
		});
	}

	/** No fault, nothing of the inside, and nothing that the description does not promise. */
	function expectCivil({ status, text }: { status: number; text: string }, verb: string, path: string): void {
		expect(status).toBeLessThan(500);
		const described = workspace.description.find(verb, path);
		if (described) expect([verb, path, described.faultOf(status, JSON.parse(text))]).toEqual([verb, path, undefined]);
		expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|Error:/);
		if (status >= 400) expect((JSON.parse(text) as Wire).error.code).toMatch(/^[a-z_]+/);
	}

	const authorization = () => `Bearer ${workspace.sandbox.keys.test}`;
	const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS');
	const anyPath = () => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...paths) }, fc.webPath());
	const known = fc.constantFrom(
		'files',
		'recipients',
		'fields',
		'title',
		'send',
		'signers',
		'events',
		'url',
		'embed',
		'field_values',
		'__proto__',
		'constructor',
	);
	const json = fc.oneof(fc.jsonValue(), fc.dictionary(known, fc.jsonValue(), { maxKeys: 6 }));
	const options = { numRuns: RUNS, seed: SEED };

	it('JSON bodies on every endpoint', async () => {
		await fc.assert(
			fc.asyncProperty(method, anyPath(), json, async (verb, path, value) => {
				const headers = { authorization: authorization(), 'content-type': 'application/json' };
				const answer = await call(verb, `/v1${path}`, headers, JSON.stringify(value));
				if (verb !== 'HEAD') expectCivil(answer, verb, path);
			}),
			options,
		);
	});

	it('queries, paths and headers', async () => {
		const token = fc.stringMatching(/^[ -~]{0,40}$/);
		await fc.assert(
			fc.asyncProperty(anyPath(), fc.webQueryParameters(), token, token, async (path, query, accept, key) => {
				const headers = { authorization: fc.hash(key) % 2 ? authorization() : key, accept, 'x-forwarded-for': key };
				expectCivil(await call('GET', `/v1${path}?${query}`, headers, ''), 'GET', path);
			}),
			options,
		);
	});

	it('raw bodies of any type', async () => {
		const type = fc.constantFrom(
			'application/json',
			'text/plain',
			'multipart/form-data',
			'application/x-www-form-urlencoded',
			'',
			'x/y;z',
		);
		await fc.assert(
			fc.asyncProperty(anyPath(), type, fc.uint8Array({ maxLength: 300 }), async (path, contentType, bytes) => {
				const headers = { authorization: authorization(), 'content-type': contentType };
				expectCivil(await call('POST', `/v1${path}`, headers, Buffer.from(bytes)), 'POST', path);
			}),
			options,
		);
	});

	it('multipart streams', async () => {
		const piece = fc.oneof(
			fc.constantFrom(
				'--b',
				'--b--',
				'\r\n',
				'\r\n\r\n',
				'%PDF-1.7\n',
				'\x89PNG\r\n\x1a\n',
				'PK\x03\x04',
				'\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
			),
			fc.constantFrom('content-disposition: form-data; name="file"; filename="a"', 'content-type: application/pdf'),
			fc.string({ unit: 'binary', maxLength: 40 }),
		);
		const framed = fc.array(piece, { maxLength: 12 }).map((pieces) => {
			const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
			return `${head}${pieces.join('')}\r\n--b--\r\n`;
		});
		const stream = fc.oneof(
			framed,
			fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
		);
		await fc.assert(
			fc.asyncProperty(stream, async (text) => {
				const headers = { authorization: authorization(), 'content-type': 'multipart/form-data; boundary=b' };
				expectCivil(await call('POST', '/v1/files', headers, Buffer.from(text, 'latin1')), 'POST', '/files');
			}),
			options,
		);
	});
});
