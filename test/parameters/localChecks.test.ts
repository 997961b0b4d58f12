import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { binary } from '../../harness/n8nCore/n8n';
import { bench, openBench } from '../actions/support/operationRun';
import { byId, contract, DRAFT } from '../actions/support/workbench';
import { said } from '../actions/support/said';

openBench();

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const BOX = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.05 };
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ name: `P${index}`, email: `p${index}@example.com` }));

/** Runs the operation on a good and a bad item; the bad one must be refused without a request of its own. */
async function refusal(
	[resource, operation]: [string, string],
	parameters: INodeParameters,
	item: INodeExecutionData = { json: {} },
): Promise<{ message: string; itemIndex: unknown }> {
	const data = await contract();
	const { error, items } = await bench.run(resource, operation, parameters, {
		items: [{ ...item, binary: { data, ...item.binary } }],
	});
	expect(items).toEqual([]);
	expect(bench.takeRequests()).toEqual([]);
	expect(error?.description).toMatch(/\.\nNothing was changed at the service for this item\.$/);
	return { message: said(error), itemIndex: error?.context?.itemIndex };
}

const json = (recipients: unknown): INodeParameters => ({
	recipientsInput: 'json',
	recipientsJson: JSON.stringify(recipients),
});
const fields = (...list: object[]): INodeParameters => ({
	...json([ADA, { name: 'Copy', email: 'cc@example.com', type: 'cc' }]),
	fieldsInput: 'json',
	fieldsJson: JSON.stringify(list),
});

