import type { ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { useBinaryDataMode } from '../../support/n8nCore/n8n';
import { inNode, type InNodeOptions } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, scriptedOfThisFile, startScripted } from '../support/scriptedService';

let answer: (path: string, response: ServerResponse) => void;
/** The URL that the service gives for the file. */
let given: string;
const service = scriptedOfThisFile(({ url }, response) => {
	if (isAsked(url)) json(response, 200, { url: given, expires_in: 600 });
	else answer(url, response);
});
const isAsked = (url: string) => url.includes('/documents/');

/** What was fetched from the URL given. */
const fetched = () => service.seen.filter(({ url }) => !isAsked(url));

afterEach(() => jest.restoreAllMocks());

const STALL_MS = 30_000;
const client = quickClient({ attempts: 3, stallMs: STALL_MS });

/** Whether the answer that comes just now is one that stops. */
let isStalling = false;

/**
 * The time after which a body is taken for stalled is over in a moment where a test makes it stall,
 * and never elsewhere: a busy machine may make a body wait, and nothing has stalled.
 */
function hurryStalls(): void {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		if (milliseconds !== STALL_MS) return timeout(milliseconds);
		return isStalling ? timeout(100) : new AbortController().signal;
	});
}
const pdf = Buffer.from('%PDF-1.7\n\0\xff\xfe\n%%EOF\n', 'latin1');

type Fetched = { bytes: Buffer; fileName?: string; mimeType: string; sizeBytes: number };

const PATH = { id: 'doc_1', variant: 'original' };

/** The file as n8n has stored it. */
async function download(
	url = `${service.origin}/files/1?token=t`,
	options: InNodeOptions = {},
): Promise<Fetched> {
	const work = async (context: IExecuteFunctions) => {
		given = url;
		const { binary, sizeBytes } = await client.download(context, { path: PATH, itemIndex: 2 });
		const bytes = await context.helpers.binaryToBuffer(
			binary.id === undefined
				? Buffer.from(binary.data, 'base64')
				: await context.helpers.getBinaryStream(binary.id),
		);
		const { fileName, mimeType } = binary;
		return { fileName, mimeType, sizeBytes, bytes };
	};
	return (await inNode(service.credential, work, options)).value;
}

function file(response: ServerResponse, headers: Record<string, string> = {}): void {
	response.writeHead(200, {
		'content-type': 'application/pdf',
		'content-length': `${pdf.length}`,
		...headers,
	});
	response.end(pdf);
}

/** Answers with the beginning of what it announces, and continues as said. */
function begin(
	response: ServerResponse,
	headers: Record<string, string>,
	bytes: Buffer,
	then: () => unknown = () => response.destroy(),
) {
	response.writeHead(200, headers);
	response.write(bytes, () => void then());
}

function page(response: ServerResponse, type: string): void {
	response.writeHead(200, { 'content-type': type });
	response.end('<title>Sign in</title>');
}

const PACKED = { 'content-encoding': 'gzip' };

const NO_PDF = 'what arrived is not a whole PDF';

const FAILURES: Record<string, { words: string; fail: (response: ServerResponse) => void }> = {
	'refused by a fault': {
		words: 'the service answered with status 503',
		fail: (response) => json(response, 503, {}),
	},
	'not answered': { words: 'the connection broke', fail: (response) => response.destroy() },
	empty: {
		words: NO_PDF,
		fail: (response) => response.writeHead(200).end(),
	},
	'cut off, and ended as if it were whole': {
		words: NO_PDF,
		fail: (response) => response.writeHead(200).end(pdf.subarray(0, -7)),
	},
	'something else': {
		words: NO_PDF,
		fail: (response) => response.writeHead(200).end('%%EOF'),
	},
	'a page': {
		words: NO_PDF,
		fail: (response) => page(response, 'text/html; charset=utf-8'),
	},
	JSON: {
		words: NO_PDF,
		fail: (response) => page(response, 'application/json'),
	},
	'cut short': {
		words: 'the connection broke before the file was complete',
		fail: (response) => begin(response, { 'content-length': '100' }, pdf),
	},
	'packed and broken off': {
		words: 'the connection broke before the file was complete',
		fail: (response) =>
			begin(response, PACKED, gzipSync(randomBytes(200_000)).subarray(0, 100_000)),
	},
	stalling: {
		words: 'the file stopped coming',
		fail: (response) =>
			begin(response, { 'content-length': '200000' }, Buffer.alloc(100_000), () => undefined),
	},
	'stalling before its first byte': {
		words: 'the file stopped coming',
		fail: (response) => response.writeHead(200).flushHeaders(),
	},
};

