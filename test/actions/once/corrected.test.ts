import type { INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { binary, type NodeRun } from '../../../harness/n8nCore/n8n';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { byId, contract, RETRY, templateSend } from '../support/workbench';

let service: FaultyService;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 2 });
});
beforeEach(async () => await service.sandbox.control.reset());
afterAll(async () => await service.close());

const scan = async () => await binary(readFileSync('test/fixtures/scan.pdf'), 'scan.pdf', 'application/pdf');

/** The title comes from a variable of n8n, which is corrected there. */
async function sendBy(title: string): Promise<INodeParameters> {
	service.n8n.variables.title = title;
	return templateSend(await service.direct.template('Mutual NDA'), '={{ $vars.title }}');
}

/** The answer to a send is lost, and the looks for it fail until the call is given up. */
async function loseAnswer(when: 'before' | 'after') {
	const { control } = service.sandbox;
	await control.fault({ method: 'POST', path: '/templates/*/send', when, kind: 'drop', times: 1 });
	await control.fault({ method: 'GET', path: '/documents', when: 'before', kind: 'status', status: 503, times: 5 });
}

const titles = async () => (await service.direct.list('/documents')).map(({ title }) => title).sort();

describe.each(['={{ $vars.title }}', undefined])(
	'Template > Send in doubt, its title (%s) corrected before Retry execution',
	(expression) => {
		const send = async (title: string) => ({
			...(await sendBy(title)),
			additionalFields: { title: expression ?? title },
		});

		it('sends the corrected document where nothing was created', async () => {
			await loseAnswer('before');
			const failed = await service.run({ parameters: await send('Typo'), items: [{ json: {} }] });
			expect(failed.error?.message).toContain('is not known');
			const again = await service.n8n.retryNode(TYPE, failed, { parameters: await send('Correct') });
			expect(again.error).toBeUndefined();
			expect(again.items[0]?.json.title).toBe('Correct');
			await expect(titles()).resolves.toEqual(['Correct']);
		});

		it('names what was created before, sends nothing by itself, and sends the correction when a person asks again', async () => {
			await loseAnswer('after');
			const failed = await service.run({ parameters: await send('Typo'), items: [{ json: {} }] });
			expect(failed.error?.message).toContain('is not known');
			const [made] = await service.direct.list('/documents');
			const told = await service.n8n.retryNode(TYPE, failed, { parameters: await send('Correct'), settings: RETRY });
			expect(told.error?.message).toContain(
				`The parameters were changed since an earlier try: The document ${made?.id} was created.`,
			);
			await expect(titles()).resolves.toEqual(['Typo']);

			const again = await service.n8n.retryNode(TYPE, told, { parameters: await send('Correct') });
			expect(again.error).toBeUndefined();
			expect(again.items[0]?.json.title).toBe('Correct');
			await expect(titles()).resolves.toEqual(['Correct', 'Typo']);
		});
	},
);

const send = async (title: string) => await sendBy(title);

it('Template > Send in doubt sends the other template that is asked for now, though its recipients and its title are the same', async () => {
	const { n8n, direct } = service;
	n8n.variables.template = await direct.template('Mutual NDA');
	const parameters = { ...(await send('T')), templateId: byId('={{ $vars.template }}') };
	await loseAnswer('before');
	const failed = await service.run({ parameters, items: [{ json: {} }] });
	expect(failed.error?.message).toContain('is not known');
	n8n.variables.template = 'tpl_another';
	await n8n.retryNode(TYPE, failed, { parameters });
	const sends = (await service.sandbox.control.requests()).filter(({ path }) => path.endsWith('/send'));
	expect(sends.map(({ path }) => path)).toEqual([expect.any(String), '/v1/templates/tpl_another/send']);
	await expect(titles()).resolves.toEqual([]);
});

/** What is corrected in the node, or in a variable of n8n that it names. */
const WAYS = ['a variable', 'the node'] as const;

