import fc from 'fast-check';
import { once } from 'node:events';
import http from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { SEED, sized } from '../support/nightly';
import { Workspace, type Wire } from './workspace';

const json = fc.oneof(
	fc.jsonValue(),
	fc.dictionary(
		fc.constantFrom(
			...[
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
			],
			...['__proto__', 'constructor'],
		),
		fc.jsonValue(),
		{ maxKeys: 6 },
	),
);
const piece = fc.oneof(
	fc.constantFrom(
		...['--b', '--b--', '\r\n', '\r\n\r\n', '%PDF-1.7\n'],
		...['\x89PNG\r\n\x1a\n', 'PK\x03\x04', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
		...[
			'content-disposition: form-data; name="file"; filename="a"',
			'content-type: application/pdf',
		],
	),
	fc.string({ unit: 'binary', maxLength: 40 }),
);
const HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
const FORM = 'application/x-www-form-urlencoded';
const TYPES = ['application/json', 'text/plain', 'multipart/form-data', FORM, '', 'x/y;z'];

/** A body, and the type that it is said to have. */
const payload: fc.Arbitrary<{ type: string; body: Buffer }> = fc.oneof(
	json.map((value) => ({ type: 'application/json', body: Buffer.from(JSON.stringify(value)) })),
	fc.record({
		type: fc.constantFrom(...TYPES),
		body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
	}),
	fc.tuple(fc.boolean(), fc.array(piece, { maxLength: 20 })).map(([framed, pieces]) => {
		const text = framed ? `${HEAD}${pieces.join('')}\r\n--b--\r\n` : pieces.join('');
		return { type: 'multipart/form-data; boundary=b', body: Buffer.from(text, 'latin1') };
	}),
);

describe('random requests never break the service', () => {
	const workspace = Workspace.forTests();
	const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
	afterAll(() => agent.destroy());

	/** The answer's status and text. */
	async function call(method: string, path: string, given: Record<string, string>, body: Buffer) {
		const headers = { ...given, 'content-length': body.length };
		const request = http.request(workspace.origin, {
			method,
			path,
			headers,
			agent,
			timeout: 120_000,
		});
		request.on('timeout', () => request.destroy(new Error(`hangs: ${method} ${path}`)));
		// `once` hears of errors before the answer; a connection may break after it.
		request.on('error', () => undefined);
		request.end(body);
		const [response] = (await once(request, 'response')) as [http.IncomingMessage];
		return { status: response.statusCode ?? 0, text: await textOf(response) };
	}

	it('by any method on any path, with any query, headers and body', async () => {
		const { test, sandbox, description } = workspace;
		const sent = await workspace.sent(test);
		const ids = [(await workspace.draft(test)).id, sent.id, (await workspace.template(test)).id];
		const paths = description.operations.flatMap(({ path }) =>
			ids.map((id) => {
				const of = path.replace('{id}', id).replace('{variant}', 'original');
				return of.replace(/\{\w+\}/g, sent.recipients[0].id);
			}),
		);
		const token = fc.stringMatching(/^[ -~]{0,40}$/);
		const request = fc.record({
			verb: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
			path: fc.oneof(
				{ weight: 4, arbitrary: fc.constantFrom(...paths) },
				{ weight: 2, arbitrary: fc.constant('/files') },
				fc.webPath(),
			),
			query: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, fc.webQueryParameters()),
			authorization: fc.oneof(
				{ weight: 4, arbitrary: fc.constant(`Bearer ${sandbox.keys.test}`) },
				token,
			),
			accept: token,
			payload,
		});
		await fc.assert(
			fc.asyncProperty(
				request,
				async ({ verb, path, query, authorization, accept, payload: { type, body } }) => {
					const headers = {
						authorization,
						accept,
						'x-forwarded-for': accept,
						'content-type': type,
					};
					const { status, text } = await call(verb, `/v1${path}?${query}`, headers, body);
					if (verb === 'HEAD') return;
					// No fault, nothing of the inside, and nothing that the description does not promise.
					expect(status).toBeLessThan(500);
					const fault = description.find(verb, path)?.faultOf(status, JSON.parse(text));
					expect([verb, path, fault]).toEqual([verb, path, undefined]);
					expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|Error:/);
					if (status >= 400) expect((JSON.parse(text) as Wire).error.code).toMatch(/^[a-z_]+/);
				},
			),
			{ numRuns: sized(1_500, 40_000), seed: SEED },
		);
	});
});
