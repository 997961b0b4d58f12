import { once } from 'node:events';
import net from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { Workspace, type Wire } from './workspace';

/** What clients do that is not in any description. */
describe('odd connections', () => {
	const workspace = Workspace.forTests();
	afterEach(() => jest.restoreAllMocks());

	const portOf = (one: Workspace) => Number(new URL(one.origin).port);

	/** Sends these bytes and says what came back until the service closed the connection. */
	async function exchange(text: string, one: Workspace = workspace): Promise<string> {
		const socket = net.connect(portOf(one), '127.0.0.1', () => socket.write(text));
		return await textOf(socket);
	}

	const head = (line: string, ...more: string[]) => {
		const key = `authorization: Bearer ${workspace.sandbox.keys.test}`;
		return [`${line} HTTP/1.1`, 'host: 127.0.0.1', key, ...more, '', ''].join('\r\n');
	};

	/** Status, code and methods of the answer to a request that is written by hand. */
	async function ask(line: string, body = '') {
		const lengths = body
			? ['content-type: application/json', `content-length: ${body.length}`]
			: [];
		const answer = await exchange(head(line, 'connection: close', ...lengths) + body);
		const [top = '', text = ''] = answer.split('\r\n\r\n');
		const code = text ? (JSON.parse(text) as Wire).error.code : undefined;
		const allow = /^allow: (.+)$/im.exec(top)?.[1];
		return [Number(top.split(' ')[1]), code, ...(allow ? [allow] : [])];
	}

	it.each([
		['JSON', '/documents', 'application/json', '{"files":'],
		[
			'an upload',
			'/files',
			'multipart/form-data; boundary=b',
			'--b\r\ncontent-disposition: form-data; name="file"',
		],
	])(
		'a client that leaves in the middle of %s is no fault of the service',
		async (_what, path, type, beginning) => {
			const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
			const begun =
				head(`POST /v1${path}`, `content-type: ${type}`, 'content-length: 1000') + beginning;
			const socket = net.connect(portOf(workspace), '127.0.0.1', () =>
				socket.write(begun, () => socket.destroy()),
			);
			await once(socket, 'close');
			await workspace.test.get('/account');
			const left = async () =>
				(await workspace.control.requests()).find((one) => one.path === `/v1${path}`);
			while (!(await left())) await new Promise(setImmediate);
			await workspace.test.get('/account');
			expect((await left())?.status).toBeNull();
			expect(written).not.toHaveBeenCalled();
		},
	);

	const late = /^HTTP\/1\.1 408 .*"code":"request_timeout"/s;

	it.each<[string, RegExp, () => string]>([
		['nothing', /^$|^HTTP\/1\.1 408 /, () => ''],
		['half of the headers', late, () => 'GET /v1/account HTTP/1.1\r\nhost: x\r\n'],
		[
			'half of a body',
			late,
			() => head('POST /v1/documents', 'content-type: application/json', 'content-length: 9') + '{',
		],
	])('a connection on which %s arrives is closed after a time', async (_what, expected, begun) => {
		// As short as a test can wait for, and long for a request of this process to itself on a busy
		// machine.
		const impatient = await Workspace.open({ requestTimeout: 1_500 });
		const text = begun().replace(workspace.sandbox.keys.test, impatient.sandbox.keys.test);
		expect(await exchange(text, impatient)).toMatch(expected);
		expect((await impatient.test.get('/account')).status).toBe(200);
		await impatient.close();
	});

	it('bytes that are not HTTP are refused in the envelope', async () => {
		expect(await exchange('hello\r\n\r\n')).toMatch(
			/^HTTP\/1\.1 400 .*\{"error":\{"code":"validation_error"/s,
		);
	});

	it.each(['TRACE', 'OPTIONS', 'PATCH', 'PROPFIND', 'QUERY', 'DELETE'])(
		'%s of a list is 405, and names what it knows, before the body is read',
		async (method) => {
			expect(await ask(`${method} /v1/documents`, '{')).toEqual([
				405,
				'method_not_allowed',
				'GET, POST',
			]);
		},
	);

	it('a HEAD is 405 without a body, and the description can only be read', async () => {
		expect(await ask('HEAD /v1/documents')).toEqual([405, undefined, 'GET, POST']);
		expect(await ask('POST /v1/openapi.json', '{')).toEqual([405, 'method_not_allowed', 'GET']);
	});

	it.each([
		...[
			'/documents/',
			'/templates/',
			'/webhooks/',
			'/template-links/',
			'//documents',
			'/documents//send',
			'/',
		],
		...['/envelopes', '/documents/%zz'],
	])('%s is nobody’s path', async (path) => {
		expect(await ask(`GET /v1${path}`)).toEqual([404, 'not_found']);
	});

	it.each(['a%2Fb', '%00', '..%2F', '%E2%82%AC', 'x'.repeat(2000)])(
		'an id may be %s, and is unknown',
		async (id) => {
			expect(await ask(`GET /v1/documents/${id}`)).toEqual([404, 'document_not_found']);
		},
	);

	it('a request that names the whole address, as through a proxy, is let in by its key like any other', async () => {
		const text = head(`GET ${workspace.sandbox.url}/account`, 'connection: close');
		expect(await exchange(text)).toMatch(/^HTTP\/1\.1 200 /);
		expect(await exchange(text.replace('sk_test_', 'sk_test_x'))).toMatch(/^HTTP\/1\.1 401 /);
		const [first] = await workspace.control.requests();
		expect(first).toMatchObject({ path: '/v1/account', status: 200 });
	});
});