describe.each(WAYS)('Document > Create, corrected in %s before Retry execution', (way) => {
	const ADA = { name: 'Ada', email: 'ada@example.com', pin: '1111' };
	const MADE = { title: 'Typo', recipient: ADA };

	type Asked = { title: string; recipient: object; send?: boolean; fields?: string; files?: string };

	function create({ title, recipient, send = false, fields = 'automatic', files = 'data' }: Asked): INodeParameters {
		const json = JSON.stringify([recipient]);
		Object.assign(service.n8n.variables, { title, json, files });
		return {
			resource: 'document',
			operation: send ? 'createAndSend' : 'create',
			binaryPropertyNames: way === 'the node' ? files : '={{ $vars.files }}',
			recipientsInput: 'json',
			recipientsJson: way === 'the node' ? json : '={{ $vars.json }}',
			title: way === 'the node' ? title : '={{ $vars.title }}',
			fieldsInput: fields,
			automatic: { page: 'first' },
		};
	}

	const items = async () => [{ json: {}, binary: { data: await contract(), other: await scan() } }];

	/** The answer to the draft is lost, and so are the looks for it. */
	async function loseDraft(when: 'before' | 'after') {
		const { control } = service.sandbox;
		await control.fault({ method: 'POST', path: '/documents', when, kind: 'drop', times: 1 });
		await control.fault({ method: 'GET', path: '/documents', when: 'before', kind: 'status', status: 503, times: 5 });
	}

	/** A step after the draft is refused. */
	async function refuse(method: 'PUT' | 'POST', path: string) {
		await service.sandbox.control.fault({ method, path, when: 'before', kind: 'status', status: 403, times: 1 });
	}

	const retry = async (failed: NodeRun, parameters: INodeParameters) =>
		await service.n8n.retryNode(TYPE, failed, { parameters, settings: RETRY });

	it('is made as it is asked for now where nothing came of the request in doubt', async () => {
		await loseDraft('before');
		const failed = await service.run({ parameters: create(MADE), items: await items() });
		expect(failed.error?.message).toContain('is not known');
		const again = await retry(failed, create({ title: 'Correct', recipient: { name: 'Bo', email: 'bo@example.com' } }));
		expect(again.error).toBeUndefined();
		await expect(service.direct.list('/documents')).resolves.toMatchObject([
			{ id: again.items[0]?.json.id, title: 'Correct', recipients: [{ email: 'bo@example.com' }] },
		]);
	});

	it.each<[string, Partial<Asked>]>([
		['title', { title: 'Correct' }],
		['file', { files: 'other' }],
		['address of a recipient', { recipient: { ...ADA, email: 'ada@right.example' } }],
		['PIN of a recipient', { recipient: { ...ADA, pin: '2222' } }],
	])('in doubt and made with another %s is named, and made anew only when a person asks again', async (_, change) => {
		await loseDraft('after');
		const failed = await service.run({ parameters: create(MADE), items: await items() });
		const [made] = await service.direct.list('/documents');
		const told = await retry(failed, create({ ...MADE, ...change }));
		expect(told.error?.message).toContain(
			`The parameters were changed since an earlier try: The document ${made?.id} was created.`,
		);
		await expect(service.direct.list('/documents')).resolves.toHaveLength(1);
		const again = await retry(told, create({ ...MADE, ...change }));
		expect(again.error).toBeUndefined();
		expect(again.items[0]?.json.title).toBe(change.title ?? 'Typo');
		expect(again.items[0]?.json.id).not.toBe(made?.id);
		await expect(service.direct.list('/documents')).resolves.toHaveLength(2);
	});

	it('that goes on with a draft is not sent with the old title, and is made anew only when a person asks again', async () => {
		await refuse('POST', '/documents/*/send');
		const failed = await service.run({ parameters: create({ ...MADE, send: true }), items: await items() });
		expect(failed.error?.message).toMatch(/^The draft doc_\w+ was created, but sending it failed/);
		const [made] = await service.direct.list('/documents');
		const corrected = { ...MADE, send: true, title: 'Correct' };
		const told = await retry(failed, create(corrected));
		expect(told.error?.message).toContain(
			`The parameters were changed since an earlier try: The draft ${made?.id} was created.`,
		);
		await expect(service.direct.list('/documents')).resolves.toMatchObject([{ status: 'draft' }]);
		const again = await retry(told, create(corrected));
		expect(again.error).toBeUndefined();
		await expect(service.direct.list('/documents')).resolves.toMatchObject([
			{ title: 'Correct', status: 'in_progress' },
			{ title: 'Typo', status: 'draft' },
		]);
	});

	it('corrected back goes on with the draft as it is', async () => {
		await refuse('POST', '/documents/*/send');
		const failed = await service.run({ parameters: create({ ...MADE, send: true }), items: await items() });
		const told = await retry(failed, create({ ...MADE, send: true, title: 'Correct' }));
		const again = await retry(told, create({ ...MADE, send: true }));
		expect(again.error).toBeUndefined();
		await expect(service.direct.list('/documents')).resolves.toMatchObject([{ title: 'Typo', status: 'in_progress' }]);
	});
});

