import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { caseOf, CASES, filled, given } from '../actions/everyOperation/cases';
import { bench, openBench } from '../actions/support/operationRun';
import { byId, contract, DRAFT } from '../actions/support/workbench';

openBench();

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const BOX = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.05 };

async function run(
	resource: string,
	operation: string,
	parameters: INodeParameters,
	json: IDataObject = {},
) {
	return await bench.run(resource, operation, parameters, {
		items: [{ json, binary: { data: await contract() } }],
	});
}

describe('An ID in the path', () => {
	const names = Object.keys(CASES).filter((name) => caseOf(name).calls[0]?.includes('{'));
	const ENCODED = [
		...[
			'a/b',
			'../account',
			'..%2faccount',
			'%2e%2e',
			'a?b=c',
			'a#b',
			'a\\..\\b',
			'a;b=c',
			'__proto__',
			'契約 ü',
		],
		...['//evil.example.com', 'http://evil.example.com/v1', '@evil.example.com'],
	];
	const texts = ['', ' \n', '.', '..', ' .. ', 'a\r\nX-Evil: 1', 'a\u0000', 'a\ud800'];
	const REFUSED = [...texts, null, 42, true, ['a'], { id: 'a' }];

	it.each(names)(
		'of %s stays in its segment, whatever it holds, or is refused before anything is sent',
		async (name) => {
			const { parameters, items: like } = await given(name, bench.direct);
			const { once = [], calls } = caseOf(name);
			const [call = ''] = [...once, ...calls];
			const named = [...call.matchAll(/\{(\w+Id)\}/g)].map(([, one = '']) => one);
			const items = [...ENCODED, ...REFUSED].map((id) => {
				const ids = Object.fromEntries(named.map((one) => [one, id])) as IDataObject;
				return { ...like[0], json: { ...like[0]?.json, ...ids } };
			});
			const settings = { onError: 'continueRegularOutput' } as const;
			const { resource, operation } = parameters;
			const { items: output } = await bench.run(String(resource), String(operation), parameters, {
				items,
				settings,
			});
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
				items.map((_, item) => ({ item })),
			);
			for (const { json } of output.slice(ENCODED.length)) {
				expect(json.error).toMatch(
					/found nothing|is empty|is not an ID|, not an ID|contains (half of a|the control) character/,
				);
			}
			const segments = call.replace(/^\w+ |\?.*$/g, '').split('/');
			expect(
				bench.takeRequests().map(({ path }) => path.split('/').map(decodeURIComponent)),
			).toEqual(
				items
					.slice(0, ENCODED.length)
					.map(({ json }) => segments.map((segment) => filled(segment, json))),
			);
		},
	);
});

describe('JSON that holds names which every object has', () => {
	const list = (name: string, json: (list: string) => INodeParameters, entry: object) => {
		const hostile = (key: string) =>
			`[${JSON.stringify(entry).slice(0, -1)}, "${key}": {"polluted": true}}]`;
		return { name, json, hostile };
	};
	const template = { templateId: byId('tpl_1') };
	const people = (recipientsJson: string) => ({
		...template,
		recipientsInput: 'json',
		recipientsJson,
	});
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
		const { id } = await bench.sandbox.control.createTemplate({
			mode: 'TEST',
			name: 'Names of objects',
			status: 'PUBLISHED',
			roles: [{ role: 'Client', type: 'SIGNER' }],
			fields: ['constructor', 'notes'].map((field_key) => ({
				field_key,
				type: 'TEXT',
				role: 'Client',
				required: false,
				page: 1,
			})),
		});
		const fieldValues: INodeParameters = { mappingMode: 'autoMapInputData', value: null };
		const parameters = {
			templateId: byId(id),
			recipientsInput: 'json',
			recipientsJson: JSON.stringify([{ ...ADA, role: 'Client' }]),
			fieldValues,
		};
		await run('template', 'send', parameters, { notes: 'n' });
		const [, request] = bench.takeRequests();
		expect((request?.body as IDataObject).field_values).toEqual({ notes: 'n' });
	});
});

describe('What is only untidy is taken as it is meant:', () => {
	it('spaces around names, emails, ids and lists', async () => {
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
		const read = await run('document', 'get', {
			documentId: byId(` ${String(document?.json.id)}\n`),
		});
		expect(read.items[0]?.json.id).toBe(document?.json.id);
	});

	it('texts for numbers and for yes and no, numbers for texts', async () => {
		const field = {
			...BOX,
			pageNumber: '1',
			xNorm: '0.1',
			type: 'TEXT',
			required: 'false',
			recipient: 1,
		};
		const { error } = await run('document', 'create', {
			recipientsInput: 'json',
			recipientsJson: JSON.stringify([{ ...ADA, phone: 123456, pin: 4711 }]),
			fieldsInput: 'json',
			fieldsJson: JSON.stringify([field]),
		});
		expect(error).toBeUndefined();
		const [, created, placed] = bench.takeRequests();
		expect(created?.body).toMatchObject({ recipients: [{ phone: '123456', pin: '4711' }] });
		expect(placed?.body).toMatchObject({
			fields: [{ pageNumber: 1, xNorm: 0.1, required: false }],
		});
		const listed = await run('document', 'getAll', {
			returnAll: '={{ "false" }}',
			limit: '1',
			filters: { status: ' Draft ' },
		});
		expect(listed.error).toBeUndefined();
		expect(bench.takeRequests()).toMatchObject([{ query: { limit: '1', status: 'draft' } }]);
	});
});
