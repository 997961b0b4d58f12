import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../nodes/ESign/actions';
import type { Resource } from '../../nodes/ESign/actions/operation';
import type { Execution, WorkflowFile } from '../../harness/n8nServer/apiClient';
import { chain, eSign, itemsOf, node } from './support/nodes';
import { contract } from '../../harness/serviceClient';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

/** Posts to an operation's webhook, and resolves with what the operation put out. */
type Run = (body: IDataObject | FormData) => Promise<IDataObject[]>;

interface Operation {
	/** What stands in the node's form. */
	parameters: INodeParameters;
	/** Runs it once, and compares what came out with what the service now holds. */
	check: (run: Run) => Promise<void>;
}

/** A locator whose ID the caller posts. */
const posted = (name: string): INodeParameters => ({ __rl: true, mode: 'id', value: `={{ $json.body.${name} }}` });

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const GRACE = { name: 'Grace Hopper', email: 'grace@example.com' };
const BOX = { pageNumber: 1, xNorm: 0.1, yNorm: 0.2, widthNorm: 0.3, heightNorm: 0.05 };
/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9/events';

let stage: SharedStage;
let workflowId: string;

const draft = async () => await stage.service.draft('Draft', [ADA.email]);
const sent = async () => await stage.service.send('Sent', [ADA.email]);
const documentOf = async (id: unknown) => await stage.service.document(String(id));
const call = async <Answer = IDataObject>(method: string, path: string, body?: object) =>
	await stage.service.api<Answer>(method, path, body);

/** The contract as a browser's form uploads it. */
function upload(fields: Record<string, string> = {}): FormData {
	const form = new FormData();
	form.append('contract', new Blob([new Uint8Array(contract)], { type: 'application/pdf' }), 'contract.pdf');
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	return form;
}

async function nda(): Promise<{ id: string; roles: Array<{ id: string; role: string }> }> {
	const { data } = await call<{ data: Array<{ id: string; name: string }> }>('GET', '/templates');
	return await call('GET', `/templates/${data.find(({ name }) => name === 'Mutual NDA')?.id}`);
}

/** A public link to the NDA, made by somebody else. */
async function link(): Promise<{ id: string; url: string; template_id: string }> {
	const { id, roles } = await nda();
	const [open, fixed] = roles.map((role) => role.id);
	return await call('POST', `/templates/${id}/links`, {
		signers: [
			{ placeholder_id: open, is_open: true },
			{ placeholder_id: fixed, is_open: false, ...GRACE },
		],
	});
}

const linkIds = async (templateId: string) =>
	(await call<{ data: Array<{ id: string }> }>('GET', `/templates/${templateId}/links`)).data.map(({ id }) => id);

const endpoint = async () =>
	await call<{ id: string; url: string }>('POST', '/webhooks', { url: NOBODY, events: ['document.sent'] });
const endpointIds = async () => (await stage.service.endpoints()).map(({ id }) => id);

interface Attempt {
	id: string;
	event_id: string;
	attempt: number;
}

const attempts = async (webhook: string) =>
	(await call<{ data: Attempt[] }>('GET', `/webhooks/${webhook}/deliveries?limit=100`)).data;

/** An endpoint to which the service has tried three times to deliver one event. */
async function failedDeliveries(): Promise<{ webhook: string; log: Attempt[] }> {
	const { id: webhook } = await endpoint();
	await sent();
	await stage.sandbox.control.advance(60);
	const log = await attempts(webhook);
	expect(log).toHaveLength(3);
	return { webhook, log };
}

/** What an operation's node put out last, with its files. */
async function lastItem(operation: string): Promise<ReturnType<typeof itemsOf>[number]> {
	const all = await stage.n8n.api.finishedExecutions(workflowId, 1);
	const [item] =
		all.map((execution: Execution) => itemsOf(execution, operation)).findLast(({ length }) => length) ?? [];
	if (!item) throw new Error(`Nothing was put out by ${operation}`);
	return item;
}