it.each([
	['POST', '/documents', 'drop'],
	['PUT', '/documents/*/fields', 'status'],
] as const)(
	'Document > Create whose title holds $now and whose %s %s failed goes on with its draft in another execution',
	async (method, path, kind) => {
		const { control } = service.sandbox;
		const when = kind === 'drop' ? 'after' : 'before';
		await control.fault({ method, path, when, kind, ...(kind === 'status' && { status: 403 }), times: 1 });
		await control.fault({ method: 'GET', path: '/documents', when: 'before', kind: 'status', status: 503, times: 5 });
		const parameters: INodeParameters = {
			resource: 'document',
			operation: 'create',
			recipientsInput: 'json',
			recipientsJson: '[{"name":"Ada","email":"ada@example.com"}]',
			title: '={{ "T " + $now.toMillis() + Math.random() }}',
		};
		const failed = await service.run({ parameters, items: [{ json: {}, binary: { data: await contract() } }] });
		expect(failed.error).toBeDefined();
		await control.clearFaults();
		const again = await service.n8n.retryNode(TYPE, failed, { parameters });
		expect(again.error).toBeUndefined();
		await expect(service.direct.list('/documents')).resolves.toHaveLength(1);
	},
);

describe.each(WAYS)('Template > Send in doubt, its template corrected in %s before Retry execution', (way) => {
	const sendFrom = async (template: string): Promise<INodeParameters> => {
		service.n8n.variables.template = template;
		return { ...(await send('T')), templateId: byId(way === 'the node' ? template : '={{ $vars.template }}') };
	};

	it('names what was sent from the other template', async () => {
		await loseAnswer('after');
		const failed = await service.run({
			parameters: await sendFrom(await service.direct.template('Mutual NDA')),
			items: [{ json: {} }],
		});
		const [made] = await service.direct.list('/documents');
		const told = await service.n8n.retryNode(TYPE, failed, { parameters: await sendFrom('tpl_another') });
		expect(told.error?.message).toContain(
			`The parameters were changed since an earlier try: The document ${made?.id} was created.`,
		);
	});
});

it('Webhook > Create in doubt deletes the endpoint whose secret nobody knows, and creates the one that is asked for now', async () => {
	const { control } = service.sandbox;
	await control.fault({ method: 'POST', path: '/webhooks', when: 'after', kind: 'drop', times: 1 });
	await control.fault({ method: 'GET', path: '/webhooks', when: 'before', kind: 'status', status: 503, times: 9 });
	const create = (url: string): INodeParameters => ({
		resource: 'webhook',
		operation: 'create',
		url,
		events: ['document.sent'],
	});
	const failed = await service.run({ parameters: create('https://127.0.0.1:9/typo'), items: [{ json: {} }] });
	expect(failed.error).toBeDefined();
	await control.clearFaults();
	const again = await service.n8n.retryNode(TYPE, failed, { parameters: create('https://127.0.0.1:9/correct') });
	expect(again.error).toBeUndefined();
	await expect(service.direct.list('/webhooks')).resolves.toMatchObject([{ url: 'https://127.0.0.1:9/correct' }]);
});
