import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Endpoint } from '../../nodes/ESign/client';
import { OPERATIONS } from '../actions/support/operationOfEndpoint';
import { bench, openBench } from '../actions/support/operationRun';
import { byId, contract, DRAFT } from '../actions/support/workbench';

openBench();

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const BOX = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.05 };

/** What an item of `operationOfEndpoint.ts` holds besides its ids. */
const BODY: IDataObject = {
	recipients: [{ ...ADA, role: 'Client' }],
	embed: { expires_in: 600 },
	expires_in: 600,
	signers: [{ placeholder_id: 'ph_1', is_open: true }],
	max_uses: 1,
	expires_at: '2030-01-31T18:00:00Z',
};

async function run(resource: string, operation: string, parameters: INodeParameters, json: IDataObject = {}) {
	return await bench.run(resource, operation, parameters, { items: [{ json, binary: { data: await contract() } }] });
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
	const ENCODED = [
		...['a/b', '../account', '..%2faccount', '%2e%2e', 'a?b=c', 'a#b', 'a\\..\\b', 'a;b=c', '__proto__', '契約 ü'],
		...['//evil.example.com', 'http://evil.example.com/v1', '@evil.example.com'],
	];
	const texts = ['', ' \n', '.', '..', ' .. ', 'a\r\nX-Evil: 1', 'a\u0000', 'a\ud800'];
	const REFUSED = [...texts, null, 42, true, ['a'], { id: 'a' }];

	it.each(endpoints)(
		'of %s stays in its segment, whatever it holds, or is refused before anything is sent',
		async (endpoint) => {
			const { resource, operation, ...parameters } = OPERATIONS[endpoint];
			const items = [...ENCODED, ...REFUSED].map((id) => itemWith(endpoint, id));
			const settings = { onError: 'continueRegularOutput' } as const;
			const { items: output } = await bench.run(String(resource), String(operation), parameters, { items, settings });
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
			for (const { json } of output.slice(ENCODED.length)) {
				expect(json.error).toMatch(/is empty|is not an ID|, not an ID|contains (half of a|the control) character/);
			}
			const requests = bench.takeRequests();
			const segments = endpoint.slice(endpoint.indexOf(' ') + 1).split('/');
			const [, collection] = segments;
			expect(requests).toHaveLength(ENCODED.length);
			for (const [index, { path, query }] of requests.entries()) {
				const sent = path.split('/').map(decodeURIComponent);
				expect(sent.slice(1, 3)).toEqual([collection, ENCODED[index]]);
				expect(sent.length).toBeLessThanOrEqual(segments.length);
				if (segments.length > 4 && segments[4]?.startsWith('{recipientId')) expect(sent[4]).toBe(ENCODED[index]);
				expect(Object.keys(query).filter((name) => name !== 'limit')).toEqual([]);
			}
		},
	);
});

describe('JSON that holds names which every object has', () => {
	const list = (name: string, json: (list: string) => INodeParameters, entry: object) => {
		const hostile = (key: string) => `[${JSON.stringify(entry).slice(0, -1)}, "${key}": {"polluted": true}}]`;
		return { name, json, hostile };
	};
	const template = { templateId: byId('tpl_1') };
	const people = (recipientsJson: string) => ({ ...template, recipientsInput: 'json', recipientsJson });
	const placed = (fieldsJson: string) => ({ ...DRAFT, fieldsInput: 'json', fieldsJson });
	const signers = (signersJson: string) => ({ ...template, signersInput: 'json', signersJson });

	it.each([
		list('document create', people, ADA),
		list('document create', placed, { type: 'SIGNATURE', recipient: '1', ...BOX }),
		list('template send', people, { ...ADA, role: 'Client' }),
		list('templateLink create', signers, { placeholderId: 'ph_1', isOpen: true }),
	])('is refused by name, as text and as an object, for $name', async ({ name, json, hostile }) => {
		const [resource = '', operation = ''] = name.split(' ');
		for (const key of ['__proto__', 'constructor']) {
			for (const given of [hostile(key), '={{ JSON.parse($json.list) }}']) {
				const { error } = await run(resource, operation, json(given), { list: hostile(key) });
				expect(error?.message).toContain(`has an unknown property "${key}"`);
			}
		}
		expect(bench.takeRequests()).toEqual([]);
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

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