const OPERATIONS: Record<string, Operation> = {
	'account:get': {
		parameters: {},
		check: async (run) => expect(await run({})).toEqual([await call('GET', '/account')]),
	},
	'file:upload': {
		parameters: { binaryPropertyName: 'contract' },
		check: async (run) => {
			const [file] = await run(upload());
			expect(file).toMatchObject({ name: 'contract.pdf', mime_type: 'application/pdf', size_bytes: contract.length });
			// The service knows it: a document can be made of it.
			const body = { files: [file?.id], recipients: [ADA] };
			expect(await call('POST', '/documents', body)).toMatchObject({ status: 'draft' });
		},
	},
	'document:createAndSend': {
		parameters: {
			fileSource: 'binary',
			binaryPropertyNames: 'contract',
			recipientsInput: 'form',
			recipients: { recipient: [{ name: '={{ $json.body.name }}', email: '={{ $json.body.email }}', type: 'signer' }] },
			fieldsInput: 'automatic',
			automatic: { page: 'last' },
			title: 'Made in n8n',
		},
		check: async (run) => {
			const [made] = await run(upload(ADA));
			expect(made).toMatchObject({ title: 'Made in n8n', status: 'in_progress' });
			expect(await documentOf(made?.id)).toMatchObject({ title: 'Made in n8n', recipients: [ADA] });
		},
	},
	'document:create': {
		parameters: {
			binaryPropertyNames: 'contract',
			recipientsInput: 'json',
			recipientsJson: '={{ [$json.body] }}',
			title: 'Drafted in n8n',
		},
		check: async (run) => {
			const [made] = await run(upload(ADA));
			expect(await documentOf(made?.id)).toMatchObject({ title: 'Drafted in n8n', status: 'draft', recipients: [ADA] });
		},
	},
	'document:get': {
		parameters: { documentId: posted('id') },
		check: async (run) => {
			const { id } = await draft();
			expect(await run({ id })).toEqual([{ ...(await documentOf(id)), waiting_for: '' }]);
		},
	},
	'document:getAll': {
		parameters: { returnAll: true, filters: { status: 'cancelled' } },
		check: async (run) => {
			const { id } = await sent();
			await call('POST', `/documents/${id}/cancel`);
			const { data } = await call<{ data: IDataObject[] }>('GET', '/documents?status=cancelled&limit=100');
			expect(data.map((document) => document.id)).toContain(id);
			expect(await run({})).toEqual(data.map((document) => ({ ...document, waiting_for: '' })));
		},
	},
	'document:send': {
		parameters: { documentId: posted('id') },
		check: async (run) => {
			const { id } = await draft();
			expect(await run({ id })).toMatchObject([{ id, status: 'in_progress' }]);
			expect(await documentOf(id)).toMatchObject({ status: 'in_progress' });
		},
	},
	'document:cancel': {
		parameters: { documentId: posted('id') },
		check: async (run) => {
			const { id } = await sent();
			expect(await run({ id })).toMatchObject([{ id, status: 'cancelled' }]);
			expect(await documentOf(id)).toMatchObject({ status: 'cancelled' });
		},
	},
	'document:remind': {
		parameters: { documentId: posted('id'), recipientId: posted('recipient') },
		check: async (run) => {
			const { id, recipients } = await sent();
			expect(await run({ id, recipient: String(recipients[0]?.id) })).toMatchObject([{ document_id: id, reminded: 1 }]);
			const reminders = (await stage.sandbox.control.requests()).filter(({ path }) => path.endsWith('/remind'));
			expect(reminders).toMatchObject([{ method: 'POST', path: expect.stringContaining(id), status: 200 }]);
		},
	},
	'document:updateRecipients': {
		parameters: {
			documentId: posted('id'),
			recipientsInput: 'json',
			recipientsJson: '={{ $json.body.recipients }}',
		},
		check: async (run) => {
			const { id } = await draft();
			expect(await run({ id, recipients: [GRACE] })).toMatchObject([{ recipients: [GRACE] }]);
			expect((await documentOf(id)).recipients).toMatchObject([GRACE]);
		},
	},
	'document:updateFields': {
		parameters: {
			documentId: posted('id'),
			fieldsInput: 'form',
			fields: {
				field: [
					{ recipient: '={{ $json.body.email }}', type: 'SIGNATURE', ...BOX },
					{ recipient: '1', type: 'TEXT', ...BOX, yNorm: 0.4, additionalFields: { fieldKey: 'place' } },
				],
			},
		},
		check: async (run) => {
			const { id, recipients } = await draft();
			const [output] = await run({ id, email: ADA.email });
			expect(output?.fields).toHaveLength(2);
			// What was placed is what the signer is asked for.
			await call('POST', `/documents/${id}/send`);
			await stage.sandbox.control.sign(String(recipients[0]?.id), { values: { place: 'London' } });
			expect(await documentOf(id)).toMatchObject({ status: 'completed' });
		},
	},
	'document:download': {
		parameters: { documentId: posted('id'), variants: ['signed', 'certificate'], binaryPropertyName: 'file' },
		check: async (run) => {
			const { id } = await stage.service.complete('Signed', [ADA.email]);
			expect(await run({ id })).toMatchObject([
				{ document_id: id, variant: 'signed', mime_type: 'application/pdf' },
				{ document_id: id, variant: 'certificate', mime_type: 'application/pdf' },
			]);
		},
	},
	'document:createEmbedLink': {
		parameters: { documentId: posted('id'), recipientId: posted('recipient'), additionalFields: { expiresIn: 600 } },
		check: async (run) => {
			const { id, recipients } = await sent();
			const [made] = await run({ id, recipient: String(recipients[0]?.id) });
			const page = await fetch(String(made?.url));
			expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Sent')]);
		},
	},
	'document:wait': {
		parameters: { documentId: posted('id') },
		check: async (run) => {
			const events = ['document.completed', 'document.declined', 'document.cancelled', 'document.expired'];
			const trigger = eSign('eSign Trigger', 'eSignTrigger', stage.credentialId, { events });
			const { id: workflowId } = await stage.n8n.api.createWorkflow(chain('Wakes', [trigger]));
			await stage.n8n.api.publish(workflowId);
			const { id } = await stage.service.complete('Signed', [ADA.email]);
			expect(await run({ id })).toMatchObject([{ id, status: 'completed' }]);
			await stage.n8n.api.unpublish(workflowId);
		},
	},
	'template:get': {
		parameters: { templateId: posted('id') },
		check: async (run) => {
			const template = await nda();
			expect(await run({ id: template.id })).toEqual([template]);
		},
	},
	'template:getAll': {
		parameters: { returnAll: false, limit: 1 },
		check: async (run) => {
			const { data } = await call<{ data: IDataObject[] }>('GET', '/templates?limit=1');
			expect(await run({})).toEqual(data);
		},
	},
	'template:send': {
		parameters: {
			templateId: posted('id'),
			recipientsInput: 'roles',
			people: {
				mappingMode: 'defineBelow',
				value: {
					'Client name': ADA.name,
					'Client email': ADA.email,
					'Company name': GRACE.name,
					'Company email': GRACE.email,
				},
				matchingColumns: [],
				schema: [],
			},
			fieldValues: {
				mappingMode: 'defineBelow',
				value: { client_company: 'Example Ltd', effective_date: '2026-12-01' },
				matchingColumns: [],
				schema: [],
			},
			send: true,
			embed: true,
			additionalFields: { title: 'NDA from n8n' },
		},
		check: async (run) => {
			const [made] = await run({ id: (await nda()).id });
			expect(made?.embed_links).toHaveLength(2);
			expect(await documentOf(made?.id)).toMatchObject({
				title: 'NDA from n8n',
				status: 'in_progress',
				recipients: [ADA, GRACE],
			});
		},
	},
	'templateLink:create': {
		parameters: {
			templateId: posted('id'),
			signersInput: 'form',
			signers: {
				signer: [
					{ placeholderId: '={{ $json.body.open }}', isOpen: true },
					{ placeholderId: '={{ $json.body.fixed }}', isOpen: false, ...GRACE },
				],
			},
			additionalFields: { label: 'From n8n', maxUses: 3 },
		},
		check: async (run) => {
			const { id, roles } = await nda();
			const [made] = await run({ id, open: String(roles[0]?.id), fixed: String(roles[1]?.id) });
			expect(await call('GET', `/template-links/${String(made?.id)}`)).toMatchObject({
				template_id: id,
				label: 'From n8n',
				max_uses: 3,
				signers: [{ is_open: true }, { is_open: false, ...GRACE }],
			});
		},
	},
	'templateLink:getAll': {
		parameters: { templateId: posted('id'), returnAll: true },
		check: async (run) => {
			const { id, template_id: template } = await link();
			const ids = (await run({ id: template })).map((found) => found.id);
			expect(ids).toContain(id);
			expect(ids).toEqual(await linkIds(template));
		},
	},
	'templateLink:get': {
		parameters: { templateLinkId: posted('id'), simplify: false },
		check: async (run) => {
			const { id } = await link();
			expect(await run({ id })).toEqual([await call('GET', `/template-links/${id}`)]);
		},
	},
	'templateLink:rotate': {
		parameters: { templateLinkId: posted('id') },
		check: async (run) => {
			const before = await link();
			const [rotated] = await run({ id: before.id });
			expect(rotated?.url).not.toBe(before.url);
			expect(await call('GET', `/template-links/${before.id}`)).toMatchObject({ url: rotated?.url });
		},
	},
	'templateLink:delete': {
		parameters: { templateLinkId: posted('id') },
		check: async (run) => {
			const { id, template_id: template } = await link();
			expect(await run({ id })).toEqual([{ id, deleted: true }]);
			expect(await linkIds(template)).not.toContain(id);
		},
	},
	'webhook:create': {
		parameters: { url: '={{ $json.body.url }}', events: ['document.sent', 'document.completed'] },
		check: async (run) => {
			const [made] = await run({ url: NOBODY });
			expect(made?.signing_secret).toEqual(expect.any(String));
			expect(await stage.service.endpoints()).toMatchObject([
				{ id: made?.id, url: NOBODY, events: ['document.sent', 'document.completed'] },
			]);
		},
	},
	'webhook:getAll': {
		parameters: { returnAll: true },
		check: async (run) => {
			await endpoint();
			expect(await run({})).toEqual(await stage.service.endpoints());
		},
	},
	'webhook:delete': {
		parameters: { webhookId: posted('id') },
		check: async (run) => {
			const { id } = await endpoint();
			expect(await run({ id })).toEqual([{ id, deleted: true }]);
			expect(await endpointIds()).not.toContain(id);
		},
	},
	'webhookDelivery:getAll': {
		parameters: { webhookId: posted('webhook'), limit: 2, simplify: false },
		check: async (run) => {
			const { webhook, log } = await failedDeliveries();
			expect(await run({ webhook })).toEqual(log.slice(0, 2).map((delivery) => ({ delivery })));
		},
	},
	'webhookDelivery:replay': {
		parameters: { webhookId: posted('webhook'), deliveryId: posted('delivery') },
		check: async (run) => {
			const { webhook, log } = await failedDeliveries();
			expect(await run({ webhook, delivery: String(log[0]?.id) })).toMatchObject([{ replayed: true }]);
			await stage.sandbox.control.advance(0);
			expect((await attempts(webhook)).length).toBeGreaterThan(log.length);
		},
	},
	'webhookDelivery:replayFailed': {
		parameters: { webhookId: posted('webhook') },
		check: async (run) => {
			const { webhook, log } = await failedDeliveries();
			const event_id = String(log[0]?.event_id);
			expect(await run({ webhook })).toMatchObject([{ event_id, event: 'document.sent', replayed: true }]);
			await stage.sandbox.control.advance(0);
			expect((await attempts(webhook)).length).toBeGreaterThan(log.length);
		},
	},
};

