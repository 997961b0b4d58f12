import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Recorded } from './support/serviceRecord';
import { contract, DRAFT, Workbench } from './support/workbench';

let bench: Workbench;

beforeAll(async () => {
	bench = await Workbench.open();
});
beforeEach(async () => {
	await bench.sandbox.control.reset();
	bench.takeRequests();
});
afterAll(async () => await bench.close());

/** A locator whose ID comes from the item. */
const fromItem = (name: string): INodeParameters => ({ __rl: true, mode: 'id', value: `={{ $json.${name} }}` });

const SIGNERS = [
	{ name: 'Ada Lovelace', email: 'ada@example.com' },
	{ name: 'Grace Hopper', email: 'grace@example.com' },
];

/** Two documents of one signer each, in the state that the test needs. */
async function documents(send: boolean): Promise<Array<{ documentId: string; recipientId: string }>> {
	const made: Array<{ documentId: string; recipientId: string }> = [];
	for (const signer of SIGNERS) {
		const [document] = await bench.prepare('document', 'create', {
			...DRAFT,
			recipients: { recipient: [{ ...signer, type: 'signer' }] },
			send,
		});
		const [recipient] = document?.recipients as IDataObject[];
		made.push({ documentId: String(document?.id), recipientId: String(recipient?.id) });
	}
	return made;
}

async function templateIds(): Promise<{ nda: string; offer: string }> {
	const templates = await bench.prepare('template', 'getAll');
	const idOf = (name: string) => String(templates.find((template) => template.name === name)?.id);
	return { nda: idOf('Mutual NDA'), offer: idOf('Offer Letter') };
}

async function webhooks(): Promise<string[]> {
	const made: string[] = [];
	for (const port of [9, 10]) {
		const url = `http://127.0.0.1:${port}/events`;
		const [webhook] = await bench.prepare('webhook', 'create', {
			url,
			events: ['document.sent', 'document.cancelled'],
		});
		made.push(String(webhook?.id));
	}
	return made;
}

async function links(): Promise<string[]> {
	const { nda } = await templateIds();
	const [template] = await bench.prepare('template', 'get', { templateId: { __rl: true, mode: 'id', value: nda } });
	const roles = template?.roles as IDataObject[];
	const made: string[] = [];
	for (const label of ['Website', 'Newsletter']) {
		const signersJson = JSON.stringify([
			{ placeholderId: roles[0]?.id, isOpen: true },
			{ placeholderId: roles[1]?.id, isOpen: false, ...SIGNERS[0] },
		]);
		const [link] = await bench.prepare('templateLink', 'create', {
			templateId: { __rl: true, mode: 'id', value: nda },
			signersInput: 'json',
			signersJson,
			additionalFields: { label },
		});
		made.push(String(link?.id));
	}
	return made;
}

/** Runs an operation on two items and checks that it succeeds, in order and paired. */
async function run(
	[resource, operation]: [string, string],
	parameters: INodeParameters,
	items: INodeExecutionData[],
): Promise<{ requests: Recorded[]; output: IDataObject[] }> {
	const { items: output, error } = await bench.run(resource, operation, parameters, { items });
	expect(error).toBeUndefined();
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	return { requests: bench.takeRequests(), output: output.map(({ json }) => json) };
}

const items = (...jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));

/** A request as it has to be: nothing but what is named. */
function sent(method: string, path: string, { query = {}, body }: { query?: object; body?: unknown } = {}): object {
	return { method, path, query, body };
}

/** What the record holds of a request that was allowed, without how it was encoded. */
function asSent(requests: readonly Recorded[]): object[] {
	for (const { status } of requests) expect(status).toBeLessThan(300);
	return requests.map(({ method, path, query, body }) => ({ method, path, query, body }));
}

describe('Account', () => {
	it('get: GET /account', async () => {
		const { requests, output } = await run(['account', 'get'], {}, items({}, {}));
		expect(asSent(requests)).toEqual([sent('GET', '/account'), sent('GET', '/account')]);
		expect(output[1]).toMatchObject({ mode: 'TEST', usage: { documents_used: 0 } });
	});
});

