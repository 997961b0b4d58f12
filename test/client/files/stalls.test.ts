import { Readable } from 'node:stream';
import { download, DOWNLOAD } from '../../../nodes/ESign/client/files/download';
import { defaultSettings } from '../../../nodes/ESign/client/settings';

afterEach(() => jest.restoreAllMocks());

it('A download is not given up while nobody wants more of it, such as while the disk of n8n is the slow one', async () => {
	const waiting: AbortController[] = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const time = new AbortController();
		waiting.push(time);
		return time.signal;
	});
	const httpRequest = async ({ abortSignal: signal }: { abortSignal: AbortSignal }) => {
		const chunks = Array.from({ length: 3 }, () => Buffer.alloc(100_000));
		const body = Readable.from(chunks, { objectMode: false, signal });
		return await Promise.resolve({ statusCode: 200, headers: {}, body });
	};
	const prepareBinaryData = async (stream: AsyncIterable<Buffer>) => {
		for await (const chunk of stream) {
			expect(chunk.length).toBeGreaterThan(0);
			// More than half a minute passes.
			await new Promise(setImmediate);
			for (const time of waiting) time.abort();
		}
		return {};
	};
	const { signal } = new AbortController();
	const service = { baseUrl: 'https://example.com/v1' };
	const helpers = { httpRequest, prepareBinaryData };
	const context = { getNode: () => ({}) };
	const caller = {
		...DOWNLOAD,
		context,
		helpers,
		settings: { ...defaultSettings, attempts: 1 },
		signal,
		service,
		fileName: 'a.pdf',
	};
	const fetched = download(
		caller as unknown as Parameters<typeof download>[0],
		async () => 'https://example.com/file',
	);
	await expect(fetched).resolves.toMatchObject({ sizeBytes: 300_000 });
	expect(waiting.length).toBeGreaterThan(2);
});
