import { Readable } from 'node:stream';
import { download, DOWNLOAD } from '../../../nodes/ESign/client/files/download';
import { defaultSettings } from '../../../nodes/ESign/client/settings';

/** Those who wait for half a minute to be over. */
let waiting: AbortController[];

beforeEach(() => {
	waiting = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const time = new AbortController();
		waiting.push(time);
		return time.signal;
	});
});
afterEach(() => jest.restoreAllMocks());

async function passHalfAMinute(): Promise<void> {
	await new Promise(setImmediate);
	for (const time of waiting.splice(0)) time.abort();
}

/** Downloads what comes in these chunks, each when it is let go, into a store that reads like this. */
async function fetched(chunks: AsyncIterable<Buffer>, store: (stream: AsyncIterable<Buffer>) => Promise<unknown>) {
	const response = { statusCode: 200, headers: {}, body: Readable.from(chunks, { objectMode: false }) };
	const helpers = { httpRequest: async () => await Promise.resolve(response), prepareBinaryData: store };
	const context = { getNode: () => ({}) };
	const { signal } = new AbortController();
	const service = { baseUrl: 'https://example.com/v1' };
	const settings = { ...defaultSettings, attempts: 1 };
	const caller = { ...DOWNLOAD, context, helpers, settings, signal, service, fileName: 'a.pdf' };
	return await download(caller as unknown as Parameters<typeof download>[0], 'https://example.com/file');
}

describe('A body of which nothing comes for half a minute', () => {
	it('is given up while n8n waits for more', async () => {
		const chunks = async function* () {
			yield Buffer.from('begun');
			yield await new Promise<Buffer>(() => undefined);
		};
		const store = async (stream: AsyncIterable<Buffer>) => {
			for await (const chunk of stream) void chunk;
		};
		const givenUp = expect(fetched(chunks(), store)).rejects.toThrow('the file stopped coming');
		for (let turn = 0; turn < 20; turn++) await passHalfAMinute();
		await givenUp;
	});

	it('is not given up while nobody wants more of it', async () => {
		const chunks = async function* () {
			for (const text of ['a', 'b', 'c']) yield await Promise.resolve(Buffer.from(text));
		};
		const store = async (stream: AsyncIterable<Buffer>) => {
			for await (const chunk of stream) {
				expect(chunk).toHaveLength(1);
				// n8n's own disk is the slow one.
				await passHalfAMinute();
			}
			return {};
		};
		await expect(fetched(chunks(), store)).resolves.toMatchObject({ sizeBytes: 3 });
	});
});
