import type { IExecuteFunctions } from 'n8n-workflow';
import { inspect } from 'node:util';
import type { ESignCredential } from '../../support/n8nCore/credentials';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, scriptedOfThisFile } from '../support/scriptedService';

const DOCUMENT = {
	id: 'doc_1',
	status: 'draft',
	recipients: [],
	created_at: '2026-11-21T00:00:00.000Z',
};
let answer: Parameters<typeof scriptedOfThisFile>[0];
const service = scriptedOfThisFile((request, response) => answer(request, response));

beforeEach(() => {
	answer = (_, response) => json(response, 200, DOCUMENT);
});

const client = quickClient();

async function run<T>(
	work: (context: IExecuteFunctions) => Promise<T>,
	credential: Partial<ESignCredential> = {},
): Promise<T> {
	return (await inNode({ ...service.credential, ...credential }, work)).value;
}

async function getDocument(id: string, credential: Partial<ESignCredential> = {}) {
	return await run(
		async (context) => await client.call(context, 'GET /documents/{id}', { path: { id } }),
		credential,
	);
}

describe('The base URL', () => {
	it('may have a path before /v1', async () => {
		await getDocument('doc_1', { baseUrl: `${service.origin}/esign/v1` });
		expect(service.seen[0]?.url).toBe('/esign/v1/documents/doc_1');
	});

	it('that cannot be used is refused before anything is sent, and its key is in no error', async () => {
		for (const changed of [
			{ baseUrl: 'https://127.0.0.1:1/v2' },
			{ apiKey: 'sk_test_a\r\nX-Evil: 1' },
		]) {
			const failure = await getDocument('doc_1', changed).catch((error: unknown) => error);
			expect(failure).toMatchObject({ name: 'NodeOperationError' });
			const everything = inspect(failure, { depth: Infinity, showHidden: true });
			expect(everything).not.toContain('sk_test_a');
			expect(everything).not.toContain(service.credential.apiKey);
		}
		expect(service.seen).toEqual([]);
	});
});

describe('A request', () => {
	it('carries the key, and asks for JSON', async () => {
		await getDocument('doc_1');
		expect(service.seen[0]?.headers).toMatchObject({
			authorization: `Bearer ${service.credential.apiKey}`,
			accept: 'application/json',
		});
	});

	it.each([
		['', '"" is not an ID'],
		['  ', '"" is not an ID'],
		['.', '"." is not an ID'],
		['..', '".." is not an ID'],
		['doc_1\r\nx-evil: 1', 'is not an ID'],
		['doc\u0000', 'is not an ID'],
		['doc\u0085', 'is not an ID'],
		['doc\ud800', 'is not an ID'],
	])('refuses %j as an id', async (id, said) => {
		await expect(getDocument(id)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(said) as string,
		});
		expect(service.seen).toEqual([]);
	});

	it('leaves out what is not set, in query and body', async () => {
		answer = (_, response) => json(response, 200, { ...DOCUMENT, data: [], reminded: 1 });
		await run(async (context) => {
			await client.call(context, 'GET /documents', { query: { status: undefined, limit: 5 } });
			await client.call(context, 'POST /documents/{id}/remind', {
				path: { id: 'doc_1' },
				body: { recipient_id: undefined },
			});
			await client.call(context, 'POST /documents', {
				body: { title: undefined, files: ['file_1'], send: false },
			});
		});
		expect(service.seen.map(({ url, body }) => [url, body])).toEqual([
			['/v1/documents?limit=5', ''],
			['/v1/documents/doc_1/remind', '{}'],
			['/v1/documents', '{"files":["file_1"],"send":false}'],
		]);
	});
});

describe('A list with a cursor', () => {
	function pages(total: number) {
		answer = ({ url }, response) => {
			const query = new URL(url, service.origin).searchParams;
			const start = Number(query.get('cursor') ?? 0);
			const end = Math.min(start + Number(query.get('limit')), total);
			const data = Array.from({ length: end - start }, (_, index) => ({
				...DOCUMENT,
				id: `doc_${start + index}`,
			}));
			json(response, 200, {
				data,
				has_more: end < total,
				next_cursor: end < total ? `${end}` : null,
			});
		};
	}

	it.each([
		[0, undefined, 1],
		[250, undefined, 3],
		[250, 100, 1],
		[250, 101, 2],
		[250, 5, 1],
		[30, 50, 1],
	])('of %d entries gives the first %p in %d requests', async (total, limit, requests) => {
		pages(total);
		const items = await run(
			async (context) => await client.all(context, 'GET /documents', { limit }),
		);
		expect(items.map(({ id }) => id)).toEqual(
			Array.from({ length: Math.min(total, limit ?? total) }, (_, index) => `doc_${index}`),
		);
		expect(service.seen).toHaveLength(requests);
	});

	it('asks only for what is still wanted, and keeps the filters', async () => {
		pages(250);
		await run(
			async (context) =>
				await client.all(context, 'GET /documents', { limit: 130, query: { status: 'draft' } }),
		);
		expect(service.seen.map(({ url }) => url)).toEqual([
			'/v1/documents?status=draft&limit=100',
			'/v1/documents?status=draft&limit=30&cursor=100',
		]);
	});

	it.each([
		['gives one cursor each time', ['same']],
		['gives two in turn', ['one', 'other']],
	])('that never ends, because it %s, is an error, not a loop', async (_, cursors) => {
		answer = (__, response) => {
			const next = cursors[service.seen.length % cursors.length];
			json(response, 200, { data: [DOCUMENT], has_more: true, next_cursor: next });
		};
		await expect(
			run(async (context) => await client.all(context, 'GET /documents')),
		).rejects.toThrow('does not end');
		expect(service.seen.length).toBeLessThan(4);
	});
});