describe('Create of Document refuses before any request', () => {
	const cases: Array<[string, INodeParameters, RegExp]> = [
		['no recipient', json([]), /^Recipients \(JSON\) is empty\. Add at least one/],
		['a recipient without an email', json([{ name: 'A' }]), /Recipients \(JSON\) > 1 > email is missing\. Fill it in/],
		['a recipient without a name', json([{ email: 'a@b.co' }]), /Recipients \(JSON\) > 1 > name is missing/],
		[
			'an email that is none',
			json([{ ...ADA, email: 'ada' }]),
			/> email: "ada" is not a valid e-mail address. Enter a valid e-mail address/,
		],
		[
			'an email twice, whatever its case',
			json([ADA, { name: 'B', email: 'ADA@Example.com' }]),
			/> 2 > Email: "ADA@Example.com" is already used by recipient 1/,
		],
		['more than ten recipients', json(people(11)), /has 11 entries\. Use 10 at most, signers and cc combined/],
		['a long name', json([{ ...ADA, name: 'n'.repeat(161) }]), /> name has 161 characters\. Shorten it to 160/],
		['a long email', json([{ ...ADA, email: `${'e'.repeat(180)}@example.com` }]), /Shorten it to 190/],
		['a long phone', json([{ ...ADA, phone: '1'.repeat(33) }]), /> phone.*Shorten it to 32/],
		['a long pin', json([{ ...ADA, pin: '1'.repeat(21) }]), /> pin.*Shorten it to 20/],
		['an unknown recipient type', json([{ ...ADA, type: 'boss' }]), /"boss" is not one of its values\. Use signer, cc/],
		[
			'an unknown property',
			json([{ ...ADA, role: 'Client' }]),
			/has an unknown property "role"\. Remove it; allowed are name, email, type, phone, pin/,
		],
		[
			'malformed JSON',
			{ recipientsInput: 'json', recipientsJson: '[{"name": ' },
			/Recipients \(JSON\) is not valid JSON/,
		],
		['a list of something else', json(['ada@example.com']), /> 1 is "ada@example.com", not an object/],
		['JSON that is no list', { recipientsInput: 'json', recipientsJson: '42' }, /is neither a list nor an object/],
		[
			'an email that is none in the form',
			{ recipients: { recipient: [{ name: 'A', email: 'a@' }] } },
			/^Recipients > 1 > Email: "a@" is not/,
		],
		['a field type that is none', fields({ recipient: 1, type: 'SEAL', ...BOX }), /> type: "SEAL" is not one of/],
		['a page below 1', fields({ recipient: 1, type: 'TEXT', ...BOX, pageNumber: 0 }), /> pageNumber: 0 is not a whole/],
		['half a page', fields({ recipient: 1, type: 'TEXT', ...BOX, pageNumber: 1.5 }), /1\.5 is not a whole number/],
		[
			'a coordinate above 1',
			fields({ recipient: 1, type: 'TEXT', ...BOX, xNorm: 1.2 }),
			/> xNorm: 1\.2 is not a number/,
		],
		['a missing coordinate', fields({ recipient: 1, type: 'TEXT', ...BOX, yNorm: undefined }), /> yNorm is missing/],
		[
			'a box that leaves the page',
			fields({ recipient: 1, type: 'TEXT', ...BOX, xNorm: 0.9 }),
			/leaves the page at its right edge: xNorm plus widthNorm is 1\.1\. Reduce xNorm or widthNorm/,
		],
		['a field for a cc', fields({ recipient: 'cc@example.com', type: 'TEXT', ...BOX }), /is a cc, who only receives/],
		[
			'a field for nobody known',
			fields({ recipient: 'x@example.com', type: 'TEXT', ...BOX }),
			/"x@example.com" is not one of the recipients\. Use .*1 \(ada@example.com\), 2 \(cc@example.com\)/,
		],
		['a position past the list', fields({ recipient: 3, type: 'TEXT', ...BOX }), /"3" is not one of the recipients/],
		['position 0', fields({ recipient: 0, type: 'TEXT', ...BOX }), /"0" is not one of the recipients/],
		[
			'a property that the API takes as an id',
			fields({ recipientId: 'r', type: 'TEXT', ...BOX }),
			/unknown property "recipientId"/,
		],
		[
			'a long help text',
			fields({ recipient: 1, type: 'TEXT', ...BOX, helpText: 'h'.repeat(501) }),
			/Shorten it to 500/,
		],
		['a long placeholder', fields({ recipient: 1, type: 'TEXT', ...BOX, placeholderText: 'h'.repeat(121) }), /to 120/],
		['a long value', fields({ recipient: 1, type: 'TEXT', ...BOX, value: 'h'.repeat(2001) }), /Shorten it to 2000/],
		[
			'a bad colour',
			fields({ recipient: 1, type: 'TEXT', ...BOX, fontColor: 'red' }),
			/"red" is not a colour of the form #RRGGBB/,
		],
		[
			'a bad field key',
			fields({ recipient: 1, type: 'TEXT', ...BOX, fieldKey: 'Start Date' }),
			/> fieldKey: "Start Date" is not a key/,
		],
		[
			'a font too small',
			fields({ recipient: 1, type: 'TEXT', ...BOX, fontSize: 5 }),
			/> fontSize: 5 is not a whole number from 6 to 48/,
		],
		[
			'41 options',
			fields({ recipient: 1, type: 'DROPDOWN', ...BOX, dropdownOptions: people(41).map(({ name }) => name) }),
			/has 41 entries\. Use 40/,
		],
		[
			'a boolean that is none',
			fields({ recipient: 1, type: 'TEXT', ...BOX, required: 'maybe' }),
			/"maybe", not true or false/,
		],
		[
			'more than 500 fields',
			fields(...Array.from({ length: 501 }, () => ({ type: 'TEXT', ...BOX }))),
			/has 501 entries\. Use 500/,
		],
		[
			'automatic placement without a signer',
			{ ...json([{ ...ADA, type: 'cc' }]), fieldsInput: 'automatic' },
			/needs a signer/,
		],
		[
			'automatic placement on page 0',
			{ ...DRAFT, automatic: { pageNumber: 0 } },
			/Automatic Placement > Page Number: 0 is not/,
		],
		['a long title', { ...DRAFT, title: 't'.repeat(161) }, /^Title has 161 characters\. Shorten it to 160/],
		[
			'an unknown routing',
			{ ...DRAFT, additionalFields: { routing: 'zigzag' } },
			/^Additional Fields > Routing: "zigzag" is not one of/,
		],
		['no binary field', { ...DRAFT, binaryPropertyNames: ' , ' }, /^Input Binary Fields is empty\. Name at least one/],
		['no file id', { ...DRAFT, fileSource: 'fileIds', fileIds: '={{ "" }}' }, /^File IDs is empty/],
		[
			'more than ten files',
			{
				...DRAFT,
				fileSource: 'fileIds',
				fileIds: people(11)
					.map(({ name }) => name)
					.join(','),
			},
			/^File IDs names 11 files\. Use 10 at most/,
		],
		[
			'the last page of files given by id',
			{ ...DRAFT, fileSource: 'fileIds', fileIds: 'file_1', automatic: { page: 'last' } },
			/Automatic Placement > Page: the page count of files given by ID is not known\. Choose First Page/,
		],
	];

	it.each(cases)('%s', async (_, parameters, message) => {
		const refused = await refusal(['document', 'create'], parameters);
		expect(refused).toEqual({ message: expect.stringMatching(message) as string, itemIndex: 0 });
	});

	it.each<[string, INodeParameters]>([
		['without a signature field', fields({ recipient: 1, type: 'TEXT', ...BOX })],
		['without fields', { ...json([ADA]), fieldsInput: 'none' }],
	])('to send a document %s', async (_, parameters) => {
		const { message } = await refusal(['document', 'createAndSend'], parameters);
		expect(message).toMatch(/Fields to Place: there is no Signature field for ada@example\.com,.*Choose Automatic.*Create Draft/);
	});

	it('the last page of a file whose pages are not known yet', async () => {
		const word = await binary(Buffer.from('PK not a PDF'), 'letter.docx', 'application/zip');
		const parameters = { ...DRAFT, automatic: { page: 'last' } };
		const { message } = await refusal(['document', 'create'], parameters, { json: {}, binary: { data: word } });
		expect(message).toMatch(
			/Page: the number of pages of "letter\.docx" is not known.*Choose First Page or Page Number/,
		);
	});

	it('everything that is wrong at once, in one message', async () => {
		const { message } = await refusal(['document', 'create'], {
			...json([{ name: '', email: 'x' }]),
			title: 't'.repeat(161),
			fieldsInput: 'json',
			fieldsJson: JSON.stringify([{ recipient: 2, type: 'TEXT', ...BOX }]),
		});
		expect(message).toMatch(
			/^Title has 161 characters, and 3 more problems\. \(1\) Title .*\n\(2\) .*name is missing.*\n\(3\) .*email: .*\n\(4\) .*"2"/,
		);
	});

	it('never quotes a pin', async () => {
		const secret = '99887766';
		const broken = `[{"name": "A", "email": "a@example.com", "pin": "${secret}" "phone": 1}]`;
		const { message } = await refusal(['document', 'create'], { recipientsInput: 'json', recipientsJson: broken });
		expect(message).toMatch(/is not valid JSON \(line 1, column \d+\)/);
		expect(message).not.toContain(secret);
		const long = await refusal(['document', 'create'], json([{ ...ADA, pin: secret.repeat(3) }]));
		expect(long.message).not.toContain(secret);
	});
});

