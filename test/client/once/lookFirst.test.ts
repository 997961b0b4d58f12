import type { ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, scriptedOfThisFile, startScripted, type Seen } from '../support/scriptedService';

/** What POST does: create and answer, or lose the answer before or after creating. */
type Plan = 'answer' | 'lost before' | 'lost after';

const service = scriptedOfThisFile(serve);
let plan: Plan[];
let documents: IDataObject[];
let sequence: number;
let onCreate: (document: IDataObject) => void;

beforeEach(() => {
	plan = [];
	documents = [];
	sequence = 0;
	onCreate = () => undefined;
});

function createdAgo(milliseconds: number): string {
	return new Date(Date.now() - milliseconds).toISOString();
}

function made(document: IDataObject): IDataObject {
	return {
		id: `doc_${++sequence}`,
		mode: 'TEST',
		status: 'in_progress',
		title: 'T',
		created_at: createdAgo(0),
		...document,
	};
}

function people(...recipients: IDataObject[]): IDataObject[] {
	return recipients.map((recipient, index) => ({ id: `rcp_${index}`, role: null, status: 'sent', ...recipient }));
}

function serve({ method, url, body }: Seen, response: ServerResponse): void {
	const { pathname } = new URL(url, 'http://127.0.0.1');
	if (pathname === '/v1/documents') return json(response, 200, { data: [...documents].reverse() });
	if (method === 'GET')
		return json(response, 200, {
			id: 'tpl_1',
			name: 'The template',
			roles: [
				{ role: 'Client', type: 'SIGNER' },
				{ role: 'HR', type: 'CC' },
			],
		});
	if (pathname.endsWith('/embed-link'))
		return json(response, 200, { url: `https://embed${pathname}`, expires_at: 'later' });
	const step = plan.shift() ?? 'answer';
	if (step === 'lost before') return json(response, 500, {});
	const { title, recipients = [] } = JSON.parse(body) as { title?: string; recipients?: IDataObject[] };
	const document = made({
		title: title ?? 'The template',
		recipients: people(...recipients.map(({ name, email, role = null }) => ({ name, email, role }))),
	});
	documents.push(document);
	onCreate(document);
	if (step === 'lost after') return json(response, 500, {});
	json(response, 200, document);
}

const ADA = { name: 'Ada', email: 'ada@example.com', role: 'Client' };
const BEN = { name: 'Ben', email: 'ben@example.com', role: 'HR' };
const SEND = 'POST /templates/{id}/send';

/** Sends to Ada and Ben as the request spells them. */
async function send(more: IDataObject = { title: 'T' }, client = quickClient(), { credential } = service) {
	const body = { recipients: [{ ...ADA, role: 'client' }, BEN], ...more };
	const request = { path: { id: 'tpl_1' }, body, itemIndex: 1 };
	return (await inNode(credential, async (context) => (await client.call(context, SEND, request)) as IDataObject))
		.value;
}

function requests(): string[] {
	return service.seen.map(
		({ method, url }) => `${method} ${url.replace('/v1', '').replace(/\?.*/, '').replace('tpl_1', '{id}')}`,
	);
}

