import type { ServerResponse } from 'node:http';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { ApiRequest, Endpoint, Client } from '../../../nodes/ESign/client';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, startScripted, type ScriptedService, type Seen } from '../support/scriptedService';

/** What POST does: create and answer, or lose the answer before or after creating. */
type Plan = 'answer' | 'lost before' | 'lost after';

let service: ScriptedService;
let plan: Plan[];
let documents: IDataObject[];
let sequence: number;
/** The order in which the list is given; docs/service.md does not show one. */
let order: (entries: IDataObject[]) => IDataObject[];
let onCreate: (document: IDataObject) => void;

beforeAll(async () => {
	service = await startScripted(serve);
});
beforeEach(() => {
	service.seen.length = 0;
	plan = [];
	documents = [];
	sequence = 0;
	order = (entries) => [...entries].reverse();
	onCreate = () => undefined;
});
afterAll(async () => await service.close());

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
	const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
	if (method === 'GET' && pathname === '/v1/documents') {
		const start = Number(searchParams.get('cursor') ?? 0);
		const end = start + Number(searchParams.get('limit'));
		const all = order(documents);
		return json(response, 200, {
			data: all.slice(start, end),
			has_more: end < all.length,
			next_cursor: end < all.length ? `${end}` : null,
		});
	}
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
	if (pathname.endsWith('/send') && pathname.startsWith('/v1/documents')) {
		const document = documents.find(({ id }) => pathname.includes(`/${String(id)}/`));
		return json(response, 200, { ...document, status: 'in_progress' });
	}
	const step = plan.shift() ?? 'answer';
	if (step === 'lost before') return json(response, 500, {});
	const { title, recipients = [] } = JSON.parse(body) as { title?: string; recipients?: IDataObject[] };
	const isTemplate = pathname.startsWith('/v1/templates');
	const document = made({
		title: title ?? (isTemplate ? 'The template' : 'Untitled document'),
		status: isTemplate ? 'in_progress' : 'draft',
		recipients: people(...recipients.map(({ name, email, role = null }) => ({ name, email, role }))),
	});
	documents.push(document);
	onCreate(document);
	if (step === 'lost after') return json(response, 500, {});
	json(response, 200, document);
}

const ADA = { name: 'Ada', email: 'ada@example.com' };
const BEN = { name: 'Ben', email: 'ben@example.com' };
const path = { id: 'tpl_1' };
const CREATE: ApiRequest = { path, body: { recipients: [ADA, BEN], title: 'T' }, itemIndex: 1 };

async function call(
	request: ApiRequest = CREATE,
	endpoint: Endpoint = 'POST /templates/{id}/send',
	client: Client = quickClient(),
): Promise<IDataObject> {
	const { value } = await inNode(
		service.credential,
		async (context) => (await client.call(context, endpoint, request)) as IDataObject,
	);
	return value;
}

function requests(): string[] {
	return service.seen.map(
		({ method, url }) => `${method} ${url.replace('/v1', '').replace(/\?.*/, '').replace('tpl_1', '{id}')}`,
	);
}

describe('After a lost answer to POST /templates/{id}/send', () => {
	it('the document that it left is found with one request, and returned as if nothing had happened', async () => {
		plan = ['lost after'];
		const output = await call();
		expect(output).toEqual(documents[0]);
		expect(requests()).toEqual(['POST /templates/{id}/send', 'GET /documents']);
	});

	it('it is sent again if nothing was left', async () => {
		plan = ['lost before', 'lost before'];
		await call();
		expect(documents).toHaveLength(1);
		expect(requests()).toEqual([
			'POST /templates/{id}/send',
			'GET /documents',
			'POST /templates/{id}/send',
			'GET /documents',
			'POST /templates/{id}/send',
		]);
	});

	it.each<[string, () => IDataObject]>([
		['an older one', () => made({ created_at: createdAgo(60_000), recipients: people(ADA, BEN) })],
		['one with another title', () => made({ title: 'U', recipients: people(ADA, BEN) })],
		['one with another recipient', () => made({ recipients: people(ADA, { ...BEN, email: 'other@example.com' }) })],
		['one with another name', () => made({ recipients: people(ADA, { ...BEN, name: 'Benjamin' }) })],
		[
			'one with one recipient more',
			() => made({ recipients: people(ADA, BEN, { name: 'C', email: 'c@example.com' }) }),
		],
		['one from a template', () => made({ recipients: people({ ...ADA, role: 'Client' }, { ...BEN, role: 'HR' }) })],
	])('%s is not taken for it', async (_, other) => {
		plan = ['lost before'];
		documents = [other()];
		const output = await call();
		expect(documents).toHaveLength(2);
		expect(output.id).toBe(documents[1]?.id);
	});

	it('the recipients may be listed in any order, and e-mail addresses in any case', async () => {
		plan = ['lost after'];
		onCreate = (document) => {
			document.recipients = people({ ...BEN, email: 'BEN@Example.com' }, ADA);
		};
		await call();
		expect(documents).toHaveLength(1);
	});

	it('a document without a title has the default one', async () => {
		plan = ['lost after'];
		await call({ path, body: { recipients: [ADA] } });
		expect(documents).toHaveLength(1);
	});

	it('a document that another item was given is not returned twice', async () => {
		const client = quickClient();
		const first = await call(CREATE, 'POST /templates/{id}/send', client);
		plan = ['lost before'];
		const second = await call(CREATE, 'POST /templates/{id}/send', client);
		expect(second.id).not.toBe(first.id);
		plan = ['lost after'];
		const third = await call(CREATE, 'POST /templates/{id}/send', client);
		expect(new Set([first.id, second.id, third.id]).size).toBe(3);
		expect(documents).toHaveLength(3);
	});

	it('items that create the same at the same time each get their own', async () => {
		const client = quickClient();
		plan = ['lost after', 'answer', 'lost before', 'lost after', 'answer'];
		const outputs = await Promise.all(
			[1, 2, 3, 4].map(async () => await call(CREATE, 'POST /templates/{id}/send', client)),
		);
		expect(new Set(outputs.map(({ id }) => id)).size).toBe(4);
		expect(documents).toHaveLength(4);
	});

	it('more than one that fits ends it, and both are named', async () => {
		plan = ['lost after'];
		onCreate = () => documents.push(made({ recipients: people(ADA, BEN) }));
		const failure = (await call().catch((error: unknown) => error)) as NodeApiError;
		expect(failure.message).toContain('2 documents fit');
		expect(failure.message).toContain('doc_1');
		expect(failure.message).toContain('doc_2');
		expect(failure.context).toMatchObject({ itemIndex: 1, outcome: 'in doubt' });
		expect(requests()).toEqual(['POST /templates/{id}/send', 'GET /documents']);
	});
});

