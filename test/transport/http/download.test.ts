import type { ServerResponse } from 'node:http';
import type { Download } from '../../../nodes/ESign/transport';
import { inNode } from '../support/inNode';
import { quickTransport } from '../support/quickTransport';
import { json, startScripted, type ScriptedService } from '../support/scriptedService';

let service: ScriptedService;
let answer: (path: string, response: ServerResponse) => void;

beforeAll(async () => {
	service = await startScripted(({ url }, response) => answer(url, response));
});
beforeEach(() => {
	service.seen.length = 0;
});
afterAll(async () => await service.close());

const transport = quickTransport({ attempts: 3 });
const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x0a]);

async function download(url = `${service.origin}/files/1?token=t`): Promise<Download> {
	return (await inNode(service.credential, async (context) => await transport.downloadFile(context, url, 2))).value;
}

function file(response: ServerResponse, headers: Record<string, string> = {}): void {
	response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': `${pdf.length}`, ...headers });
	response.end(pdf);
}

describe('A download', () => {
	it('gives the bytes as they are, with type and name', async () => {
		answer = (_, response) => file(response, { 'content-disposition': 'attachment; filename="x.pdf"' });
		await expect(download()).resolves.toEqual({ bytes: pdf, mimeType: 'application/pdf', fileName: 'x.pdf' });
	});

	it('does not carry the key', async () => {
		answer = (_, response) => file(response);
		await download();
		expect(service.seen[0]?.url).toBe('/files/1?token=t');
		expect(service.seen[0]?.headers.authorization).toBeUndefined();
	});

	it.each([
		['attachment', undefined],
		[`attachment; filename*=UTF-8''Vertrag%20%C3%84.pdf; filename="x.pdf"`, 'Vertrag Ä.pdf'],
		['attachment; filename=plain.pdf', 'plain.pdf'],
		['attachment; filename="../../etc/pass\\"wd"', 'pass"wd'],
		['attachment; filename="C:\\\\Windows\\\\evil.pdf"', 'evil.pdf'],
		[`attachment; filename*=UTF-8''..%2F..%2Fevil.pdf`, 'evil.pdf'],
		[`attachment; filename*=UTF-8''a%0D%0Ab%00%1B.pdf`, 'ab.pdf'],
		['attachment; filename=".."', undefined],
		['attachment; filename="a/."', undefined],
	])('reads the name out of %s', async (disposition, fileName) => {
		answer = (_, response) => file(response, { 'content-disposition': disposition });
		expect((await download()).fileName).toBe(fileName);
	});

	it.each(['http://files.example.com/1', 'file:///etc/passwd', 'http://localhost:1/1', 'not a url', ''])(
		'of %j is refused',
		async (url) => {
			await expect(download(url)).rejects.toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 2 } });
			expect(service.seen).toEqual([]);
		},
	);

	it('follows a redirect, by the same rules', async () => {
		answer = (path, response) => (path === '/end' ? file(response) : json(response, 302, {}, { location: '/end' }));
		await expect(download()).resolves.toMatchObject({ bytes: pdf });
		answer = (_, response) => json(response, 302, {}, { location: 'http://files.example.com/1' });
		await expect(download()).rejects.toThrow('does not start with https://');
		answer = (_, response) => json(response, 302, {}, { location: '/again' });
		await expect(download()).rejects.toThrow('redirected too often');
	});

	it('that is redirected to another host carries no key there either', async () => {
		const other = await startScripted((_, response) => file(response));
		try {
			answer = (_, response) => json(response, 302, {}, { location: `${other.origin}/file?token=t` });
			await expect(download()).resolves.toMatchObject({ bytes: pdf });
			expect(other.seen).toMatchObject([{ url: '/file?token=t' }]);
			for (const { headers } of [...service.seen, ...other.seen]) {
				expect(JSON.stringify(headers)).not.toContain(service.credential.apiKey);
			}
		} finally {
			await other.close();
		}
	});

	it.each([
		'file:///etc/passwd',
		'http://169.254.169.254/latest',
		'http://localhost:1/',
		'//files.example.com/1',
		'http://[',
	])('is not redirected to %s', async (location) => {
		answer = (_, response) => json(response, 302, {}, { location });
		await expect(download()).rejects.toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 2 } });
		expect(service.seen).toHaveLength(1);
	});

	it.each([
		['a fault', (response: ServerResponse) => json(response, 503, {})],
		['a broken connection', (response: ServerResponse) => response.destroy()],
		['an empty file', (response: ServerResponse) => response.writeHead(200).end()],
		[
			'a file cut short',
			(response: ServerResponse) => {
				response.writeHead(200, { 'content-length': '100' });
				response.write(pdf, () => response.destroy());
			},
		],
	])('is tried again after %s, a few times', async (_, fail) => {
		let failing = 2;
		answer = (__, response) => (failing-- > 0 ? fail(response) : file(response));
		await expect(download()).resolves.toMatchObject({ bytes: pdf });
		failing = 9;
		await expect(download()).rejects.toMatchObject({ name: 'NodeApiError', context: { itemIndex: 2 } });
	});

	it('with a URL that is too old says so', async () => {
		answer = (_, response) => json(response, 403, 'Request has expired');
		await expect(download()).rejects.toMatchObject({
			httpCode: '403',
			message: expect.stringContaining('not valid any more'),
		});
	});

	it('reads the error that the service gives', async () => {
		answer = (_, response) => json(response, 404, { error: { code: 'signed_not_available', message: 'm' } });
		await expect(download()).rejects.toMatchObject({ httpCode: '404', context: { code: 'signed_not_available' } });
	});
});
