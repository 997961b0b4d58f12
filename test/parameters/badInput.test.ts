import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Endpoint } from '../../nodes/ESign/client';
import type { NodeRun } from '../../harness/n8nCore/n8n';
import { OPERATIONS } from '../actions/support/operationOfEndpoint';
import { bench, openBench } from '../actions/support/operationRun';
import { byId, contract, DRAFT } from '../actions/support/workbench';
import { said } from '../actions/support/said';

openBench();

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const BOX = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.05 };
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** What an item of `operationOfEndpoint.ts` holds besides its ids. */
const BODY: IDataObject = {
	recipients: [{ ...ADA, role: 'Client' }],
	embed: { expires_in: 600 },
	expires_in: 600,
	signers: [{ placeholder_id: 'ph_1', is_open: true }],
	max_uses: 1,
	expires_at: '2030-01-31T18:00:00Z',
};

async function run(
	resource: string,
	operation: string,
	parameters: INodeParameters,
	json: IDataObject = {},
): Promise<NodeRun> {
	return await bench.run(resource, operation, parameters, { items: [{ json, binary: { data: await contract() } }] });
}

/** The message of an item that must be refused before anything is sent. */
async function refused(...call: Parameters<typeof run>): Promise<string> {
	const { error, items } = await run(...call);
	expect({ requests: bench.takeRequests(), items }).toEqual({ requests: [], items: [] });
	expect(error?.context?.itemIndex).toBe(0);
	return said(error);
}

