import type { ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { runOf, type ApiRequest, type Endpoint } from '../../../nodes/ESign/client';
import { backoffMs } from '../../../nodes/ESign/client/once/attempts';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, scriptedOfThisFile, startScripted, type Seen } from '../support/scriptedService';

type Reply = (response: ServerResponse, request: Seen) => void;

let replies: Reply[];
const service = scriptedOfThisFile((request, response) => (replies.shift() ?? status(599))(response, request));

beforeEach(() => {
	replies = [];
});

const status =
	(code: number, body: unknown = {}, headers: Record<string, string> = {}): Reply =>
	(response) =>
		json(response, code, body, headers);
const refusal = (code: number, name: string) => status(code, { error: { code: name, message: '' } });
/** A list that is made when it is asked for: what a lost call has left was created after it was sent. */
const listed =
	(entries: () => IDataObject[]): Reply =>
	(response) =>
		json(response, 200, { data: entries() });
const drop: Reply = (response) => response.destroy();
const garbage: Reply = (response) =>
	response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "doc_');
const cut: Reply = (response) => {
	response.writeHead(200, { 'content-length': '1000' });
	response.write('{"id"', () => response.destroy());
};

const path = { id: 'doc_1', linkId: 'lnk_1', recipientId: 'rcp_1', deliveryId: 'dlv_1', variant: 'signed' };

async function call(endpoint: Endpoint, request: ApiRequest = {}, client = quickClient()): Promise<IDataObject> {
	const { value } = await inNode(service.credential, async (context) => {
		runOf(context).beginTry(0, { line: 'the line', item: 'the item', raw: '', ids: [], saved: [] });
		return (await client.call(context, endpoint, { path, itemIndex: 0, ...request })) as IDataObject;
	});
	return value;
}

function requests(): string[] {
	return service.seen.map(({ method, url }) => `${method} ${url.replace('/v1', '')}`);
}

