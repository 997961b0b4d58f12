import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { bench, openBench, templateIds } from '../actions/support/operationRun';
import { byId, contract, DRAFT, peopleOf } from '../actions/support/workbench';

openBench();

const ADA = { role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' };
const GRACE = { role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' };
const TEXT = '={{ $json.text }}';
const BOX = {
	recipient: '1',
	type: 'TEXT',
	pageNumber: 1,
	xNorm: 0,
	yNorm: 0,
	widthNorm: 0.1,
	heightNorm: 0.1,
};

type Place = [operation: string, parameters: INodeParameters, label: string];

/** What the operation is given besides. Template > Send sends the NDA. */
const BESIDE: Record<string, INodeParameters> = {
	'template send': peopleOf(ADA, GRACE),
	'document create': DRAFT,
};

const field = (changed: object, additionalFields: object): INodeParameters =>
	({
		fieldsInput: 'form',
		fields: { field: [{ ...BOX, place: 'atPosition', ...changed, additionalFields }] },
	}) as unknown as INodeParameters;
const value = { client_company: TEXT };
const mapped = { mappingMode: 'defineBelow', value, schema: [] } as unknown as INodeParameters;
const choices = field({ type: 'DROPDOWN' }, { dropdownOptions: TEXT });
const recipientsJson =
	'={{ JSON.stringify([{ ...$json.first, name: $json.text }, $json.second]) }}';
const asJson = { recipientsInput: 'json', recipientsJson };

/** Every place where a text of an item goes to the service. */
const PLACES: Record<string, Place> = {
	title: ['template send', { additionalFields: { title: TEXT } }, 'Additional Fields > Title'],
	name: ['template send', peopleOf({ ...ADA, name: TEXT }, GRACE), 'Recipients > Client name'],
	phone: ['template send', peopleOf({ ...ADA, phone: TEXT }, GRACE), 'Recipients > Client phone'],
	'name in JSON': ['template send', asJson, 'Recipients (JSON) > 1 > name'],
	'field value': ['template send', { fieldValues: mapped }, 'Field Values > client_company'],
	'title of a draft': ['document create', { title: TEXT }, 'Title'],
	'help text': ['document create', field({}, { helpText: TEXT }), 'Fields > 1 > Help Text'],
	choices: ['document create', choices, 'Fields > 1 > Options to Choose From'],
	'file ID': ['document create', { fileSource: 'fileIds', fileIds: TEXT }, 'File IDs'],
	'document ID': ['document get', { documentId: byId(TEXT) }, 'Document'],
	webhook: ['webhook create', { url: '=https://127.0.0.1:9/{{ $json.text }}' }, 'URL'],
};

/** What the service was asked to do, other than to take a file or to say something. */
const asked = () =>
	bench.takeRequests().filter(({ method, path }) => method !== 'GET' && path !== '/files');

/** Runs the operation of a place with each text in it. */
async function run(place: string, texts: unknown[]) {
	const [named = '', parameters] = PLACES[place] ?? [];
	const [resource = '', operation = ''] = named.split(' ');
	const { nda } = await templateIds();
	const data = await contract();
	return await bench.run(
		resource,
		operation,
		{ templateId: byId(nda), ...BESIDE[named], ...parameters },
		{
			items: texts.map((text) => ({
				json: { first: ADA, second: GRACE, text } as IDataObject,
				binary: { data },
			})),
		},
	);
}

/** The message for a text that is refused before any request. */
async function messageFor(place: string, text: unknown): Promise<string> {
	const { error } = await run(place, [text]);
	expect(asked()).toEqual([]);
	return String(error?.message);
}

describe('A text that would arrive as another one is refused where it stands', () => {
	it.each(Object.keys(PLACES))('%s', async (place) => {
		const message = await messageFor(place, 'Of\u001bfer');
		expect(message.replace(/:? contains .*/s, '')).toBe(PLACES[place]?.[2]);
		expect(message).toContain('U+001B');
	});

	it('but not one of several lines, of characters of two halves, or with control characters of an old program', async () => {
		const old = String.fromCodePoint(...Array.from({ length: 32 }, (_, index) => 0x80 + index));
		for (const place of [
			'title',
			'name',
			'phone',
			'name in JSON',
			'field value',
			'title of a draft',
			'help text',
		]) {
			// A telephone number has room for 32 characters.
			const given = place === 'phone' ? old.slice(0, 30) : `1\r\n\t2\v\f 😀 👩‍👩‍👧 ❤️ ${old}fer`;
			const { error, items } = await run(place, [given]);
			expect(error).toBeUndefined();
			expect(JSON.stringify(asked().map(({ body }) => body))).toContain(
				JSON.stringify(given).slice(1, -1),
			);
			if (place.startsWith('title')) expect(items[0]?.json.title).toBe(given);
		}
	});

	it.each(['file ID', 'document ID', 'webhook'])(
		'and an ID or a URL (%s) has none of them',
		async (place) => {
			expect(await messageFor(place, 'of\u0093fer')).toContain('contains an invisible character');
			expect(await messageFor(place, 'doc_\u200babc')).toContain('contains an invisible character');
		},
	);
});

describe('What cannot be seen', () => {
	it.each(['\u200b', '\ufeff', '\u2060\u00ad', '\u00a0\u200e', '\u2800'])(
		'is empty by itself (%j)',
		async (text) => {
			expect(await messageFor('document ID', text)).toContain(
				'Document: its expression found nothing',
			);
			expect(await messageFor('file ID', text)).toContain('File IDs: its expression found nothing');
			expect(await messageFor('name', text)).toContain(
				'Recipients > Client name: its expression found nothing',
			);
		},
	);

	it('leaves a field to its signer', async () => {
		expect((await run('field value', ['\u200b'])).error).toBeUndefined();
		expect(asked()[0]?.body).not.toHaveProperty('field_values');
	});

	it('does not make a reminder to one person one to everybody', async () => {
		const parameters = { documentId: byId('doc_1'), recipientId: byId(TEXT) };
		const { error } = await bench.run('document', 'remind', parameters, {
			items: [{ json: { text: '\u200b' } }],
		});
		expect(error?.message).toContain('Recipient: its expression found nothing');
		expect(asked()).toEqual([]);
	});

	it('is taken from the ends of IDs and addresses, as spaces are, and refused inside an address', async () => {
		const { nda } = await templateIds();
		const templateId = byId(`\u200b${nda}\ufeff`);
		const sendTo = async (email: string) =>
			await bench.run('template', 'send', { templateId, ...peopleOf({ ...ADA, email }, GRACE) });
		expect((await sendTo('\u200bada@example.com\u2060 ')).error).toBeUndefined();
		const recipients = [{ email: 'ada@example.com' }, {}];
		expect(asked()).toMatchObject([{ path: `/templates/${nda}/send`, body: { recipients } }]);
		for (const email of ['ada@exam\u200bple.com', 'a\u00adda@example.com']) {
			expect((await sendTo(email)).error?.message).toContain('Recipients > Client email');
		}
		expect(asked()).toEqual([]);
	});
});