describe('Other operations refuse before any request', () => {
	const role = (name: string, person: object) => ({ role: name, ...person });
	const template = { templateId: byId('tpl_1') };
	const signers = (...list: object[]) => ({ ...template, signersInput: 'json', signersJson: JSON.stringify(list) });
	const open = { placeholderId: 'ph_1', isOpen: true };
	const named = { placeholderId: 'ph_2', isOpen: false, ...ADA };
	const cases: Array<[string, [string, string], INodeParameters, RegExp]> = [
		[
			'an empty document',
			['document', 'get'],
			{ documentId: byId('={{ "" }}') },
			/^Document is empty\. Choose one from the list/,
		],
		['an empty link ID', ['templateLink', 'get'], { templateLinkId: byId('={{ " " }}') }, /^Template Link is empty/],
		['a limit of 0', ['document', 'getAll'], { limit: 0 }, /^Limit: 0 is not a whole number of 1 or more/],
		[
			'more deliveries than a page',
			['webhookDelivery', 'getAll'],
			{ webhookId: byId('w'), limit: 101 },
			/from 1 to 100/,
		],
		[
			'no file to download',
			['document', 'download'],
			{ documentId: byId('d'), variants: '={{ [] }}' },
			/^Files: nothing is chosen/,
		],
		[
			'a file that is none',
			['document', 'download'],
			{ documentId: byId('d'), variants: ['x'] },
			/^Files: "x" is not one of its values/,
		],
		[
			'an embed link of a day',
			['document', 'createEmbedLink'],
			{ documentId: byId('d'), recipientId: byId('r'), additionalFields: { expiresIn: 86400 } },
			/Expires In: 86400 is not a whole number from 60 to 3600/,
		],
		[
			'a redirect over http',
			['document', 'createEmbedLink'],
			{ documentId: byId('d'), recipientId: byId('r'), additionalFields: { redirectUrl: 'http://x.co' } },
			/Redirect URL: "http:\/\/x\.co" is not an address that starts with https/,
		],
		[
			'a webhook over http',
			['webhook', 'create'],
			{ url: 'http://example.com', events: ['document.sent'] },
			/^URL: .*https/,
		],
		[
			'a webhook over http to localhost.evil.com',
			['webhook', 'create'],
			{ url: 'http://localhost.evil.com', events: ['document.sent'] },
			/^URL:/,
		],
		[
			'a webhook without events',
			['webhook', 'create'],
			{ url: 'https://example.com', events: '={{ [] }}' },
			/^Events: nothing is chosen/,
		],
		[
			'an unknown event',
			['webhook', 'create'],
			{ url: 'https://example.com', events: ['document.lost'] },
			/^Events: "document\.lost" is not one of its values/,
		],
		[
			'a role twice',
			['template', 'send'],
			{ ...template, ...json([role('Client', ADA), role('CLIENT', { name: 'B', email: 'b@example.com' })]) },
			/> 2 > role: "CLIENT" is already assigned to recipient 1/,
		],
		['a recipient without a role', ['template', 'send'], { ...template, ...json([ADA]) }, /> role is missing/],
		[
			'a long template recipient name',
			['template', 'send'],
			{ ...template, ...json([role('C', { ...ADA, name: 'n'.repeat(121) })]) },
			/Shorten it to 120/,
		],
		[
			'embed links of a draft',
			['template', 'send'],
			{ ...template, ...json([role('C', ADA)]), send: '={{ false }}', embed: true },
			/a draft has no embed links\. Switch Send on/,
		],
		[
			'a long field value',
			['template', 'send'],
			{
				...template,
				...json([role('C', ADA)]),
				fieldValues: { mappingMode: 'defineBelow', value: { notes: 'n'.repeat(2001) } },
			},
			/^Field Values > notes has 2001 characters/,
		],
		[
			'a link without an open signer',
			['templateLink', 'create'],
			signers(named),
			/0 entries are open to visitors\. Switch/,
		],
		[
			'a link with two open signers',
			['templateLink', 'create'],
			signers(open, { placeholderId: 'ph_2', isOpen: true }),
			/2 entries are open/,
		],
		[
			'a link signer without a name',
			['templateLink', 'create'],
			signers(open, { placeholderId: 'ph_2', email: 'a@b.co' }),
			/> 2: Name missing for a signer/,
		],
		[
			'a placeholder twice',
			['templateLink', 'create'],
			signers(open, { ...named, placeholderId: 'ph_1' }),
			/"ph_1" is used twice/,
		],
		[
			'a link for too many',
			['templateLink', 'create'],
			{ ...signers(open), additionalFields: { maxUses: 100001 } },
			/Max Uses: 100001 is not a whole number from 1 to 100000/,
		],
		[
			'a link that expires never',
			['templateLink', 'create'],
			{ ...signers(open), additionalFields: { expiresAt: 'never' } },
			/Expires At: "never" is not a valid ISO 8601 date and time in .*Use one such as 2026-12-31T18:00:00/,
		],
		[
			'fields of a page below 1',
			['document', 'updateFields'],
			{
				documentId: byId('d'),
				fieldsInput: 'form',
				fields: { field: [{ ...BOX, recipient: '1', type: 'TEXT', pageNumber: 0 }] },
			},
			/^Fields > 1 > Page: 0 is not/,
		],
		[
			'replacing fields by none, unless None is chosen',
			['document', 'updateFields'],
			{ documentId: byId('d'), fieldsInput: 'json', fieldsJson: '={{ [[]][0] }}' },
			/^Fields \(JSON\) is empty, which would delete all fields\. Add a field, or choose None/,
		],
		[
			'replacing recipients by none',
			['document', 'updateRecipients'],
			{ documentId: byId('d'), ...json([]) },
			/is empty/,
		],
	];

	it.each(cases)('%s', async (_, operation, parameters, message) => {
		const refused = await refusal(operation, parameters);
		expect(refused.message).toMatch(message);
	});
});

