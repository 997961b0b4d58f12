import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { bench, NDA_PEOPLE, openBench } from '../actions/support/operationRun';
import { said } from '../actions/support/said';
import { byId, contract, DRAFT } from '../actions/support/workbench';

openBench();

/**
 * What the message begins with, and after ` … ` what else it says; the parameters; and what
 * `$json.given` is.
 */
type Row = [words: string, parameters: INodeParameters, given?: unknown];

/** The message of an item that is refused before any request, in words that say so. */
async function refusal(
	[resource, operation]: [string, string],
	parameters: INodeParameters,
	item: Partial<INodeExecutionData> = {},
): Promise<string> {
	const items = [{ json: {}, ...item, binary: { data: await contract(), ...item.binary } }];
	const { error, items: output } = await bench.run(resource, operation, parameters, { items });
	expect({ requests: bench.takeRequests(), output }).toEqual({ requests: [], output: [] });
	expect(error?.context?.itemIndex).toBe(0);
	expect(error?.description).toMatch(/\.\nNothing was changed at the service for this item\.$/);
	return said(error);
}

function refused(resource: string, operation: string, rows: Row[]): void {
	describe(`${resource} ${operation}`, () => {
		it.each(rows.map((row) => ({ words: row[0], row })))(
			'$words',
			async ({ row: [words, parameters, given] }) => {
				const message = await refusal([resource, operation], parameters, {
					json: { given } as IDataObject,
				});
				const [first = '', ...others] = words.split(' … ');
				expect(message.slice(0, first.length)).toBe(first);
				for (const part of others) expect(message).toContain(part);
			},
		);
	});
}

/** Rows whose messages begin with the same words. */
const of = (parameter: string, rows: Row[]) =>
	rows.map(([words, ...row]): Row => [`${parameter}${words}`, ...row]);

const GIVEN = '={{ $json.given }}';
const GLUE = '={{ $json.first + " " + $json.last }}';
const GLUED_LIST = '={{ [$json.first + ""] }}';
const GLUED_JSON = '=[{"role": "C", "name": "A", "email": "{{ $json.first + "@b.co" }}"}]';
const ADDRESS = '={{ $json.first + "@example.com" }}';
const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const BO = { name: 'Bo', email: 'bo@example.com' };
const CC = { name: 'Copy', email: 'cc@example.com', type: 'cc' };
const BOX = {
	recipient: 1,
	type: 'TEXT',
	pageNumber: 1,
	xNorm: 0.1,
	yNorm: 0.1,
	widthNorm: 0.2,
	heightNorm: 0.05,
};
const asJson = (recipientsJson: string): INodeParameters => ({
	recipientsInput: 'json',
	recipientsJson,
});
const people = (...list: unknown[]) => asJson(JSON.stringify(list));
const person = (more: object) => people({ ...ADA, ...more });
const fields = (...list: object[]) => ({
	...people(ADA, CC),
	fieldsInput: 'json',
	fieldsJson: JSON.stringify(list.map((one) => ({ ...BOX, ...one }))),
});
const form = (person: object): INodeParameters => ({
	recipients: { recipient: [{ ...ADA, ...person }] },
});
const formFields = (more: object, additionalFields = {}): INodeParameters => ({
	...form({}),
	fieldsInput: 'form',
	fields: { field: [{ ...BOX, place: 'atPosition', recipient: '1', ...more, additionalFields }] },
});
const asAnchor = (anchor: object) => ({
	...DRAFT,
	fieldsInput: 'json',
	fieldsJson: JSON.stringify([{ recipient: '1', type: 'SIGNATURE', anchor }]),
});
const byIds = (fileIds: string): INodeParameters => ({ ...DRAFT, fileSource: 'fileIds', fileIds });
const ofDocument = (more: INodeParameters = {}) => ({ documentId: byId('doc_1'), ...more });
const limit = (values: object) =>
	ofDocument({ options: { limitWaitTime: { values } } as INodeParameters });
const embedLink = (additionalFields: INodeParameters) =>
	ofDocument({ recipientId: byId('r'), additionalFields });
const mapped = (value: object) =>
	({ mappingMode: 'defineBelow', value, schema: [] }) as unknown as INodeParameters;
