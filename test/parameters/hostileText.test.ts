import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { bench, openBench, templateIds } from '../actions/support/operationRun';
import { byId, contract, DRAFT, peopleOf } from '../actions/support/workbench';

openBench();

const [ADA, GRACE] = [
	{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' },
	{ role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' },
];
const ROLES = [ADA, GRACE];

/** Every place of Template > Send and Document > Create where a text of an item goes to the service. */
async function places(): Promise<Record<string, [string, string, INodeParameters, string]>> {
	const { nda } = await templateIds();
	const send = (changed: INodeParameters): INodeParameters => ({
		templateId: byId(nda),
		...peopleOf(...ROLES),
		...changed,
	});
	const withRole = (changed: INodeParameters): INodeParameters => ({
		...peopleOf({ ...ADA, ...changed }, GRACE),
	});
	const fields = { mappingMode: 'defineBelow', value: { client_company: '={{ $json.text }}' }, schema: [] };
	const json = `={{ JSON.stringify([{ ...$json.first, name: $json.text }, $json.second]) }}`;
	const withField = (changed: INodeParameters): INodeParameters => ({
		...DRAFT,
		fieldsInput: 'form',
		fields: {
			field: [
				{
					recipient: '1',
					type: 'TEXT',
					pageNumber: 1,
					xNorm: 0,
					yNorm: 0,
					widthNorm: 0.1,
					heightNorm: 0.1,
					...changed,
				},
			],
		},
	});
	return {
		title: [
			'template',
			'send',
			send({ additionalFields: { title: '={{ $json.text }}' } }),
			'Additional Fields > Title',
		],
		name: ['template', 'send', send(withRole({ name: '={{ $json.text }}' })), 'Recipients > Client name'],
		phone: ['template', 'send', send(withRole({ phone: '={{ $json.text }}' })), 'Recipients > Client phone'],
		'name in JSON': [
			'template',
			'send',
			send({ recipientsInput: 'json', recipientsJson: json }),
			'Recipients (JSON) > 1 > name',
		],
		'field value': ['template', 'send', send({ fieldValues: fields }), 'Field Values > client_company'],
		'title of a draft': ['document', 'create', { ...DRAFT, title: '={{ $json.text }}' }, 'Title'],
		'help text': [
			'document',
			'create',
			withField({ additionalFields: { helpText: '={{ $json.text }}' } }),
			'Fields > 1 > Help Text',
		],
		choices: [
			'document',
			'create',
			withField({ type: 'DROPDOWN', additionalFields: { dropdownOptions: '={{ $json.text }}' } }),
			'Fields > 1 > Options to Choose From',
		],
		'file ID': ['document', 'create', { ...DRAFT, fileSource: 'fileIds', fileIds: '={{ $json.text }}' }, 'File IDs'],
		'document ID': ['document', 'get', { documentId: byId('={{ $json.text }}') }, 'Document'],
		webhook: ['webhook', 'create', { url: '=https://127.0.0.1:9/{{ $json.text }}' }, 'URL'],
	};
}

const itemOf = async (json: IDataObject) => ({
	json: { first: ADA, second: GRACE, ...json } as IDataObject,
	binary: { data: await contract() },
});

/** What the service was asked to do, other than to take a file or to say something. */
const asked = () => bench.takeRequests().filter(({ method, path }) => method !== 'GET' && path !== '/files');

async function messageFor(place: string, text: unknown): Promise<string> {
	const [resource, operation, parameters] = (await places())[place] ?? [];
	const items = [await itemOf({ text } as IDataObject)];
	const { error } = await bench.run(String(resource), String(operation), parameters, { items });
	return String(error?.message);
}

const PLACES = [
	'title',
	'name',
	'phone',
	'name in JSON',
	'field value',
	'title of a draft',
	'help text',
	'choices',
	'file ID',
	'document ID',
	'webhook',
];

describe('A text that would arrive as another one is refused where it stands', () => {
	describe.each(PLACES)('%s', (place) => {
		it.each([
			['half of an emoji', 'Offer \ud83d', 'contains half of a character'],
			['the other half of it', '\ude00 Offer', 'contains half of a character'],
			['a NUL', 'Of\0fer', 'U+0000'],
			['an escape', 'Of\u001bfer', 'U+001B'],
			['a deletion', 'Of\u007ffer', 'U+007F'],
		])('with %s', async (_, text, why) => {
			const label = (await places())[place]?.[3];
			const message = await messageFor(place, text);
			expect(message).toMatch(new RegExp(`^${label?.replace(/[()]/g, '\\$&')}:? `));
			expect(message).toContain(why);
			expect(asked()).toEqual([]);
		});
	});

	it('but not one of several lines, or with characters of two halves', async () => {
		const text = 'Erste Zeile\r\n\tzweite\v\f 😀 👩‍👩‍👧 ❤️';
		const items = [await itemOf({ text })];
		const { error } = await bench.run('template', 'send', (await places())['field value']?.[2], { items });
		expect(error).toBeUndefined();
		expect(asked()[0]?.body).toMatchObject({ field_values: { client_company: text } });
	});

	it('but not one with control characters of an old program, which arrives as it is', async () => {
		const text = `Of${String.fromCodePoint(...Array.from({ length: 32 }, (_, index) => 0x80 + index))}fer`;
		for (const place of ['title', 'name', 'phone', 'name in JSON', 'field value', 'title of a draft', 'help text']) {
			const [resource, operation, parameters] = (await places())[place] ?? [];
			// A telephone number has room for 32 characters.
			const given = place === 'phone' ? text.slice(0, 30) : text;
			const items = [await itemOf({ text: given })];
			const { error, items: output } = await bench.run(String(resource), String(operation), parameters, { items });
			expect(error).toBeUndefined();
			expect(JSON.stringify(asked().map(({ body }) => body))).toContain(JSON.stringify(given).slice(1, -1));
			const { json } = (await bench.run('document', 'get', { documentId: byId(output[0]?.json.id) })).items[0] ?? {};
			if (place.startsWith('title')) expect(json?.title).toBe(given);
			if (place.startsWith('name')) expect(json?.recipients).toMatchObject([{ name: given }, {}]);
			bench.takeRequests();
		}
	});

	it('nor the name of a file with such characters', async () => {
		const items = [{ json: {}, binary: { data: await contract('Of\u0093fer.pdf') } }];
		const { error, items: output } = await bench.run('file', 'upload', { binaryPropertyName: 'data' }, { items });
		expect(error).toBeUndefined();
		expect(output[0]?.json.name).toBe('Of\u0093fer.pdf');
		bench.takeRequests();
	});

	it.each(['file ID', 'document ID', 'webhook'])('and an ID or a URL (%s) has none of them', async (place) => {
		expect(await messageFor(place, 'of\u0093fer')).toContain('contains an invisible character');
		expect(asked()).toEqual([]);
	});

	it('as the name of a file', async () => {
		const items = [{ json: {}, binary: { data: await contract('Offer \ud83d.pdf') } }];
		const { error } = await bench.run('document', 'create', DRAFT, { items });
		expect(error?.message).toContain('the name of the file in "data" contains half of a character');
		expect(bench.takeRequests()).toEqual([]);
	});
});

describe('What cannot be seen', () => {
	it.each(['\u200b', '\ufeff', '\u2060\u00ad', '\u00a0\u200e', '\u2800'])('is empty by itself (%j)', async (text) => {
		expect(await messageFor('document ID', text)).toContain('Document is empty');
		expect(await messageFor('file ID', text)).toContain('File IDs is empty');
		expect(await messageFor('name', text)).toContain('Recipients > Client name: its expression found nothing');
		expect(await messageFor('title', text)).toContain('Title: its expression found nothing');
		expect(asked()).toEqual([]);
	});

	it('leaves a field to its signer', async () => {
		const items = [await itemOf({ text: '\u200b' })];
		const { error } = await bench.run('template', 'send', (await places())['field value']?.[2], { items });
		expect(error).toBeUndefined();
		expect(asked()[0]?.body).not.toHaveProperty('field_values');
	});

	it('does not make a reminder to one person one to everybody', async () => {
		const [made] = await bench.prepare('document', 'createAndSend', DRAFT);
		const parameters = { documentId: byId(made?.id), recipientId: byId('={{ $json.text }}') };
		const items = [await itemOf({ text: '\u200b' })];
		const { error } = await bench.run('document', 'remind', parameters, { items });
		expect(error?.message).toContain('Recipient: its expression found nothing');
		expect(asked()).toEqual([]);
	});

	it('is taken from the ends of IDs and addresses, as spaces are', async () => {
		const { nda } = await templateIds();
		const parameters: INodeParameters = {
			templateId: byId(`\u200b${nda}\ufeff`),
			...peopleOf({ ...ADA, email: '\u200bada@example.com\u2060 ' }, GRACE),
		} as INodeParameters;
		const { error } = await bench.run('template', 'send', parameters, { items: [await itemOf({})] });
		expect(error).toBeUndefined();
		const [request] = asked();
		expect(request?.path).toBe(`/templates/${nda}/send`);
		expect(request?.body).toMatchObject({ recipients: [{ email: 'ada@example.com' }, {}] });
	});

	it.each(['ada@exam\u200bple.com', 'a\u00adda@example.com'])('is refused inside an address (%j)', async (email) => {
		const { nda } = await templateIds();
		const parameters = { templateId: byId(nda), ...peopleOf({ ...ADA, email }, GRACE) };
		const { error } = await bench.run('template', 'send', parameters, { items: [await itemOf({})] });
		expect(error?.message).toContain('Recipients > Client email');
		expect(asked()).toEqual([]);
	});

	it('is refused inside an ID', async () => {
		expect(await messageFor('document ID', 'doc_\u200babc')).toContain('contains an invisible character');
		expect(asked()).toEqual([]);
	});
});

describe('A value that no JSON can hold', () => {
	const circular: IDataObject = { a: 1 };
	circular.self = circular;
	const thrower = (): never => {
		throw new Error('not today');
	};
	// Thirteen objects that all know each other: as many ways through them as 13! has.
	const acquainted: IDataObject[] = Array.from({ length: 13 }, () => ({}));
	for (const one of acquainted) acquainted.forEach((other, index) => (one[`n${index}`] = other));
	const hostile: Record<string, unknown> = {
		'refers to itself': circular,
		'refers to itself in a list': [[circular]],
		'refers to itself in more ways than can be gone': acquainted[0],
		'says of itself for JSON what refers to itself': { toJSON: () => circular },
		'throws what is no message': Object.defineProperty({}, 'a', {
			enumerable: true,
			get: () => {
				throw Object.assign(new Error(), { message: 5 });
			},
		}),
		'is a function': () => 1,
		'is a symbol': Symbol('x'),
		'throws when it is read': Object.defineProperty({}, 'a', { enumerable: true, get: thrower }),
		'throws whatever it is asked': new Proxy({}, { get: thrower, ownKeys: thrower, getOwnPropertyDescriptor: thrower }),
	};

	describe.each(Object.keys(hostile))('and that %s', (kind) => {
		it.each(['title', 'name', 'field value', 'document ID', 'file ID'])('is refused as %s', async (place) => {
			const [, , , label] = (await places())[place] ?? [];
			const message = await messageFor(place, hostile[kind]);
			expect(message).not.toMatch(/call stack|circular structure/i);
			if (kind !== 'is a function') expect(message).toContain(String(label).split(' > ')[0]);
			expect(asked()).toEqual([]);
		});

		it('is refused among values that are mapped automatically, and is nothing to an operation that does not use it', async () => {
			const { nda } = await templateIds();
			const parameters: INodeParameters = {
				templateId: byId(nda),
				...peopleOf(...ROLES),
				fieldValues: { mappingMode: 'autoMapInputData', value: null, schema: [] },
			};
			const items = [await itemOf({ client_company: hostile[kind] } as IDataObject)];
			const mapped = await bench.run('template', 'send', parameters, { items });
			expect(mapped.error?.message).toContain('Field Values > client_company');
			expect(asked()).toEqual([]);
			const { error } = await bench.run('document', 'create', DRAFT, { items });
			expect(error).toBeUndefined();
		});

		it('is told as an item where errors are items', async () => {
			const [resource, operation, parameters] = (await places()).title ?? [];
			const items = [await itemOf({ text: hostile[kind] } as IDataObject), await itemOf({ text: 'Good' })];
			const settings = { onError: 'continueRegularOutput' as const };
			const { items: output } = await bench.run(String(resource), String(operation), parameters, { items, settings });
			expect(output.map(({ json }) => json)).toMatchObject([{ error: expect.any(String) }, { title: 'Good' }]);
		});
	});
});

describe('JSON with a key twice in one object', () => {
	const valid = JSON.stringify(ROLES);
	it.each([
		['as it is', valid.replace('"email":', '"email":"mallory@example.com","email":'), 'email'],
		['spelt in two ways', valid.replace('"email":', '"e\\u006dail":"mallory@example.com","email":'), 'email'],
		['after a text with braces and quotes', valid.replace('"role":', '"name":"{\\"[,:","role":'), 'name'],
	])('is refused, %s', async (_, recipientsJson, key) => {
		const { nda } = await templateIds();
		const parameters = { templateId: byId(nda), recipientsInput: 'json', recipientsJson };
		const { error } = await bench.run('template', 'send', parameters, { items: [await itemOf({})] });
		expect(error?.message).toBe(`Recipients (JSON) has "${key}" twice in the same object`);
		expect(asked()).toEqual([]);
	});

	it('is not what the same key in two objects is', async () => {
		const { nda } = await templateIds();
		const parameters = { templateId: byId(nda), recipientsInput: 'json', recipientsJson: `\ufeff${valid}` };
		const { error } = await bench.run('template', 'send', parameters, { items: [await itemOf({})] });
		expect(error).toBeUndefined();
	});
});