describe('Looking for a lost document', () => {
	const many = (count: number) =>
		Array.from({ length: count }, (_, index) =>
			made({ title: `Old ${index}`, created_at: createdAgo((count - index) * 60_000), recipients: [] }),
		);

	it('reads no further than the request began, where the list is seen to descend', async () => {
		plan = ['lost before'];
		documents = many(350);
		await call();
		expect(requests().filter((request) => request === 'GET /documents')).toHaveLength(1);
	});

	it.each<[string, typeof order]>([
		['ascends', (entries) => [...entries]],
		[
			'is in no order',
			(entries) => [...entries].sort((one, other) => String(one.title).localeCompare(String(other.title))),
		],
	])('reads the whole list where it %s', async (_, listed) => {
		plan = ['lost after'];
		order = listed;
		documents = many(350);
		const output = await call();
		expect(documents).toHaveLength(351);
		expect(output).toEqual(documents[350]);
	});

	it('ends at a cursor that comes again, in doubt', async () => {
		const endless = await startScripted(({ method }, response) =>
			json(response, method === 'POST' ? 500 : 200, { data: [], has_more: true, next_cursor: 'same' }),
		);
		const failure = await inNode(
			endless.credential,
			async (context) => await quickClient().call(context, 'POST /templates/{id}/send', CREATE),
		).catch((error: unknown) => error);
		await endless.close();
		expect(failure).toMatchObject({ context: { outcome: 'in doubt' } });
		expect(endless.seen).toHaveLength(3);
	});

	it('finds nothing out while the service is down, and says that the outcome is in doubt', async () => {
		const down = await startScripted((_, response) => json(response, 503, {}));
		const client = quickClient({ attempts: 3 });
		const failure = await inNode(
			down.credential,
			async (context) => await client.call(context, 'POST /templates/{id}/send', CREATE),
		).catch((error: unknown) => error);
		await down.close();
		expect(failure).toMatchObject({
			name: 'NodeApiError',
			httpCode: '503',
			message: expect.stringContaining('whether the document was created is not known'),
			context: { outcome: 'in doubt', itemIndex: 1 },
		});
		expect(down.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('is the last thing that happens before giving up: the error says that nothing was created', async () => {
		plan = Array.from({ length: 9 }, () => 'lost before' as const);
		const failure = await call(CREATE, 'POST /templates/{id}/send', quickClient({ attempts: 3 })).catch(
			(error: unknown) => error,
		);
		expect(failure).toMatchObject({
			httpCode: '500',
			description: expect.stringContaining('nothing has been created'),
		});
		expect(requests().filter((request) => request === 'POST /templates/{id}/send')).toHaveLength(3);
		expect(requests().at(-1)).toBe('GET /documents');
	});

	it('finds what the last attempt left', async () => {
		plan = ['lost before', 'lost after'];
		const output = await call(CREATE, 'POST /templates/{id}/send', quickClient({ attempts: 2 }));
		expect(output).toEqual(documents[0]);
	});
});

describe('After a lost answer to POST /templates/{id}/send', () => {
	const endpoint = 'POST /templates/{id}/send';
	const request = (more: IDataObject = {}): ApiRequest => ({
		path: { id: 'tpl_1' },
		body: {
			recipients: [
				{ ...ADA, role: 'client' },
				{ ...BEN, role: 'HR' },
			],
			...more,
		},
	});

	it('the document with its title is found without reading the template', async () => {
		plan = ['lost after'];
		await call(request({ title: 'T' }), endpoint);
		expect(requests()).toEqual(['POST /templates/{id}/send', 'GET /documents']);
		expect(documents).toHaveLength(1);
	});

	it('the document with the name of the template is found for a send without a title', async () => {
		plan = ['lost after'];
		await call(request(), endpoint);
		expect(requests()).toEqual(['POST /templates/{id}/send', 'GET /documents', 'GET /templates/{id}']);
		expect(documents).toHaveLength(1);
	});

	it('the template is not read where no document could be the one', async () => {
		plan = ['lost before'];
		await call(request(), endpoint);
		expect(requests()).toEqual(['POST /templates/{id}/send', 'GET /documents', 'POST /templates/{id}/send']);
	});

	it('the roles decide', async () => {
		plan = ['lost before'];
		documents = [made({ recipients: people({ ...ADA, role: 'HR' }, { ...BEN, role: 'Client' }) })];
		await call(request({ title: 'T' }), endpoint);
		expect(documents).toHaveLength(2);
	});

	it('embed links that went with it are made anew, for those who sign', async () => {
		plan = ['lost after'];
		const output = await call(request({ embed: { expires_in: 600, redirect_url: 'https://x.example' } }), endpoint);
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