const names = Object.keys(OPERATIONS);
const pathOf = (operation: string) => `every-${operation.replace(':', '-')}`;

/** One workflow with a branch per operation: a webhook that answers with what the operation puts out. */
function everyOperation(): WorkflowFile {
	const branches = names.map((operation) => {
		const path = pathOf(operation);
		const reply = { responseMode: 'lastNode', responseData: 'allEntries' };
		const webhook = { path, httpMethod: 'POST', ...reply };
		const [resource = '', value = ''] = operation.split(':');
		const parameters = { resource, operation: value, ...OPERATIONS[operation]?.parameters };
		return chain(path, [
			node(`${operation} asked for`, 'n8n-nodes-base.webhook', webhook, { typeVersion: 2, webhookId: path }),
			eSign(operation, 'eSign', stage.credentialId, parameters),
		]);
	});
	return {
		name: 'Every operation',
		nodes: branches.flatMap(({ nodes }) => nodes),
		connections: Object.assign({}, ...branches.map(({ connections }) => connections)) as WorkflowFile['connections'],
		settings: { executionOrder: 'v1' },
	};
}

describe('Every operation on a real n8n, files kept on disk', () => {
	beforeAll(async () => {
		stage = await setSharedStage();
		workflowId = (await stage.n8n.api.createWorkflow(everyOperation())).id;
		await stage.n8n.api.publish(workflowId);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());
	afterEach(async () => {
		for (const id of await endpointIds()) await call('DELETE', `/webhooks/${id}`);
	});

	async function run(operation: string, body: IDataObject | FormData): Promise<IDataObject[]> {
		const isForm = body instanceof FormData;
		const response = await fetch(`${stage.n8n.url}/webhook/${pathOf(operation)}`, {
			method: 'POST',
			headers: isForm ? undefined : { 'content-type': 'application/json' },
			body: isForm ? body : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${operation}: ${response.status} ${text}`);
		return JSON.parse(text) as IDataObject[];
	}

	it('these are the operations of the package, all of them', () => {
		const every: readonly Resource[] = resources;
		const registered = every.flatMap(({ option: resource, operations }) =>
			operations.map(({ option }) => `${resource.value}:${option.value}`),
		);
		expect([...names].sort()).toEqual(registered.sort());
	});

	it.each(names)('%s does at the service what it says', async (operation) => {
		await OPERATIONS[operation]?.check(async (body) => await run(operation, body));
	});

	it('a file that was posted is on disk', async () => {
		const { binary } = await lastItem('file:upload asked for');
		expect(binary?.contract?.id).toMatch(/^filesystem-v2:/);
	});

	it('a file that was downloaded is on disk, byte for byte what the service gives', async () => {
		const { json, binary } = await lastItem('document:download');
		const { url } = await call('GET', `/documents/${String(json.document_id)}/files/signed`);
		const original = Buffer.from(await (await fetch(String(url))).arrayBuffer());
		expect(binary?.file?.id).toMatch(/^filesystem-v2:/);
		expect(await stage.n8n.api.binaryData(String(binary?.file?.id))).toEqual(original);
	});

	it('each was one execution, and every execution succeeded', async () => {
		const executions = await stage.n8n.api.finishedExecutions(workflowId, names.length);
		expect(executions.map(({ status }) => status)).toEqual(names.map(() => 'success'));
	});

	it.each([
		['document:createAndSend', '/documents', () => upload(GRACE)],
		['template:send', '/templates/*/send', async () => ({ id: (await nda()).id })],
	] as const)('%s, whose answer is lost on the way, sends one document', async (operation, path, body) => {
		// A lost answer may leave a spare draft, which nobody is written of.
		const sent = async () => (await stage.service.documents()).filter(({ status }) => status !== 'draft');
		const before = (await sent()).length;
		const fault = { method: 'POST', path, when: 'after', kind: 'drop', times: 1 } as const;
		await stage.sandbox.control.fault(fault);
		const [made] = await run(operation, await body());
		const [newest, ...older] = await sent();
		expect(newest).toMatchObject({ id: made?.id, status: 'in_progress' });
		expect(older).toHaveLength(before);
	});
});