describe('An ID in the path', () => {
	const endpoints = (Object.keys(OPERATIONS) as Endpoint[]).filter((endpoint) => endpoint.includes('{'));
	/** Parameter by which each is filled in, other than the first of its path. */
	const idsOf = (endpoint: Endpoint) => [...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
	const itemWith = (endpoint: Endpoint, id: unknown): INodeExecutionData => {
		const path = Object.fromEntries(idsOf(endpoint).map((name) => [name, name === 'variant' ? 'original' : id]));
		const body: IDataObject = endpoint.startsWith('PUT ') ? { ...BODY, recipients: [ADA] } : BODY;
		return { json: { path: path as IDataObject, body } };
	};
	const runWith = async (endpoint: Endpoint, ids: unknown[]) => {
		const { resource, operation, ...parameters } = OPERATIONS[endpoint];
		const items = ids.map((id) => itemWith(endpoint, id));
		return await bench.run(String(resource), String(operation), parameters, { items, settings: CONTINUE });
	};

	it.each(endpoints)('of %s stays in its segment, whatever it holds', async (endpoint) => {
		const ids = [
			...['a/b', '../account', '..%2faccount', '%2e%2e', 'a?b=c', 'a#b', 'a\\..\\b', 'a;b=c', '__proto__', '契約 ü'],
			...['//evil.example.com', 'http://evil.example.com/v1', '@evil.example.com'],
		];
		const { items } = await runWith(endpoint, ids);
		expect(items.map(({ json, pairedItem }) => [typeof json.error, pairedItem])).toEqual(
			ids.map((_, item) => ['string', { item }]),
		);
		const requests = bench.takeRequests();
		const segments = endpoint.slice(endpoint.indexOf(' ') + 1).split('/');
		const [, collection] = segments;
		expect(requests).toHaveLength(ids.length);
		for (const [index, { path, query }] of requests.entries()) {
			const sent = path.split('/').map(decodeURIComponent);
			expect(sent.slice(1, 3)).toEqual([collection, ids[index]]);
			expect(sent.length).toBeLessThanOrEqual(segments.length);
			if (segments.length > 4 && segments[4]?.startsWith('{recipientId')) expect(sent[4]).toBe(ids[index]);
			expect(Object.keys(query).filter((name) => name !== 'limit')).toEqual([]);
		}
	});

	it.each(endpoints)('of %s that can be none is refused before anything is sent', async (endpoint) => {
		const texts = ['', ' \n', '.', '..', ' .. ', 'a\r\nX-Evil: 1', 'a\u0000', 'a\ud800'];
		const ids = [...texts, null, 42, true, ['a'], { id: 'a' }];
		const { items, error } = await runWith(endpoint, ids);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
		for (const { json } of items)
			expect(json.error).toMatch(/is empty|is not an ID|, not an ID|contains (half of a|the control) character/);
		expect(bench.takeRequests()).toEqual([]);
	});
});

describe('The recipient to remind', () => {
	it.each<[string, unknown]>([
		['a whole recipient', { id: 'rcp_1', email: 'ada@example.com' }],
		['a list of recipients', [{ id: 'rcp_1' }]],
		['a number', 1],
		['a yes', true],
	])('given as %s is refused, and does not come to mean everyone', async (_, recipient) => {
		const recipientId: INodeParameters = { __rl: true, mode: 'id', value: '={{ $json.recipient }}' };
		const parameters = { documentId: byId('doc_1'), recipientId };
		const message = await refused('document', 'remind', parameters, { recipient } as IDataObject);
		expect(message).toMatch(/^Recipient is .*, not an ID\. Enter the ID itself/);
	});
});

describe('JSON that holds names which every object has', () => {
	const hostile = (entry: object) => `[${JSON.stringify(entry).slice(0, -1)}, "__proto__": {"polluted": true}}]`;
	const named = (entry: object) => JSON.stringify([{ ...entry, constructor: { prototype: { polluted: true } } }]);
	const field = { type: 'SIGNATURE', recipient: '1', ...BOX };
	const signer = { placeholderId: 'ph_1', isOpen: true };
	const role = { ...ADA, role: 'Client' };
	const draft = { documentId: byId('doc_1') };
	const template = { templateId: byId('tpl_1') };
	const cases: Array<[string, string, (list: string) => INodeParameters, object]> = [
		['document', 'create', (list) => ({ recipientsInput: 'json', recipientsJson: list }), ADA],
		['document', 'create', (list) => ({ ...DRAFT, fieldsInput: 'json', fieldsJson: list }), field],
		['document', 'updateRecipients', (list) => ({ ...draft, recipientsInput: 'json', recipientsJson: list }), ADA],
		['document', 'updateFields', (list) => ({ ...draft, fieldsInput: 'json', fieldsJson: list }), field],
		['template', 'send', (list) => ({ ...template, recipientsInput: 'json', recipientsJson: list }), role],
		['templateLink', 'create', (list) => ({ ...template, signersInput: 'json', signersJson: list }), signer],
	];

	it.each(cases)(
		'for %s %s is refused by name, as text and as an object',
		async (resource, operation, given, entry) => {
			for (const [name, list] of [
				['__proto__', hostile(entry)],
				['constructor', named(entry)],
			] as const) {
				const words = `has an unknown property "${name}"`;
				await expect(refused(resource, operation, given(list))).resolves.toContain(words);
				const list_ = given(`={{ JSON.parse($json.list) }}`);
				await expect(refused(resource, operation, list_, { list })).resolves.toContain(words);
			}
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);

	it('gives no field a value that the item does not have', async () => {
		const schema = ['toString', 'notes'].map((id) => ({ id, type: 'string', kind: 'string', templateId: 'tpl_1' }));
		const fieldValues = { mappingMode: 'autoMapInputData', value: null, schema } as unknown as INodeParameters;
		const parameters = {
			templateId: byId('tpl_1'),
			recipientsInput: 'json',
			recipientsJson: JSON.stringify([{ ...ADA, role: 'Client' }]),
			fieldValues,
		};
		await run('template', 'send', parameters, { notes: 'n' });
		const [request] = bench.takeRequests();
		expect((request?.body as IDataObject).field_values).toEqual({ notes: 'n' });
	});

	it.each(['constructor', '__proto__', 'toString'])('%s is no input field with a file', async (name) => {
		const message = await refused('file', 'upload', { binaryPropertyName: name });
		expect(message).toMatch(new RegExp(`the item has no file "${name}"; it has: data\\. Name one of these`));
		await refused('document', 'create', { ...DRAFT, binaryPropertyNames: name });
	});
});

describe('What is only untidy is taken as it is meant:', () => {
	it('spaces around names, e-mails, ids and lists', async () => {
		const parameters = {
			recipients: { recipient: [{ name: ' Ada\t', email: '\n ada@example.com ', type: 'signer' }] },
			fieldsInput: 'json',
			fieldsJson: JSON.stringify([{ ...BOX, type: 'signature', recipient: ' ADA@example.com ' }]),
			binaryPropertyNames: ' data , ',
			title: '  Contract ',
		};
		const { error, items } = await run('document', 'create', parameters);
		expect(error).toBeUndefined();
		const [, created] = bench.takeRequests();
		expect(created?.body).toMatchObject({
			title: 'Contract',
			recipients: [{ name: 'Ada', email: 'ada@example.com', type: 'signer' }],
		});
		const [document] = items;
		const read = await run('document', 'get', { documentId: byId(` ${String(document?.json.id)}\n`) });
		expect(read.items[0]?.json.id).toBe(document?.json.id);
	});

	it('texts for numbers and for yes and no, numbers for texts', async () => {
		const field = { ...BOX, pageNumber: '1', xNorm: '0.1', type: 'TEXT', required: 'false', recipient: 1 };
		const { error } = await run('document', 'create', {
			recipientsInput: 'json',
			recipientsJson: JSON.stringify([{ ...ADA, phone: 123456, pin: 4711 }]),
			fieldsInput: 'json',
			fieldsJson: JSON.stringify([field]),
		});
		expect(error).toBeUndefined();
		const [, created, placed] = bench.takeRequests();
		expect(created?.body).toMatchObject({ recipients: [{ phone: '123456', pin: '4711' }] });
		expect(placed?.body).toMatchObject({ fields: [{ pageNumber: 1, xNorm: 0.1, required: false }] });
		const listed = await run('document', 'getAll', {
			returnAll: '={{ "false" }}',
			limit: '1',
			filters: { status: ' Draft ' },
		});
		expect(listed.error).toBeUndefined();
		expect(bench.takeRequests()).toMatchObject([{ query: { limit: '1', status: 'draft' } }]);
	});
});
