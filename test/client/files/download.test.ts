import type { ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { IExecuteFunctions } from 'n8n-workflow';
import { useBinaryDataMode } from '../../../harness/n8nCore/n8n';
import { inNode, type InNodeOptions } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, startScripted, type ScriptedService } from '../support/scriptedService';

let service: ScriptedService;
let answer: (path: string, response: ServerResponse) => void;

beforeAll(async () => {
	service = await startScripted(({ url }, response) => answer(url, response));
});
beforeEach(() => {
	service.seen.length = 0;
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

const LIMITS = { attempts: 3, maxDownloadBytes: 3_000_000 };

const STALL_MS = 30_000;

const client = quickClient({ ...LIMITS, stallMs: STALL_MS });

/** Whether the answer that comes just now is one that does not go on. */
let isStalling = false;

/**
 * The time after which a body is taken for stalled is over in a moment where a test makes it stall, and never elsewhere: a
 * busy machine may make a body wait, and nothing has stalled.
 */
function hurryStalls(): void {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		if (milliseconds !== STALL_MS) return timeout(milliseconds);
		return isStalling ? timeout(100) : new AbortController().signal;
	});
}
const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x0a]);

type Fetched = { bytes: Buffer; fileName: string; mimeType: string; sizeBytes: number };

/** The file as n8n has stored it. */
async function download(
	url = `${service.origin}/files/1?token=t`,
	options: InNodeOptions = {},
	by = client,
): Promise<Fetched> {
	const work = async (context: IExecuteFunctions) => {
		const { binary, ...file } = await by.download(context, url, 'fallback.pdf', 2);
		const bytes = await context.helpers.binaryToBuffer(
			binary.id === undefined ? Buffer.from(binary.data, 'base64') : await context.helpers.getBinaryStream(binary.id),
		);
		return { ...file, bytes };
	};
	return (await inNode(service.credential, work, options)).value;
}

function file(response: ServerResponse, headers: Record<string, string> = {}): void {
	response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': `${pdf.length}`, ...headers });
	response.end(pdf);
}

/** Fifty bytes a second. */
function trickle(response: ServerResponse): void {
	response.writeHead(200, { 'content-length': '200000' });
	const timer = setInterval(() => response.write('x'), 20);
	response.on('close', () => clearInterval(timer));
}

/** Answers with the beginning of what it announces, and goes on as said. */
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

const FAILURES: Record<string, { words: string; fail: (response: ServerResponse) => void }> = {
	'refused by a fault': { words: 'the service answered with status 503', fail: (response) => json(response, 503, {}) },
	'not answered': { words: 'the connection broke', fail: (response) => response.destroy() },
	empty: { words: 'the file arrived incomplete', fail: (response) => response.writeHead(200).end() },
	'a page': { words: 'text/html came instead', fail: (response) => page(response, 'text/html; charset=utf-8') },
	JSON: { words: 'application/json came instead', fail: (response) => page(response, 'application/json') },
	'cut short': {
		words: 'the connection broke before the file was complete',
		fail: (response) => begin(response, { 'content-length': '100' }, pdf),
	},
	'broken off between chunks': {
		words: 'the connection broke before the file was complete',
		fail: (response) => begin(response, {}, Buffer.alloc(100_000)),
	},
	'packed and broken off': {
		words: 'the connection broke before the file was complete',
		fail: (response) => begin(response, PACKED, gzipSync(randomBytes(200_000)).subarray(0, 100_000)),
	},
	'not packed as it says': {
		words: 'the connection broke before the file was complete',
		fail: (response) => response.writeHead(200, PACKED).end('not gzip at all'),
	},
	stalling: {
		words: 'the file (stopped coming|came at less than 1 kB a second)',
		fail: (response) => begin(response, { 'content-length': '200000' }, Buffer.alloc(100_000), () => undefined),
	},
	'stalling before its first byte': {
		words: 'the file stopped coming',
		fail: (response) => response.writeHead(200).flushHeaders(),
	},
	trickling: { words: 'the file came at less than 1 kB a second', fail: trickle },
};