describe('What is accepted', () => {
	it.each<[string, IDataObject]>([
		['a list under the name that the request body uses', { given: { recipients: [ADA] } }],
		['a single object', { given: ADA }],
		['an array from an expression', { given: [ADA] }],
		['text that holds JSON', { given: JSON.stringify([ADA]) }],
	])('%s, of which the message speaks only to what is wrong', async (_, json) => {
		const parameters = {
			recipientsInput: 'json',
			recipientsJson: '={{ $json.given }}',
			fieldsInput: 'none',
		};
		const { message } = await refusal(['document', 'createAndSend'], parameters, { json });
		expect(message).toMatch(/^Fields to Place: there is no Signature field for ada@example\.com/);
	});

	it('a box that ends at the edge of the page', async () => {
		const edge = { pageNumber: 1, xNorm: 0.7, yNorm: 0.9, widthNorm: 0.3, heightNorm: 0.1 };
		const third = { pageNumber: 1, xNorm: 0.55, yNorm: 0.1 + 0.2, widthNorm: 0.45, heightNorm: 0.7 };
		const parameters = fields({ recipient: 1, type: 'TEXT', ...edge }, { type: 'TEXT', ...third });
		const { message } = await refusal(['document', 'createAndSend'], parameters);
		expect(message).toMatch(/^Fields to Place: there is no Signature field/);
	});
});
