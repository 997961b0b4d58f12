import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Client } from '../../../nodes/ESign/client';

afterEach(() => jest.restoreAllMocks());

it('A download is not given up while nobody wants more of it, such as while the disk of n8n is the slow one', async () => {
	const waiting: AbortController[] = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const time = new AbortController();
		waiting.push(time);
		return time.signal;
	});
	const httpRequest = async ({ abortSignal: signal }: { abortSignal: AbortSignal }) => {
		const chunks = Array.from({ length: 3 }, () => Buffer.alloc(100_000, '%PDF-1.7 %%EOF '));
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
	const body = { url: 'https://example.com/file', expires_in: 600 };
	const httpRequestWithAuthentication = async () =>
		await Promise.resolve({ statusCode: 200, headers: {}, body });
	const context = {
		getNode: () => ({}),
		getExecutionId: () => '1',
		getCredentials: () => ({ baseUrl: 'https://example.com/v1', apiKey: 'sk_test_1' }),
		helpers: { httpRequestWithAuthentication, httpRequest, prepareBinaryData },
	} as unknown as IExecuteFunctions;
	const client = new Client({ attempts: 1 });
	const fetched = client.download(context, { path: { id: 'doc_1', variant: 'signed' } });
	await expect(fetched).resolves.toMatchObject({ sizeBytes: 300_000 });
	expect(waiting.length).toBeGreaterThan(2);
});
