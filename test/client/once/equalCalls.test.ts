import type { ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, startScripted, type ScriptedService, type Seen } from '../support/scriptedService';

const RATE = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '90', 'x-ratelimit-reset': '30' };
const ADA = { name: 'Ada', email: 'ada@example.com' };
const ZOE = { name: 'Zoë', email: 'zoe@example.com' };

let service: ScriptedService;
let documents: IDataObject[];
let posts: number;

beforeAll(async () => {
	service = await startScripted(serve);
});
beforeEach(() => {
	documents = [];
	posts = 0;
	service.seen.length = 0;
});
afterAll(async () => await service.close());

/** The answer to the first post is lost, and nothing comes of it. Every other document is there long before its answer. */
function serve({ method, body }: Seen, response: ServerResponse): void {
	if (method === 'GET') return json(response, 200, { data: documents, has_more: false, next_cursor: null }, RATE);
	posts += 1;
	if (posts === 1) return void setTimeout(() => json(response, 502, {}, RATE), 50);
	const { title, recipients = [], ...more } = JSON.parse(body) as { title: string; recipients: IDataObject[] };
	const document = {
		...more,
		id: `doc_${posts}`,
		status: 'draft',
		title,
		created_at: new Date().toISOString(),
		recipients: recipients.map((recipient, index) => ({ id: `rcp_${index}`, role: null, ...recipient })),
	};
	documents.push(document);
	setTimeout(() => json(response, 201, document, RATE), 400);
}

it.each<[string, IDataObject, IDataObject]>([
	['in another order', { title: 'T', recipients: [ADA, ZOE] }, { title: 'T', recipients: [ZOE, ADA] }],
	[
		'in another case',
		{ title: 'T', recipients: [ADA] },
		{ title: 'T', recipients: [{ ...ADA, email: 'ADA@example.com' }] },
	],
	[
		'in another form of Unicode',
		{ title: 'Für Zoë', recipients: [ZOE] },
		{ title: 'Für Zoë'.normalize('NFD'), recipients: [{ ...ZOE, name: 'Zoë'.normalize('NFD') }] },
	],
])('Executions that create the same at once, spelt %s, each get their own document', async (_, one, other) => {
	const client = quickClient({ looksMs: [50, 100, 200], lateEffectMs: 200 });
	const create = async (body: IDataObject, executionId: string) => {
		const work = inNode(
			service.credential,
			async (context) => await client.call(context, 'POST /documents', { body, itemIndex: 0 }),
			{ executionId },
		);
		return (await work).value.id;
	};
	const first = create(one, '1');
	while (service.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
	const ids = await Promise.all([first, create(other, '2')]);
	expect(new Set(ids).size).toBe(2);
	expect(documents).toHaveLength(2);
});

it('Template links that differ only in how they are spelt each get their own', async () => {
	const client = quickClient({ looksMs: [50, 100, 200], lateEffectMs: 200 });
	const create = async (label: string, executionId: string) => {
		const request = { path: { id: 'tpl_1' }, body: { label, signers: [] }, itemIndex: 0 };
		const work = inNode(
			service.credential,
			async (context) => await client.call(context, 'POST /templates/{id}/links', request),
			{ executionId },
		);
		return (await work).value.id;
	};
	const first = create('Für Zoë', '1');
	while (service.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
	const ids = await Promise.all([first, create('Für Zoë'.normalize('NFD'), '2')]);
	expect(new Set(ids).size).toBe(2);
	expect(documents).toHaveLength(2);
});
