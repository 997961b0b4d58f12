import http from 'node:http';
import net from 'node:net';
import { ANN, Workspace, type Wire } from './workspace';

/** What clients do that is not in any description. */
describe('odd connections', () => {
	const workspace = Workspace.forTests();
	beforeEach(() => workspace.control.reset());
	afterEach(() => jest.restoreAllMocks());

	const portOf = (one: Workspace) => Number(new URL(one.origin).port);

	/** Sends these bytes and says what came back until the service closed the connection. */
	function exchange(one: Workspace, text: string): Promise<string> {
		return new Promise((resolve, reject) => {
			let answer = '';
			const socket = net.connect(portOf(one), '127.0.0.1', () => socket.write(text));
			socket.on('data', (data) => (answer += data.toString('utf8')));
			socket.on('error', reject);
			socket.on('close', () => resolve(answer));
		});
	}

	const head = (path: string, type: string, length: number) =>
		[
			`POST /v1${path} HTTP/1.1`,
			'host: 127.0.0.1',
			`authorization: Bearer ${workspace.sandbox.keys.test}`,
			`content-type: ${type}`,
			`content-length: ${length}`,
			'',
			'',
		].join('\r\n');

	it.each([
		['JSON', '/documents', 'application/json', '{"files":'],
		['an upload', '/files', 'multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="file"'],
	])('a client that leaves in the middle of %s is no fault of the service', async (_what, path, type, beginning) => {
		const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
		await new Promise<void>((resolve) => {
			const socket = net.connect(portOf(workspace), '127.0.0.1', () => {
				socket.write(head(path, type, 1000) + beginning, () => socket.destroy());
			});
			socket.on('close', () => resolve());
		});
		await workspace.test.get('/account');
		const left = async () => (await workspace.control.requests()).find((one) => one.path === `/v1${path}`);
		while (!(await left())) await new Promise(setImmediate);
		await workspace.test.get('/account');
		expect((await left())?.status).toBeNull();
		expect(written).not.toHaveBeenCalled();
	});

	/** As short as a test can wait for, and long for a request of this process to itself on a busy machine. */
	const SHORT_MS = 1_500;

	it.each([
		['nothing', ''],
		['half of the headers', 'GET /v1/account HTTP/1.1\r\nhost: 127.0.0.1\r\n'],
	])('a connection on which %s arrives is closed after a time', async (_what, text) => {
		const impatient = await Workspace.open({ requestTimeout: SHORT_MS });
		expect(await exchange(impatient, text)).toMatch(/^(HTTP\/1\.1 408 .*"code":"request_timeout".*)?$/s);
		await impatient.close();
	});

	it('a request whose body stops half way is closed after a time', async () => {
		const impatient = await Workspace.open({ requestTimeout: SHORT_MS });
		const key = `authorization: Bearer ${impatient.sandbox.keys.test}`;
		const half = `POST /v1/documents HTTP/1.1\r\nhost: x\r\n${key}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`;
		const answer = await exchange(impatient, half);
		expect(answer).toMatch(/^HTTP\/1\.1 408 /);
		expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { code: 'request_timeout' } });
		expect((await impatient.test.get('/account')).status).toBe(200);
		await impatient.close();
	});

	it('bytes that are not HTTP are refused in the envelope', async () => {
		const answer = await exchange(workspace, 'hello\r\n\r\n');
		expect(answer).toMatch(/^HTTP\/1\.1 400 /);
		expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { code: 'validation_error' } });
	});

	it.each([
		['no host', 'GET /v1/account HTTP/1.1\r\n\r\n', 400],
		['a wish that nobody grants', 'POST /v1/documents HTTP/1.1\r\nhost: x\r\nexpect: coffee\r\n\r\n', 400],
		['the wish for a tunnel', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
	])('a request with %s is refused in the envelope', async (_what, text, status) => {
		const closing = text.replace(/\r\n\r\n$/, '\r\nconnection: close\r\n\r\n');
		const [head, body] = (await exchange(workspace, closing)).split('\r\n\r\n');
		expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
		expect(body).toMatch(/"error":\{"code":"(validation_error|method_not_allowed)"/);
	});

	function call(
		method: string,
		path: string,
		body?: string,
	): Promise<{ status: number; allow?: string; code: string }> {
		return new Promise((resolve, reject) => {
			const authorization = `Bearer ${workspace.sandbox.keys.test}`;
			const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
			const request = http.request(`${workspace.sandbox.url}${path}`, { method, headers }, (response) => {
				let text = '';
				response.on('data', (data: Buffer) => (text += data.toString('utf8')));
				response.on('end', () => {
					const { code } = text ? (JSON.parse(text) as Wire).error : { code: '' };
					resolve({ status: response.statusCode ?? 0, allow: response.headers.allow, code });
				});
			});
			request.on('error', reject);
			request.end(body);
		});
	}

	it.each(['TRACE', 'OPTIONS', 'PATCH', 'PROPFIND', 'QUERY', 'DELETE'])(
		'%s of a list is 405, and names what it knows',
		async (method) => {
			const expected = { status: 405, allow: 'GET, POST', code: 'method_not_allowed' };
			expect(await call(method, '/documents')).toEqual(expected);
		},
	);

	it('a HEAD is 405 without a body', async () => {
		expect(await call('HEAD', '/documents')).toMatchObject({ status: 405, allow: 'GET, POST' });
	});

	it.each(['/documents/', '/templates/', '/webhooks/', '/template-links/', '//documents', '/documents//send', '/'])(
		'%s is nobody’s path',
		async (path) => {
			expect(await call('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
		},
	);

	it('a method that a path does not have is said before its body is read', async () => {
		expect(await call('PATCH', '/documents', '{')).toMatchObject({ status: 405 });
		expect(await call('POST', '/openapi.json', '{')).toMatchObject({ status: 405, allow: 'GET' });
	});

	it('an id may hold anything, and is unknown', async () => {
		for (const id of ['a%2Fb', '%00', '..%2F', '%E2%82%AC', 'x'.repeat(2000)]) {
			expect([id, await call('GET', `/documents/${id}`)]).toMatchObject([id, { code: 'document_not_found' }]);
		}
	});

	it('a request that names the whole address, as through a proxy, is let in by its key like any other', async () => {
		const ask = (key: string) => {
			const headers = `host: x\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`;
			return exchange(workspace, `GET ${workspace.sandbox.url}/account HTTP/1.1\r\n${headers}`);
		};
		expect(await ask(workspace.sandbox.keys.test)).toMatch(/^HTTP\/1\.1 200 /);
		expect(await ask('sk_test_unknown')).toMatch(/^HTTP\/1\.1 401 /);
		const [first] = await workspace.control.requests();
		expect(first).toMatchObject({ path: '/v1/account', status: 200 });
	});

	it('null is no body where an object belongs, not even where there may be none', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN]);
		for (const path of [
			'/documents',
			`/documents/${id}/cancel`,
			`/documents/${id}/remind`,
			`/documents/${id}/recipients/${recipients[0].id}/embed-link`,
			'/webhooks',
		]) {
			expect([path, await call('POST', path, 'null')]).toMatchObject([path, { status: 400, code: 'validation_error' }]);
		}
		expect((await workspace.test.get(`/documents/${id}`)).data.status).toBe('in_progress');
	});

	it('counts lengths in characters: 160 emoji are a title, 161 are not', async () => {
		const files = [await workspace.fileId(workspace.test)];
		const create = (title: string) => workspace.test.post('/documents', { files, recipients: [ANN], title });
		const created = await create('\u{1F600}'.repeat(160));
		expect([created.status, created.data.title]).toEqual([201, '\u{1F600}'.repeat(160)]);
		const refused = await create('\u{1F600}'.repeat(161));
		expect([refused.status, refused.data.error.details?.map(({ field }) => field)]).toEqual([400, ['title']]);
	});
});