describe('After a lost answer to POST /templates/{id}/send', () => {
	it('the document that it left is found with one request, and returned as if nothing had happened', async () => {
		plan = ['lost after'];
		expect(await send()).toEqual(documents[0]);
		expect(requests()).toEqual([SEND, 'GET /documents']);
	});

	it('the document with the name of the template is found for a send without a title', async () => {
		plan = ['lost after'];
		await send({});
		expect(requests()).toEqual([SEND, 'GET /documents', 'GET /templates/{id}']);
		expect(documents).toHaveLength(1);
	});

	it('it is sent again if nothing was left, and the template is not read where no document could be the one', async () => {
		plan = ['lost before', 'lost before'];
		await send({});
		expect(documents).toHaveLength(1);
		expect(requests()).toEqual([SEND, 'GET /documents', SEND, 'GET /documents', SEND]);
	});

	it.each<[string, IDataObject]>([
		['an older one', { created_at: createdAgo(60_000) }],
		['one with another title', { title: 'U' }],
		['one with another recipient', { recipients: people(ADA, { ...BEN, email: 'other@example.com' }) }],
		['one with another name', { recipients: people(ADA, { ...BEN, name: 'Benjamin' }) }],
		['one with a recipient more', { recipients: people(ADA, BEN, { name: 'C', email: 'c@example.com' }) }],
		['one with the roles exchanged', { recipients: people({ ...ADA, role: 'HR' }, { ...BEN, role: 'Client' }) }],
		['a draft', { status: 'draft' }],
	])('%s is not taken for it', async (_, other) => {
		plan = ['lost before'];
		documents = [made({ recipients: people(ADA, BEN), ...other })];
		expect((await send()).id).toBe(documents[1]?.id);
		expect(documents).toHaveLength(2);
	});

	it('the recipients may be listed in any order, and e-mail addresses in any case', async () => {
		plan = ['lost after'];
		onCreate = (document) => {
			document.recipients = people({ ...BEN, email: 'BEN@Example.com' }, ADA);
		};
		await send();
		expect(documents).toHaveLength(1);
	});

	it('items that create the same at the same time each get their own', async () => {
		const client = quickClient();
		plan = ['lost after', 'answer', 'lost before', 'lost after', 'answer'];
		const outputs = await Promise.all([1, 2, 3, 4].map(async () => await send({ title: 'T' }, client)));
		expect(new Set(outputs.map(({ id }) => id)).size).toBe(4);
		expect(documents).toHaveLength(4);
	});

	it('more than one that fits ends it, and both are named', async () => {
		plan = ['lost after'];
		onCreate = () => documents.push(made({ recipients: people(ADA, BEN) }));
		await expect(send()).rejects.toMatchObject({
			message: expect.stringMatching(/2 documents fit.*doc_[12], doc_[12]/) as string,
			context: { itemIndex: 1, outcome: 'in doubt' },
		});
		expect(requests()).toEqual([SEND, 'GET /documents']);
	});

	it('the outcome is in doubt while the service is down, and nothing is sent again', async () => {
		const down = await startScripted((_, response) => json(response, 503, {}));
		const failure = await send({}, quickClient({ attempts: 3 }), down).catch((error: unknown) => error);
		await down.close();
		expect(failure).toMatchObject({
			name: 'NodeApiError',
			httpCode: '503',
			message: expect.stringContaining('whether the document was created is not known') as string,
			context: { outcome: 'in doubt', itemIndex: 1 },
		});
		expect(down.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('a look is the last thing that happens before giving up: the error says that nothing was created', async () => {
		plan = Array.from({ length: 9 }, () => 'lost before' as const);
		await expect(send({}, quickClient({ attempts: 3 }))).rejects.toMatchObject({
			httpCode: '500',
			description: expect.stringContaining('nothing has been created') as string,
		});
		expect(requests().filter((request) => request === SEND)).toHaveLength(3);
		expect(requests().at(-1)).toBe('GET /documents');
	});

	it('what the last attempt left is found', async () => {
		plan = ['lost before', 'lost after'];
		expect(await send({}, quickClient({ attempts: 2 }))).toEqual(documents[0]);
	});

	it('embed links that went with it are made anew, for those who sign', async () => {
		plan = ['lost after'];
		const output = await send({ embed: { expires_in: 600, redirect_url: 'https://x.example' } });
		expect(output.embed_links).toEqual([
			{
				recipient_id: 'rcp_0',
				url: 'https://embed/v1/documents/doc_1/recipients/rcp_0/embed-link',
				expires_at: 'later',
			},
		]);
		expect(service.seen.at(-1)?.body).toBe('{"expires_in":600,"redirect_url":"https://x.example"}');
	});
});