describe('File', () => {
	it('upload: POST /files with one part named file', async () => {
		const files = [
			{ json: {}, binary: { data: await contract('first.pdf') } },
			{ json: {}, binary: { data: await contract('zweiter Vertrag ü.pdf') } },
		];
		const { requests, output } = await run(['file', 'upload'], { binaryPropertyName: 'data' }, files);
		expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
			['POST', '/files', 201],
			['POST', '/files', 201],
		]);
		for (const { body, contentType } of requests) {
			expect(contentType).toMatch(/^multipart\/form-data; boundary=/);
			expect(String(body).match(/content-disposition: form-data; name="[^"]*"/gi)).toEqual([
				'Content-Disposition: form-data; name="file"',
			]);
		}
		expect(output).toMatchObject([
			{ name: 'first.pdf', mime_type: 'application/pdf' },
			{ name: 'zweiter Vertrag ü.pdf', mime_type: 'application/pdf' },
		]);
	});
});

describe('Document', () => {
	it('create: POST /documents with nothing that is not set', async () => {
		const uploads = [
			{ json: { who: SIGNERS[0] as IDataObject, title: 'First' }, binary: { data: await contract('a.pdf') } },
			{ json: { who: SIGNERS[1] as IDataObject, title: 'Second' }, binary: { data: await contract('b.pdf') } },
		];
		const { requests, output } = await run(
			['document', 'create'],
			{
				recipients: { recipient: [{ name: '={{ $json.who.name }}', email: '={{ $json.who.email }}' }] },
				additionalFields: { title: '={{ $json.title }}', routing: 'sequential' },
			},
			uploads,
		);
		const posts = requests.filter(({ path }) => path === '/documents');
		expect(asSent(posts)).toEqual([
			sent('POST', '/documents', {
				body: {
					files: output[0]?.file_ids,
					recipients: [{ ...SIGNERS[0], type: 'signer' }],
					title: 'First',
					routing: 'sequential',
				},
			}),
			sent('POST', '/documents', {
				body: {
					files: output[1]?.file_ids,
					recipients: [{ ...SIGNERS[1], type: 'signer' }],
					title: 'Second',
					routing: 'sequential',
				},
			}),
		]);
		expect(output).toMatchObject([
			{ status: 'draft', title: 'First' },
			{ status: 'draft', title: 'Second' },
		]);
	});

	it('get: GET /documents/{id}', async () => {
		const made = await documents(false);
		const { requests, output } = await run(['document', 'get'], { documentId: fromItem('documentId') }, items(...made));
		expect(asSent(requests)).toEqual(made.map(({ documentId }) => sent('GET', `/documents/${documentId}`)));
		expect(output.map(({ id }) => id)).toEqual(made.map(({ documentId }) => documentId));
	});

	it('getAll: GET /documents with limit and status', async () => {
		await documents(false);
		const { requests, output } = await run(
			['document', 'getAll'],
			{ limit: '={{ $json.limit }}', filters: { status: 'draft' } },
			items({ limit: 1 }, { limit: 1 }),
		);
		const query = { limit: '1', status: 'draft' };
		expect(asSent(requests)).toEqual([sent('GET', '/documents', { query }), sent('GET', '/documents', { query })]);
		expect(output).toHaveLength(2);
	});

	it('getAll: without a filter no status is sent', async () => {
		await bench.run('document', 'getAll', { returnAll: true });
		expect(asSent(bench.takeRequests())).toEqual([sent('GET', '/documents', { query: { limit: '100' } })]);
	});

	it('send: POST /documents/{id}/send without a body', async () => {
		const made = await documents(false);
		const { requests, output } = await run(
			['document', 'send'],
			{ documentId: fromItem('documentId') },
			items(...made),
		);
		expect(asSent(requests)).toEqual(made.map(({ documentId }) => sent('POST', `/documents/${documentId}/send`)));
		expect(output.map(({ status }) => status)).toEqual(['in_progress', 'in_progress']);
	});

	it('cancel: POST /documents/{id}/cancel without a body', async () => {
		const made = await documents(true);
		const { requests, output } = await run(
			['document', 'cancel'],
			{ documentId: fromItem('documentId') },
			items(...made),
		);
		expect(asSent(requests)).toEqual(made.map(({ documentId }) => sent('POST', `/documents/${documentId}/cancel`)));
		expect(output.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
	});

	it('remind: POST /documents/{id}/remind with a body only for one recipient', async () => {
		const [first, second] = await documents(true);
		const { requests, output } = await run(
			['document', 'remind'],
			{ documentId: fromItem('documentId'), recipientId: fromItem('recipientId') },
			items({ documentId: first?.documentId, recipientId: '' }, { ...second }),
		);
		expect(asSent(requests)).toEqual([
			sent('POST', `/documents/${first?.documentId}/remind`),
			sent('POST', `/documents/${second?.documentId}/remind`, { body: { recipient_id: second?.recipientId } }),
		]);
		expect(output.map(({ reminded }) => reminded)).toEqual([1, 1]);
	});

	it('updateRecipients: PUT /documents/{id}/recipients', async () => {
		const made = await documents(false);
		const { requests, output } = await run(
			['document', 'updateRecipients'],
			{
				documentId: fromItem('documentId'),
				recipientsInput: 'json',
				recipientsJson: '={{ $json.recipients }}',
			},
			items(
				{ ...made[0], recipients: [{ name: 'A', email: 'a@example.com', pin: 4711 }] },
				{ ...made[1], recipients: [{ name: 'B', email: 'b@example.com', type: 'cc', phone: '+44 1' }] },
			),
		);
		expect(asSent(requests)).toEqual([
			sent('PUT', `/documents/${made[0]?.documentId}/recipients`, {
				body: { recipients: [{ name: 'A', email: 'a@example.com', pin: '4711' }] },
			}),
			sent('PUT', `/documents/${made[1]?.documentId}/recipients`, {
				body: { recipients: [{ name: 'B', email: 'b@example.com', type: 'cc', phone: '+44 1' }] },
			}),
		]);
		expect(output).toMatchObject([
			{ recipients: [{ email: 'a@example.com' }] },
			{ recipients: [{ email: 'b@example.com' }] },
		]);
	});

	it('updateFields: GET for the ids, then PUT /documents/{id}/fields', async () => {
		const made = await documents(false);
		const box = { pageNumber: 1, xNorm: 0.1, yNorm: 0.2, widthNorm: 0.3, heightNorm: 0.05 };
		const { requests, output } = await run(
			['document', 'updateFields'],
			{ documentId: fromItem('documentId'), fieldsInput: 'json', fieldsJson: '={{ $json.fields }}' },
			items(
				{ ...made[0], fields: [{ recipient: 'ADA@example.com', type: 'SIGNATURE', ...box }] },
				{
					...made[1],
					fields: [{ recipient: 1, type: 'dropdown', ...box, dropdownOptions: ['x', 'y'], required: false }],
				},
			),
		);
		const [first, second] = made;
		expect(asSent(requests)).toEqual([
			sent('GET', `/documents/${first?.documentId}`),
			sent('PUT', `/documents/${first?.documentId}/fields`, {
				body: { fields: [{ recipientId: first?.recipientId, type: 'SIGNATURE', ...box }] },
			}),
			sent('GET', `/documents/${second?.documentId}`),
			sent('PUT', `/documents/${second?.documentId}/fields`, {
				body: {
					fields: [
						{
							recipientId: second?.recipientId,
							type: 'DROPDOWN',
							...box,
							dropdownOptions: ['x', 'y'],
							required: false,
						},
					],
				},
			}),
		]);
		expect(output).toMatchObject([{ fields: [{ type: 'SIGNATURE' }] }, { fields: [{ type: 'DROPDOWN' }] }]);
	});

	it('download: GET /documents/{id}/files/{variant}, then the URL it gives', async () => {
		const made = await documents(false);
		const { requests, output } = await run(
			['document', 'download'],
			{ documentId: fromItem('documentId'), variants: ['original'] },
			items(...made),
		);
		expect(asSent(requests)).toEqual(
			made.map(({ documentId }) => sent('GET', `/documents/${documentId}/files/original`)),
		);
		expect(output.map(({ variant, mime_type }) => [variant, mime_type])).toEqual([
			['original', 'application/pdf'],
			['original', 'application/pdf'],
		]);
	});

	it('createEmbedLink: POST .../embed-link with a body only for what is set', async () => {
		const made = await documents(true);
		const { requests, output } = await run(
			['document', 'createEmbedLink'],
			{
				documentId: fromItem('documentId'),
				recipientId: fromItem('recipientId'),
				additionalFields: { expiresIn: '={{ $json.expiresIn }}', redirectUrl: '={{ $json.redirectUrl }}' },
			},
			items(
				{ ...made[0], expiresIn: '', redirectUrl: '' },
				{ ...made[1], expiresIn: 60, redirectUrl: 'https://app.example.com/done' },
			),
		);
		const pathOf = (index: number) =>
			`/documents/${made[index]?.documentId}/recipients/${made[index]?.recipientId}/embed-link`;
		expect(asSent(requests)).toEqual([
			sent('POST', pathOf(0)),
			sent('POST', pathOf(1), { body: { expires_in: 60, redirect_url: 'https://app.example.com/done' } }),
		]);
		expect(output.map(({ url }) => typeof url)).toEqual(['string', 'string']);
	});
});

describe('Template', () => {
	it('get: GET /templates/{id}', async () => {
		const { nda, offer } = await templateIds();
		const { requests, output } = await run(
			['template', 'get'],
			{ templateId: fromItem('id') },
			items({ id: nda }, { id: offer }),
		);
		expect(asSent(requests)).toEqual([sent('GET', `/templates/${nda}`), sent('GET', `/templates/${offer}`)]);
		expect(output.map(({ name }) => name)).toEqual(['Mutual NDA', 'Offer Letter']);
	});

	it('getAll: GET /templates', async () => {
		const { requests } = await run(['template', 'getAll'], { limit: 1 }, items({}, {}));
		const query = { limit: '1' };
		expect(asSent(requests)).toEqual([sent('GET', '/templates', { query }), sent('GET', '/templates', { query })]);
	});

	it('send: POST /templates/{id}/send with roles, values and embed options', async () => {
		const { nda, offer } = await templateIds();
		const nobody = [
			{ role: 'Client', name: 'Ada', email: 'ada@example.com' },
			{ role: 'Company', name: 'Grace', email: 'grace@example.com', phone: '+1 5' },
		];
		const { requests, output } = await run(
			['template', 'send'],
			{
				templateId: fromItem('id'),
				recipientsInput: 'json',
				recipientsJson: '={{ $json.recipients }}',
				fieldValues: { mappingMode: 'defineBelow', value: { client_company: '={{ $json.company }}', position: '' } },
				embed: '={{ $json.embed }}',
				embedOptions: { expiresIn: 300, redirectUrl: 'https://app.example.com/done' },
				additionalFields: { title: '={{ $json.title }}' },
			},
			items(
				{ id: nda, recipients: nobody, company: 'Example Ltd', embed: true, title: 'Our NDA' },
				{
					id: offer,
					recipients: [
						{ role: 'Candidate', name: 'Ada', email: 'ada@example.com' },
						{ role: 'HR', name: 'People', email: 'hr@example.com' },
					],
					company: '',
					embed: false,
					title: '',
				},
			),
		);
		expect(asSent(requests)).toEqual([
			sent('POST', `/templates/${nda}/send`, {
				body: {
					recipients: nobody,
					title: 'Our NDA',
					field_values: { client_company: 'Example Ltd' },
					send: true,
					embed: { expires_in: 300, redirect_url: 'https://app.example.com/done' },
				},
			}),
			sent('POST', `/templates/${offer}/send`, {
				body: {
					recipients: [
						{ role: 'Candidate', name: 'Ada', email: 'ada@example.com' },
						{ role: 'HR', name: 'People', email: 'hr@example.com' },
					],
					send: true,
				},
			}),
		]);
		expect(output[0]?.embed_links).toHaveLength(2);
		expect(output[1]).not.toHaveProperty('embed_links');
	});
});

describe('Template link', () => {
	it('create: POST /templates/{id}/links', async () => {
		const { nda } = await templateIds();
		const [template] = await bench.prepare('template', 'get', { templateId: { __rl: true, mode: 'id', value: nda } });
		const [client, company] = (template?.roles as IDataObject[]).map(({ id }) => String(id));
		const { requests, output } = await run(
			['templateLink', 'create'],
			{
				templateId: fromItem('template'),
				signers: {
					signer: [
						{ placeholderId: client as string, isOpen: true },
						{ placeholderId: company as string, isOpen: false, name: '={{ $json.name }}', email: '={{ $json.email }}' },
					],
				},
				additionalFields: {
					label: '={{ $json.label }}',
					headline: 'Sign',
					message: 'Please',
					redirectUrl: 'https://example.com/thanks',
					expiresAt: '={{ $json.expiresAt }}',
					maxUses: '={{ $json.maxUses }}',
				},
			},
			items(
				{ template: nda, ...SIGNERS[0], label: 'A', expiresAt: '2030-01-31T18:00:00+02:00', maxUses: 3 },
				{ template: nda, ...SIGNERS[1], label: '', expiresAt: '', maxUses: '' },
			),
		);
		const signers = (index: number) => [
			{ placeholder_id: client, is_open: true },
			{ placeholder_id: company, is_open: false, ...SIGNERS[index] },
		];
		const texts = { headline: 'Sign', message: 'Please', redirect_url: 'https://example.com/thanks' };
		expect(asSent(requests)).toEqual([
			sent('POST', `/templates/${nda}/links`, {
				body: {
					signers: signers(0),
					label: 'A',
					...texts,
					expires_at: '2030-01-31T16:00:00.000Z',
					max_uses: 3,
				},
			}),
			sent('POST', `/templates/${nda}/links`, { body: { signers: signers(1), ...texts } }),
		]);
		expect(output.map(({ label }) => label)).toEqual(['A', null]);
	});

	it('getAll: GET /templates/{id}/links, the limit applied here', async () => {
		const [, newest] = await links();
		const { nda } = await templateIds();
		const { requests, output } = await run(
			['templateLink', 'getAll'],
			{ templateId: fromItem('id'), limit: 1 },
			items({ id: nda }, { id: nda }),
		);
		expect(asSent(requests)).toEqual([sent('GET', `/templates/${nda}/links`), sent('GET', `/templates/${nda}/links`)]);
		expect(output.map(({ id }) => id)).toEqual([newest, newest]);
	});

	it.each([
		['get', 'GET', ''],
		['rotate', 'POST', '/rotate'],
		['delete', 'DELETE', ''],
	])('%s: %s /template-links/{linkId}%s', async (operation, method, suffix) => {
		const made = await links();
		const { requests, output } = await run(
			['templateLink', operation],
			{ templateLinkId: '={{ $json.id }}' },
			items(...made.map((id) => ({ id }))),
		);
		expect(asSent(requests)).toEqual(made.map((id) => sent(method, `/template-links/${id}${suffix}`)));
		expect(output.map(({ id }) => id)).toEqual(made);
		if (operation === 'delete') expect(output.map(({ deleted }) => deleted)).toEqual([true, true]);
	});
});

describe('Webhook', () => {
	it('create: POST /webhooks', async () => {
		const { requests, output } = await run(
			['webhook', 'create'],
			{ url: '={{ $json.url }}', events: '={{ $json.events }}' },
			items(
				{ url: 'https://example.com/a', events: ['document.sent'] },
				{ url: 'http://127.0.0.1:9/b', events: ['document.completed', 'recipient.signed'] },
			),
		);
		expect(asSent(requests)).toEqual([
			sent('POST', '/webhooks', { body: { url: 'https://example.com/a', events: ['document.sent'] } }),
			sent('POST', '/webhooks', {
				body: { url: 'http://127.0.0.1:9/b', events: ['document.completed', 'recipient.signed'] },
			}),
		]);
		expect(output.map(({ signing_secret }) => typeof signing_secret)).toEqual(['string', 'string']);
	});

	it('getAll: GET /webhooks, the limit applied here', async () => {
		const [, newest] = await webhooks();
		const { requests, output } = await run(['webhook', 'getAll'], { limit: 1 }, items({}, {}));
		expect(asSent(requests)).toEqual([sent('GET', '/webhooks'), sent('GET', '/webhooks')]);
		expect(output.map(({ id }) => id)).toEqual([newest, newest]);
	});

	it('delete: DELETE /webhooks/{id}', async () => {
		const made = await webhooks();
		const { requests, output } = await run(
			['webhook', 'delete'],
			{ webhookId: fromItem('id') },
			items(...made.map((id) => ({ id }))),
		);
		expect(asSent(requests)).toEqual(made.map((id) => sent('DELETE', `/webhooks/${id}`)));
		expect(output).toEqual(made.map((id) => ({ id, deleted: true })));
	});
});

describe('Webhook delivery', () => {
	/** Two endpoints that nobody answers, each with the attempts to deliver two events. */
	async function deliveries(): Promise<Array<{ webhook: string; delivery: string }>> {
		const made = await webhooks();
		await documents(true);
		await bench.sandbox.control.advance(60);
		const found: Array<{ webhook: string; delivery: string }> = [];
		for (const webhook of made) {
			const log = await bench.prepare('webhookDelivery', 'getAll', {
				webhookId: { __rl: true, mode: 'id', value: webhook },
			});
			found.push({ webhook, delivery: String(log[0]?.id) });
		}
		return found;
	}

	it('getAll: GET /webhooks/{id}/deliveries with limit', async () => {
		const made = await deliveries();
		const { requests, output } = await run(
			['webhookDelivery', 'getAll'],
			{ webhookId: fromItem('webhook'), limit: 1 },
			items(...made),
		);
		expect(asSent(requests)).toEqual(
			made.map(({ webhook }) => sent('GET', `/webhooks/${webhook}/deliveries`, { query: { limit: '1' } })),
		);
		expect(output.map(({ id }) => id)).toEqual(made.map(({ delivery }) => delivery));
	});

	it('replay: POST .../{deliveryId}/replay', async () => {
		const made = await deliveries();
		const { requests, output } = await run(
			['webhookDelivery', 'replay'],
			{ webhookId: fromItem('webhook'), deliveryId: fromItem('delivery') },
			items(...made),
		);
		expect(asSent(requests)).toEqual(
			made.map(({ webhook, delivery }) => sent('POST', `/webhooks/${webhook}/deliveries/${delivery}/replay`)),
		);
		expect(output).toMatchObject([{ replayed: true }, { replayed: true }]);
	});

	it('replayFailed: the log, then each event once, oldest first', async () => {
		const [made] = await deliveries();
		const { items: output, error } = await bench.run('webhookDelivery', 'replayFailed', {
			webhookId: { __rl: true, mode: 'id', value: made?.webhook as string },
		});
		expect(error).toBeUndefined();
		const requests = bench.takeRequests();
		expect(asSent(requests.slice(0, 1))).toEqual([
			sent('GET', `/webhooks/${made?.webhook}/deliveries`, { query: { limit: '100' } }),
		]);
		// Three attempts each at two events, and none succeeded.
		expect(requests).toHaveLength(3);
		expect(output.map(({ json }) => json.event)).toEqual(['document.sent', 'document.sent']);
		expect(new Set(output.map(({ json }) => json.event_id)).size).toBe(2);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	});
});