describe('A call that meets faults', () => {
	it.each<[string, Reply]>([
		['a fault', status(500)],
		['a gateway that gives up', status(408)],
		['a broken connection', drop],
		['an answer that is not JSON', garbage],
		['an answer cut short', cut],
		['a page of a proxy', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
	])('of the kind "%s" is sent again, and no more often than need be', async (_, fault) => {
		replies = [fault, fault, status(200, { url: 'https://x' })];
		await expect(call('GET /documents/{id}/files/{variant}')).resolves.toEqual({ url: 'https://x' });
		expect(service.seen).toHaveLength(3);
	});

	it('is given up after a few attempts, with what is known', async () => {
		replies = Array.from({ length: 9 }, () => refusal(500, 'internal_error'));
		await expect(call('PUT /documents/{id}/fields', { itemIndex: 2 })).rejects.toMatchObject({
			httpCode: '500',
			message: 'Could not replace the fields: the service answered with status 500',
			description: expect.stringContaining('Tried 6 times'),
			context: { code: 'internal_error', itemIndex: 2, outcome: 'in doubt' },
		});
		expect(service.seen).toHaveLength(6);
	});

	it.each<[Endpoint, ApiRequest]>([
		['POST /documents/{id}/send', {}],
		['POST /documents/{id}/cancel', {}],
		['PUT /documents/{id}/fields', { body: { fields: [] } }],
	])('is in doubt where the repetition of a lost one is refused: %s', async (endpoint, request) => {
		replies = [drop, refusal(403, 'org_suspended')];
		await expect(call(endpoint, request)).rejects.toMatchObject({
			httpCode: '403',
			description: expect.stringContaining('It may or may not have been carried out'),
			context: { code: 'org_suspended', outcome: 'in doubt' },
		});
		expect(service.seen).toHaveLength(2);
	});

	it('is refused as it is where a lost attempt would harm nobody', async () => {
		replies = [drop, refusal(403, 'org_suspended')];
		const error = await call('POST /webhooks/{id}/deliveries/{deliveryId}/replay').catch((failure: unknown) => failure);
		expect(error).not.toMatchObject({ context: { outcome: 'in doubt' } });
		expect(error).toMatchObject({ httpCode: '403' });
	});

	it('is not sent again after a refusal', async () => {
		replies = [refusal(400, 'validation_error')];
		await expect(call('POST /documents')).rejects.toMatchObject({ httpCode: '400' });
		expect(service.seen).toHaveLength(1);
	});

	it.each([
		['the first time', 1, 0, 500],
		['twice as long each time', 4, 0, 4_000],
		['by a share of chance', 4, 1, 8_000],
		['up to the longest', 9, 1, 60_000],
		['as long as a fault asks', 1, 0, 30_000, 30_000],
		['but no longer than a minute', 1, 0, 60_000, 90_000],
	])('waits before it is sent again: %s', (_, failures, random, pause, retryAfterMs = 0) => {
		const settings = { backoffMs: 1000, longestBackoffMs: 60_000, random: () => random };
		const outcome = { kind: 'unknown', reason: '', late: false, retryAfterMs } as const;
		expect(backoffMs(settings, failures, outcome)).toBe(pause);
	});

	it('is sent again without a look if it never reached the service', async () => {
		const unreachable = { ...service.credential, baseUrl: 'http://127.0.0.1:1/v1' };
		const client = quickClient({ attempts: 3 });
		const failure = await inNode(unreachable, async (context) => await client.call(context, 'POST /documents')).catch(
			(error: unknown) => error,
		);
		expect(failure).toMatchObject({
			message: 'Could not create the document: nothing listens at the address of the service',
			description: expect.stringContaining('Nothing has been carried out.'),
			context: { outcome: 'not sent' },
		});
	});
});

describe('A call that is given up', () => {
	it('says that it may have been carried out, if an earlier attempt may have been', async () => {
		const origin = await startScripted((_, response) => {
			response.destroy();
			void origin.close();
		});
		const client = quickClient({ attempts: 3 });
		const put = inNode(
			origin.credential,
			async (context) => await client.call(context, 'PUT /documents/{id}/fields', { path, body: {} }),
		);
		await expect(put).rejects.toMatchObject({
			message: 'Could not replace the fields: nothing listens at the address of the service',
			description: expect.stringContaining('It may or may not have been carried out') as string,
			context: { outcome: 'in doubt' },
		});
	});
});

describe.each<[Endpoint, string, string]>([
	['POST /documents/{id}/send', 'document_not_draft', 'in_progress'],
	['POST /documents/{id}/cancel', 'document_not_in_progress', 'cancelled'],
])('%s', (endpoint, code, wanted) => {
	it('refused as already done after a fault, is a success if the document is in the wanted state', async () => {
		replies = [status(502), refusal(409, code), status(200, { id: 'doc_1', status: wanted })];
		await expect(call(endpoint)).resolves.toEqual({ id: 'doc_1', status: wanted });
		expect(requests().at(-1)).toBe('GET /documents/doc_1');
	});

	it('refused after a fault, stays refused if the document is in another state', async () => {
		replies = [status(502), refusal(409, code), status(200, { id: 'doc_1', status: 'draft' })];
		await expect(call(endpoint)).rejects.toMatchObject({ httpCode: '409', context: { code } });
	});

	it('refused after a fault, says that it is in doubt if the document cannot be read', async () => {
		replies = [status(502), refusal(409, code), status(503), status(503)];
		await expect(call(endpoint, {}, quickClient({ attempts: 2 }))).rejects.toMatchObject({
			message: expect.stringContaining('was lost: what it did to the document is not known'),
			description: expect.stringContaining('may or may not have been carried out'),
			context: { outcome: 'in doubt' },
		});
	});

	it('given up in doubt, and refused as already done when the item is tried again, is a success then', async () => {
		const client = quickClient({ attempts: 2 });
		replies = [status(500), status(500), status(503), status(503)];
		await expect(call(endpoint, {}, client)).rejects.toMatchObject({ context: { outcome: 'in doubt' } });
		replies = [refusal(409, code), status(200, { id: 'doc_1', status: wanted })];
		await expect(call(endpoint, {}, client)).resolves.toMatchObject({ status: wanted });

		service.seen.length = 0;
		replies = [refusal(409, code)];
		await expect(call(endpoint, {}, client)).rejects.toMatchObject({ httpCode: '409' });
		expect(service.seen).toHaveLength(1);
	});

	it('refused at once, costs no further request', async () => {
		replies = [refusal(409, code)];
		await expect(call(endpoint)).rejects.toMatchObject({ httpCode: '409' });
		expect(service.seen).toHaveLength(1);
	});

	it('whose last attempt was lost, is a success if the document is in the wanted state', async () => {
		replies = [status(500), status(500), status(200, { id: 'doc_1', status: wanted })];
		await expect(call(endpoint, {}, quickClient({ attempts: 2 }))).resolves.toMatchObject({ status: wanted });
	});
});

it.each(['completed', 'declined', 'expired'])('A document found %s has been sent', async (state) => {
	replies = [drop, refusal(409, 'document_not_draft'), status(200, { id: 'doc_1', status: state })];
	await expect(call('POST /documents/{id}/send')).resolves.toMatchObject({ status: state });
});

describe.each<[Endpoint, string]>([
	['DELETE /template-links/{linkId}', 'lnk_1'],
	['DELETE /webhooks/{id}', 'doc_1'],
])('%s', (endpoint, id) => {
	it('that finds nothing after a fault has succeeded', async () => {
		replies = [status(500), refusal(404, 'template_link_not_found')];
		await expect(call(endpoint)).resolves.toEqual({ id, deleted: true });
	});

	it('that finds nothing at once has failed', async () => {
		replies = [refusal(404, 'template_link_not_found')];
		await expect(call(endpoint)).rejects.toMatchObject({ httpCode: '404' });
	});
});

describe('POST /webhooks', () => {
	const url = 'https://n8n.example.com/webhook/1';
	const request = { body: { url, events: ['document.sent'] } };
	const endpoint = (id: string, more: IDataObject = {}) => ({ id, url, created_at: new Date().toISOString(), ...more });

	it('deletes the endpoint that a lost answer left, whose secret nobody knows, before it creates another', async () => {
		const other = endpoint('whk_other', { url: 'https://n8n.example.com/webhook/2' });
		const old = endpoint('whk_old', { created_at: '2020-01-01T00:00:00.000Z' });
		replies = [
			status(500),
			listed(() => [endpoint('whk_lost'), other, old]),
			status(200, { id: 'whk_lost', deleted: true }),
			status(201, { id: 'whk_new' }),
		];
		await expect(call('POST /webhooks', request)).resolves.toEqual({ id: 'whk_new' });
		expect(requests()).toEqual(['POST /webhooks', 'GET /webhooks', 'DELETE /webhooks/whk_lost', 'POST /webhooks']);
	});

	it('leaves nothing behind when it gives up', async () => {
		replies = [status(500), listed(() => [endpoint('whk_lost')]), status(200, { id: 'whk_lost', deleted: true })];
		await expect(call('POST /webhooks', request, quickClient({ attempts: 1 }))).rejects.toMatchObject({
			description: expect.stringContaining('nothing has been created'),
		});
		expect(requests().at(-1)).toBe('DELETE /webhooks/whk_lost');
	});
});

describe('POST /templates/{id}/links', () => {
	const signers = [
		{ placeholder_id: 'ph_1', is_open: true },
		{ placeholder_id: 'ph_2', is_open: false, name: 'Ben', email: 'Ben@example.com' },
	];
	const body = { signers, label: 'L', max_uses: 5, expires_at: '2030-01-01T00:00:00Z' };
	const link = (more: IDataObject = {}) => ({
		id: 'lnk_9',
		label: 'L',
		headline: null,
		message: null,
		redirect_url: null,
		expires_at: '2030-01-01T00:00:00.000Z',
		max_uses: 5,
		signers: [
			{ placeholder_id: 'ph_2', role: 'B', is_open: false, name: 'Ben', email: 'ben@example.com' },
			{ placeholder_id: 'ph_1', role: 'A', is_open: true, name: null, email: null },
		],
		created_at: new Date().toISOString(),
		...more,
	});

	it('finds the link that a lost answer left', async () => {
		replies = [status(500), listed(() => [link()])];
		await expect(call('POST /templates/{id}/links', { body })).resolves.toMatchObject({ id: 'lnk_9' });
	});

	it.each<[string, IDataObject]>([
		['label', { label: 'M' }],
		['headline', { headline: 'H' }],
		['limit', { max_uses: 6 }],
		['end', { expires_at: null }],
		['signer', { signers: [{ placeholder_id: 'ph_1', is_open: true }] }],
		['age', { created_at: '2020-01-01T00:00:00.000Z' }],
	])('does not take one with another %s for it', async (_, more) => {
		replies = [status(500), listed(() => [link(more)]), status(201, link({ id: 'lnk_new' }))];
		await expect(call('POST /templates/{id}/links', { body })).resolves.toMatchObject({ id: 'lnk_new' });
	});
});