describe.each(['filesystem', 'default'] as const)('A download, with binary data in mode %s,', (mode) => {
	beforeAll(async () => await useBinaryDataMode(mode));

	it('gives the bytes as they are, with type and name', async () => {
		answer = (_, response) => file(response, { 'content-disposition': 'attachment; filename="x.pdf"' });
		await expect(download()).resolves.toEqual({
			bytes: pdf,
			mimeType: 'application/pdf',
			fileName: 'x.pdf',
			sizeBytes: pdf.length,
		});
	});

	it.each([
		['attachment', 'fallback.pdf'],
		[`attachment; filename*=UTF-8''Vertrag%20%C3%84.pdf; filename="x.pdf"`, 'Vertrag Ä.pdf'],
		['attachment; filename=plain.pdf', 'plain.pdf'],
		['attachment; filename="../../etc/pass\\"wd"', 'pass"wd'],
		['attachment; filename="C:\\\\Windows\\\\evil.pdf"', 'evil.pdf'],
		[`attachment; filename*=UTF-8''..%2F..%2Fevil.pdf`, 'evil.pdf'],
		[`attachment; filename*=UTF-8''a%0D%0Ab%00%1B.pdf`, 'ab.pdf'],
		[`attachment; filename*=UTF-8''contract%E2%80%AEfdp.exe`, 'contractfdp.exe'],
		[`attachment; filename*=UTF-8''${'%C3%84'.repeat(300)}.pdf`, `${'Ä'.repeat(125)}.pdf`],
		['attachment; filename=".."', 'fallback.pdf'],
		['attachment; filename="a/."', 'fallback.pdf'],
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

	it.each([
		['gzip', gzipSync],
		['deflate', deflateSync],
		['br', brotliCompressSync],
	])('that was packed with %s on its way arrives unpacked, whatever its length says', async (encoding, pack) => {
		const large = Buffer.alloc(200_000, 'packed ');
		answer = (_, response) => {
			const packed = pack(large);
			response.writeHead(200, { 'content-encoding': encoding, 'content-length': String(packed.length) });
			response.end(packed);
		};
		await expect(download()).resolves.toMatchObject({ bytes: large, sizeBytes: large.length });
		expect(service.seen).toHaveLength(1);
	});

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
			expect(service.seen).toHaveLength(3);
			failing = 9;
			const message = expect.stringMatching(`^Could not download the file: ${words}`) as string;
			await expect(download()).rejects.toMatchObject({ name: 'NodeApiError', message, context: { itemIndex: 2 } });
		},
	);

	it('that comes slowly but steadily is not given up', async () => {
		answer = (_, response) => {
			response.writeHead(200, { 'content-length': '60000' });
			let left = 30;
			const next = () => {
				response.write(Buffer.alloc(2_000));
				left -= 1;
				if (left > 0) setTimeout(next, 80);
				else response.end();
			};
			next();
		};
		// Two seconds, in turns of the event loop: where the machine stands still, so does what it sends to itself.
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			const over = new AbortController();
			void (async () => {
				for (let left = milliseconds; left > 0; left -= 10) await pause(10, undefined, { ref: false });
				over.abort();
			})();
			return over.signal;
		});
		const slowly = download(undefined, {}, quickClient({ ...LIMITS, stallMs: 2_000 }));
		await expect(slowly).resolves.toMatchObject({ sizeBytes: 60_000 });
		expect(service.seen).toHaveLength(1);
	});

	it.each([
		['as it is', (endless: Buffer) => endless, {}],
		['packed', (endless: Buffer) => gzipSync(endless), { 'content-encoding': 'gzip' }],
	])('that does not end is given up at once, %s', async (_, pack, headers) => {
		const closed = new Promise<void>((resolve) => {
			answer = (__, response) => {
				response.writeHead(200, headers);
				response.on('close', resolve);
				const bytes = pack(Buffer.alloc(50_000_000));
				const next = () => !response.destroyed && response.write(bytes, next);
				next();
			};
		});
		const fetching = download();
		await expect(fetching).rejects.toThrow('The file was not fetched: the file has more than 2 MB');
		await closed;
		expect(service.seen).toHaveLength(1);
	});

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
		await expect(cancelled).rejects.toMatchObject({ context: { cancelled: true } });
		await closed;
		expect(service.seen).toHaveLength(1);
	});

	it('of a refusal that does not end says what it could read', async () => {
		answer = (_, response) => {
			response.writeHead(403);
			const next = () => !response.destroyed && response.write(Buffer.alloc(50_000), next);
			next();
		};
		await expect(download()).rejects.toMatchObject({ httpCode: '403' });
	});
});