const role = (...list: object[]) => ({ templateId: byId('tpl_1'), ...people(...list) });
const CLIENT = { role: 'Client', ...ADA };
const roles = (more: INodeParameters) => ({ ...role(CLIENT), ...more });
const byRole = (more: INodeParameters) => ({ templateId: byId('tpl_1'), ...NDA_PEOPLE, ...more });
const OPEN = { placeholderId: 'ph_1', isOpen: true };
const NAMED = { placeholderId: 'ph_2', isOpen: false, ...ADA };
const signers = (list: object[], additionalFields = {}): INodeParameters => ({
	templateId: byId('tpl_1'),
	signersInput: 'json',
	signersJson: JSON.stringify(list),
	additionalFields,
});
const link = (additionalFields: object, person = {}): INodeParameters => ({
	templateId: byId('tpl_1'),
	signers: { signer: [OPEN, { ...NAMED, ...person }] },
	additionalFields: additionalFields as INodeParameters,
});
const webhook = (url: string, events: unknown = ['document.sent']) =>
	({ url, events }) as INodeParameters;

describe('Refused before any request, by the parameter that is wrong and with what to do:', () => {
	refused('document', 'create', [
		['Recipients > 1 > Email: "a@" is not', form({ email: 'a@' })],
		[
			'Recipients > 1 > Name contains "undefined", because a part of its expression',
			form({ name: GLUE }),
		],
		[
			'Fields (JSON) > 1: the box leaves the page at its right edge: xNorm plus widthNorm is',
			fields({ xNorm: 0.9 }),
		],
		[
			'Fields > 1: the box leaves the page … Top plus Height is 1.05 … Reduce Top or Height',
			formFields({ yNorm: 1 }),
		],
		['Fields (JSON) > 1 has an unknown property "recipientId"', fields({ recipientId: 'r' })],
		[
			'Fields (JSON) > 1 has an unknown property "pageNumber"',
			fields({ anchor: { text: 'Client' } }),
		],
		['Fields (JSON) > 1 > text is missing', asAnchor({})],
		['Fields (JSON) > 1 > side: "left" is not one of', asAnchor({ text: 'x', side: 'left' })],
		[
			'Fields (JSON) > 1 > xOffsetNorm: 1.1 is not a number from -1 to 1',
			asAnchor({ text: 'x', xOffsetNorm: 1.1 }),
		],
		[
			'Fields (JSON) > 1 > yOffsetNorm: -1.1 is not a number from -1 to 1',
			asAnchor({ text: 'x', yOffsetNorm: -1.1 }),
		],
		['Fields (JSON) > 1 has an unknown property "txt"', asAnchor({ txt: 'x' })],
		[
			'Fields > 1 > Text is missing … Fill it in',
			{ ...DRAFT, fieldsInput: 'form', fields: { field: [{ recipient: '1' }] } },
		],
		['Fields (JSON) has 501 entries. Use 500', fields(...Array.from({ length: 501 }, () => ({})))],
		[
			'Fields > 1 > Options to Choose From contains "undefined"',
			formFields({}, { dropdownOptions: GLUED_LIST }),
		],
		[
			'Fields to Place: automatic placement needs a signer',
			{ ...people(CC), fieldsInput: 'automatic' },
		],
		[
			'Fields to Place: "magic" is not one of its values',
			{ ...DRAFT, fieldsInput: GIVEN },
			'magic',
		],
		['Automatic Placement > Page Number: 0 is not', { ...DRAFT, automatic: { pageNumber: 0 } }],
		['Title has 161 characters … Shorten it to 160', { ...DRAFT, title: 't'.repeat(161) }],
		[
			'Title has a gap, because a part of its expression found nothing',
			{ ...DRAFT, title: '=NDA of {{ $json.no }}' },
		],
		['Recipients > 1 > Name has a gap', form({ name: '=Ada {{ $json.middle }} {{ "King" }}' })],
		[
			'Title contains "[object Object]", because',
			{ ...DRAFT, title: `=NDA with ${GIVEN.slice(1)}` },
			{},
		],
		['Routing: "zigzag" is not one of', { ...people(ADA), fieldsInput: 'none', routing: 'zigzag' }],
		[
			'Fields > 1: the document has no page 4 … Choose a page from 1 to 3',
			formFields({ pageNumber: 4 }),
		],
		[
			'Automatic Placement > Page Number: the document has no page 9',
			{ ...DRAFT, automatic: { pageNumber: 9 } },
		],
		['Recipients is empty … under recipients.recipient', { recipients: [ADA] }],
		['Recipients is empty … Recipients (JSON)', { recipients: { rows: [ADA] } as INodeParameters }],
		['Recipients is empty … under recipients.recipient', { recipients: GIVEN }, [ADA]],
		['Fields is empty … under fields.field', { ...DRAFT, fieldsInput: 'form', fields: [BOX] }],
		[
			'Recipients > 1 > Name contains an expression … Switch it',
			form({ name: '{{ $json.name }}' }),
		],
		['Title contains an expression as text', { ...DRAFT, title: 'NDA for {{ $json.company }}' }],
		['Input Binary Fields contains an exp', { ...DRAFT, binaryPropertyNames: '{{ $json.file }}' }],
		['Recipients (JSON) contains an expression as text', asJson('{{ $json.people }}')],
		[
			'Recipients (JSON) contains an expression as text',
			person({ name: "{{ $('Form').item.json.name }}" }),
		],
		['File IDs: its expression found nothing … Correct the expression', byIds('={{ $json.ids }}')],
		['Input Binary Fields is empty … Name at least one', { ...DRAFT, binaryPropertyNames: ' , ' }],
		['File IDs has 11 entries … Use 10 at most', byIds('file_1,'.repeat(11))],
		['File IDs is an object, not text', byIds(GIVEN), [{ id: 'file_1' }]],
		['File IDs has nothing as entry 2 of its list', byIds(GIVEN), ['file_1', null]],
		...of('Recipients (JSON) > 1 > ', [
			['email is missing … Fill it in', people({ name: 'A' })],
			['email: "ada" is not a valid email address … Enter a valid', person({ email: 'ada' })],
			[
				'email: "ada@example.com\r\nBcc: eve@x.co" is not',
				person({ email: 'ada@example.com\r\nBcc: eve@x.co' }),
			],
			['name has 161 characters … Shorten it to 160', person({ name: '😀'.repeat(161) })],
			['email … Shorten it to 190', person({ email: `${'e'.repeat(180)}@example.com` })],
			['phone … Shorten it to 32', person({ phone: '1'.repeat(33) })],
			['pin … Shorten it to 20', person({ pin: '1'.repeat(21) })],
			['type: "boss" is not one of its values … Use cc, signer', person({ type: 'boss' })],
			[
				'name is true, not text … email: "7" is not a valid',
				asJson(GIVEN),
				[{ name: true, email: 7 }],
			],
			[
				'name contains "undefined", because a part',
				asJson('={{ [{ name: $json.first + "", email: "a@b.co" }] }}'),
			],
		]),
		...of('Recipients (JSON)', [
			[' is empty … Add at least one', people()],
			[
				' > 2 > Email: "CC@example.com" is already used by recipient 1',
				people(CC, { ...CC, email: 'CC@example.com' }),
			],
			[
				' has 11 entries … Use 10 at most, signers and cc combined',
				people(...Array.from({ length: 11 }, () => ADA)),
			],
			[
				' > 1 has an unknown property "role" … allowed are name, email, type, phone, pin',
				person({ role: 'Client' }),
			],
			[' > 1 is "ada@example.com", not an object', people('ada@example.com')],
		]),
		...of('Fields (JSON) > 1 > ', [
			['pageNumber: 1.5 is not a whole number of 1 or more', fields({ pageNumber: 1.5 })],
			['xNorm: 1.2 is not a number from 0 to 1', fields({ xNorm: 1.2 })],
			['yNorm is missing', fields({ yNorm: undefined })],
			[
				'Recipient: "cc@example.com" is a cc, who only receives',
				fields({ recipient: 'cc@example.com' }),
			],
			[
				'Recipient: "x@y.co" is not one … 1 (ada@example.com), 2 (cc@example.com)',
				fields({ recipient: 'x@y.co' }),
			],
			['Recipient: "3" is not one of the recipients', fields({ recipient: 3 })],
			['Recipient: "0" is not one of the recipients', fields({ recipient: 0 })],
			[
				'Recipient: "Bo" is not one',
				{ ...fields({ recipient: 'Bo' }), ...people(BO, { ...BO, email: 'b@b.co' }) },
			],
			['fieldKey: "Start Date" is not a key', fields({ fieldKey: 'Start Date' })],
			[
				'dropdownOptions has 41 entries … Use 40',
				fields({ dropdownOptions: Array.from({ length: 41 }, String) }),
			],
			[
				'dropdownOptions has 81 characters … Shorten it to 80',
				fields({ dropdownOptions: ['a'.repeat(81)] }),
			],
			['required is "maybe", not true or false', fields({ required: 'maybe' })],
		]),
	]);

	refused('document', 'createAndSend', [
		[
			'Fields to Place: there is no Signature field for ada@example.com, … Choose Automatic',
			fields({}),
		],
		['Fields to Place: there is no Signature field for', { ...people(ADA), fieldsInput: 'none' }],
	]);

	refused('document', 'get', [
		['Document: its expression found nothing', { documentId: byId('={{ "" }}') }],
		['Document is empty … Choose one from the list', { documentId: byId('\u200b') }],
		[
			'Document: "evt_1" is an event, not a document … Use document.id of the event.',
			{ documentId: byId('evt_1') },
		],
		[
			'Document has a gap, because a part of its expression found',
			{ documentId: byId('=doc_{{ $json.no }}') },
		],
		[
			'Document: "tpl_1" is a template, not a … Enter an ID that starts with doc_.',
			{ documentId: byId('tpl_1') },
		],
	]);
	refused(
		'document',
		'wait',
		of('Limit Wait Time > ', [
			['Amount', limit({ limitType: 'afterTimeInterval', resumeAmount: -1, resumeUnit: 'days' })],
			['Unit', limit({ limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'weeks' })],
			['Max Date and Time', limit({ limitType: 'atSpecifiedTime', maxDateAndTime: 'tomorrow' })],
			['Max Date and Time', limit({ limitType: 'atSpecifiedTime', maxDateAndTime: '' })],
		]),
	);
	refused('document', 'remind', [
		// It may not come to mean everyone.
		[
			'Recipient is an object, not an ID. Enter the ID itself',
			ofDocument({ recipientId: byId(GIVEN) }),
			{ id: 'r' },
		],
	]);
	refused('document', 'getAll', [
		['Limit: 0 is not a whole number of 1 or more', { limit: 0 }],
		['Limit: "ten" is not a whole number of 1 or more', { limit: GIVEN }, 'ten'],
		['Return All is "all", not true or false', { returnAll: GIVEN }, 'all'],
		[
			'Filters > Status: "open" is not one of its values … Use ',
			{ filters: { status: GIVEN } },
			'open',
		],
	]);
	const BY_ID = { webhookId: byId('whk_1'), limit: 101 };
	refused('webhookDelivery', 'getAll', [['Limit: 101 is not a whole number from 1 to 100', BY_ID]]);
	refused('document', 'download', [
		[
			'Files: its expression found nothing',
			ofDocument({ variants: '={{ [] }}', binaryPropertyName: GIVEN }),
		],
		['Files: "../signed" is not one of its values', ofDocument({ variants: GIVEN }), ['../signed']],
	]);
	const NO_IDS = {
		...embedLink({ expiresIn: 0 }),
		documentId: byId('evt_1'),
		recipientId: byId('\u200b'),
	};
	refused('document', 'createEmbedLink', [
		[
			'Document: "evt_1" is an event, not a document, and 2 more … (2) Recipient is empty. … (3) Additional',
			NO_IDS,
		],
		[
			'Additional Fields > Expires In: 86400 is not a whole number from 60 to 3600',
			embedLink({ expiresIn: 86400 }),
		],
		[
			'Additional Fields > Redirect URL: "http://x.co" is not an address',
			embedLink({ redirectUrl: 'http://x.co' }),
		],
	]);
	refused('document', 'updateFields', [
		['Fields > 1 > Page: 0 is not', ofDocument(formFields({ pageNumber: 0 }))],
		['Fields (JSON) is empty … Add at least one entry', ofDocument({ ...fields() })],
	]);
	refused('document', 'updateRecipients', [
		['Recipients (JSON): its expression found nothing', ofDocument(asJson('={{ [] }}'))],
	]);

	refused('webhook', 'create', [
		...[
			'http://example.com',
			'http://localhost.evil.com',
			'http://localhost:80@evil.com',
			'https://x.co/a b',
		].map((url): Row => [`URL: "${url}" is not an address that starts with https`, webhook(url)]),
		['URL is an object, not text', webhook(GIVEN), { url: 'https://x.co' }],
		['Events: its expression found nothing', webhook('https://x.co', GIVEN), []],
		[
			'Events: "document.lost" is not one of its values',
			webhook('https://x.co', ['document.lost']),
		],
		['Events: an object is not one of its values', webhook('https://x.co', GIVEN), [{}]],
	]);

	refused('template', 'send', [
		[
			'Recipients > Client name contains "undefined"',
			byRole({ people: mapped({ 'Client name': GLUE }) }),
		],
		[
			'Create Embed Links: a draft has no embed links … Switch Send on',
			roles({ send: '={{ false }}', embed: true }),
		],
		['Send is "yes", not true or false', roles({ send: GIVEN }), 'yes'],
		[
			'Field Values > a_text has a gap',
			byRole({ fieldValues: mapped({ a_text: '={{ 1 }}, {{ $json.no }}' }) }),
		],
		[
			'Field Values > a_text contains "undefined"',
			byRole({ fieldValues: mapped({ a_text: GLUE }) }),
		],
		...of('Recipients (JSON)', [
			[
				' > 2 > role: "CLIENT" is already assigned to recipient 1',
				role(CLIENT, { ...BO, role: 'CLIENT' }),
			],
			[' > 1 > role is missing', role(ADA)],
			[' > 1 > name … Shorten it to 120', role({ ...CLIENT, name: 'n'.repeat(121) })],
			[' > 1 > email contains "undefined"', { ...role(), recipientsJson: GLUED_JSON }],
		]),
	]);

	refused('templateLink', 'create', [
		['Signers > 2 > Email contains "undefined"', link({}, { email: ADDRESS })],
		...of('Signers (JSON)', [
			[': 0 entries are open to visitors … Switch', signers([NAMED])],
			[': 2 entries are open', signers([OPEN, { placeholderId: 'ph_2', isOpen: true }])],
			[
				' > 2 needs Name and Email … Fill in both',
				signers([OPEN, { placeholderId: 'ph_2', email: 'a@b.co' }]),
			],
			// Who is open to visitors may have nothing there, as an expression gives it.
			[
				' > 2 needs Name and Email … Fill in both',
				signers([
					{ ...OPEN, name: null, email: null },
					{ ...NAMED, name: null },
				]),
			],
			[' > 2 > Role: "ph_1" is used twice', signers([OPEN, { ...NAMED, placeholderId: 'ph_1' }])],
		]),
		...of('Additional Fields > ', [
			[
				'Max Uses: 100001 is not a whole number from 1 to 100000',
				signers([OPEN], { maxUses: 100001 }),
			],
			[
				'Expires At: "no" is not a valid ISO 8601 date and time in … Use one',
				signers([OPEN], { expiresAt: 'no' }),
			],
			['Label contains "undefined"', link({ label: GLUE })],
			[
				'Headline has 161 characters … Shorten it to 160 at most',
				link({ headline: 'x'.repeat(161) }),
			],
		]),
	]);

	it('everything that is wrong at once, in one message', async () => {
		const parameters = {
			...fields({ recipient: 2 }),
			...people({ name: '', email: 'x' }),
			title: 't'.repeat(161),
		};
		await expect(refusal(['document', 'create'], parameters)).resolves.toMatch(
			/^Title has 161 characters, and 3 more problems\. \(1\) Title .*\n\(2\) .*name is missing.*\n\(3\) .*email: .*\n\(4\) .*"2"/,
		);
	});

	it('and never by quoting a pin', async () => {
		const secret = '99887766';
		const broken = asJson(
			`[{"name": "A", "email": "a@example.com", "pin": "${secret}" "phone": 1}]`,
		);
		const long = person({ pin: secret.repeat(3) });
		for (const given of [broken, long])
			expect(await refusal(['document', 'create'], given)).not.toContain(secret);
	});
});

it('Accepted is a box that ends at the edge of the page, and as much as the service takes of everything', async () => {
	const edge = { xNorm: 0.7, yNorm: 0.9, widthNorm: 0.3, heightNorm: 0.1 };
	const third = { xNorm: 0.55, yNorm: 0.1 + 0.2, widthNorm: 0.45, heightNorm: 0.7 };
	const nine = Array.from({ length: 9 }, (_, n) => ({ ...ADA, email: `${n}@b.co` }));
	const most = people({ ...ADA, name: '😀'.repeat(160), pin: '😀'.repeat(20) }, ...nine);
	const others = Array.from({ length: 498 }, () => ({
		// In a text, unlike in an ID, a soft hyphen is nothing odd.
		dropdownOptions: Array.from({ length: 40 }, (_, n) => `co\u00ADope\u00ADrate ${n}`),
	}));
	// Refused only because nobody signs: everything else has been accepted.
	const parameters = { ...fields(edge, third, ...others), ...most, title: '😀'.repeat(160) };
	const message = await refusal(['document', 'createAndSend'], parameters);
	expect(message).toMatch(/^Fields to Place: there is no Signature field for ada@example\.com/);
});