describe.each(['filesystem', 'default'] as const)(
	'A download, with binary data in mode %s,',
	(mode) => {
		beforeAll(async () => await useBinaryDataMode(mode));

		it('gives the bytes as they are, with type and name', async () => {
			answer = (_, response) =>
				file(response, { 'content-disposition': 'attachment; filename="x.pdf"' });
			await expect(download()).resolves.toEqual({
				bytes: pdf,
				mimeType: 'application/pdf',
				fileName: 'x.pdf',
				sizeBytes: pdf.length,
			});
		});

		it.each([
			['gzip', gzipSync],
			['deflate', deflateSync],
			['br', brotliCompressSync],
		])(
			'that was packed with %s on its way arrives unpacked, whatever its length says',
			async (encoding, pack) => {
				const large = Buffer.concat([pdf, Buffer.alloc(200_000, 'packed '), pdf]);
				answer = (_, response) => {
					const packed = pack(large);
					response.writeHead(200, {
						'content-encoding': encoding,
						'content-length': String(packed.length),
					});
					response.end(packed);
				};
				await expect(download()).resolves.toMatchObject({ bytes: large, sizeBytes: large.length });
				expect(fetched()).toHaveLength(1);
			},
		);

		it.each(Object.entries(FAILURES))(
			'that is %s is fetched anew, and never taken for whole',
			async (_, { words, fail }) => {
				hurryStalls();
				let failing = 2;
				answer = (__, response) => {
					isStalling = failing-- > 0;
					if (isStalling) fail(response);
					else file(response);
				};
				await expect(download()).resolves.toMatchObject({ bytes: pdf });
				expect(fetched()).toHaveLength(3);
				failing = 9;
				const message = expect.stringMatching(`^Could not download the file: ${words}`) as string;
				await expect(download()).rejects.toMatchObject({
					name: 'NodeApiError',
					message,
					context: { itemIndex: 2 },
				});
			},
		);

		it('that is cancelled ends, and so does its connection', async () => {
			const cancel = new AbortController();
			const closed = new Promise<void>((resolve) => {
				answer = (_, response) => {
					response.on('close', resolve);
					response.writeHead(200, { 'content-length': '200000' });
					response.write(Buffer.alloc(100_000), () => cancel.abort());
				};
			});
			const cancelled = download(undefined, { signal: cancel.signal });
			await expect(cancelled).rejects.toThrow('The execution was cancelled');
			await closed;
			expect(fetched()).toHaveLength(1);
		});
	},
);

describe('A download', () => {
	it.each([
		'file:///etc/passwd',
		'http://169.254.169.254/latest',
		'http://localhost:1/',
		'//files.example.com/1',
		'http://[',
	])('is neither made from %s nor redirected there', async (url) => {
		const refused = { name: 'NodeOperationError', context: { itemIndex: 2 } };
		await expect(download(url)).rejects.toMatchObject(refused);
		expect(fetched()).toEqual([]);
		answer = (_, response) => json(response, 302, {}, { location: url });
		await expect(download()).rejects.toMatchObject(refused);
		expect(fetched()).toHaveLength(1);
	});

	it('follows a redirect without waiting for its body, and not for ever', async () => {
		answer = (path, response) => {
			if (path === '/end') return file(response);
			response.writeHead(302, { location: '/end' }).flushHeaders();
		};
		await expect(download()).resolves.toMatchObject({ bytes: pdf });
		answer = (_, response) => json(response, 302, {}, { location: '/again' });
		await expect(download()).rejects.toThrow('redirected too often');
	});

	it('that is redirected to another host carries no key there either', async () => {
		const other = await startScripted((_, response) => file(response));
		try {
			answer = (_, response) =>
				json(response, 302, {}, { location: `${other.origin}/file?token=t` });
			await expect(download()).resolves.toMatchObject({ bytes: pdf });
			expect(other.seen).toMatchObject([{ url: '/file?token=t' }]);
			for (const { headers } of [...fetched(), ...other.seen]) {
				expect(JSON.stringify(headers)).not.toContain(service.credential.apiKey);
			}
		} finally {
			await other.close();
		}
	});

	it('into memory has no bytes of a try that broke', async () => {
		let failing = 1;
		answer = (_, response) => {
			if (failing-- > 0) begin(response, { 'content-length': '100' }, pdf);
			else file(response);
		};
		given = `${service.origin}/files/1`;
		const { value } = await inNode(
			service.credential,
			async (context) => await client.downloadBytes(context, { path: PATH }),
		);
		expect(value).toEqual(pdf);
	});

	it('whose URL is refused is fetched from another one, once', async () => {
		let refusals = 1;
		answer = (_, response) => {
			if (refusals-- > 0) json(response, 403, 'Request has expired');
			else file(response);
		};
		await expect(download()).resolves.toMatchObject({ bytes: pdf });

		refusals = 2;
		service.seen.length = 0;
		const failed = await download().catch((error: NodeApiError) => error);
		expect(failed).toMatchObject({
			httpCode: '403',
			message: expect.stringContaining('the URL was refused (status 403)'),
		});
		expect(JSON.stringify(failed)).not.toMatch(/API key/);
		expect(fetched()).toHaveLength(2);
	});

	it('whose URL is refused at the last try is fetched from another one all the same', async () => {
		const statuses = [503, 503, 403];
		answer = (_, response) => {
			const status = statuses.shift();
			if (status === undefined) file(response);
			else json(response, status, {});
		};
		await expect(download()).resolves.toMatchObject({ bytes: pdf });
		expect(fetched()).toHaveLength(4);
	});
});
