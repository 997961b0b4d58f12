import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { inOrder } from '../../../nodes/ESign/actions/template/templateFields';
import { methods } from '../../../nodes/ESign/methods';
import { bench, openBench, templateIds } from '../support/operationRun';
import { byId, peopleOf } from '../support/workbench';
import { said } from '../support/said';

openBench();

const ADA = { role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' };
const GRACE = { role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' };

/** What the editor stores of the roles of a template. Its request is not counted. */
async function schemaOf(template: 'nda' | 'offer' = 'nda'): Promise<IDataObject[]> {
	const form = bench.form('template', 'send', {
		templateId: byId((await templateIds())[template]),
	});
	const { fields } = await methods.resourceMapping.getTemplateRecipients.call(form);
	bench.takeRequests();
	return fields as unknown as IDataObject[];
}

/** Sends the NDA. @returns the recipients of its body, and the other requests that were made */
async function send(people: unknown, json: IDataObject = {}, more: INodeParameters = {}) {
	const { nda } = await templateIds();
	const parameters = { templateId: byId(nda), people, send: false, ...more } as INodeParameters;
	const { error } = await bench.run('template', 'send', parameters, { items: [{ json }] });
	const requests = bench.takeRequests();
	const sent = requests.find(({ method }) => method === 'POST');
	return {
		recipients: (sent?.body as IDataObject | undefined)?.recipients,
		reads: requests.filter(({ method }) => method === 'GET').map(({ path }) => path),
		message: error && said(error),
	};
}

describe('A person for each role, filled in one by one,', () => {
	it('is sent with the phone, if one was added', async () => {
		const schema = (await schemaOf()).map((field) => ({
			...field,
			removed: field.id === 'Client phone',
		}));
		const { value } = peopleOf({ ...ADA, phone: '+1 5' }, { ...GRACE, phone: '+44 20' })
			.people as IDataObject;
		await expect(send({ mappingMode: 'defineBelow', value, schema })).resolves.toMatchObject({
			recipients: [ADA, { ...GRACE, phone: '+44 20' }],
			reads: [],
		});
	});

	it('comes from expressions, and needs nothing that the editor has stored', async () => {
		const people = { 'Client name': '={{ $json.who }}', 'Client email': '={{ $json.at }}' };
		const { value } = peopleOf(GRACE).people as { value: IDataObject };
		const given = { mappingMode: 'defineBelow', value: { ...people, ...value } };
		await expect(
			send(given, { who: 'Ada Lovelace', at: ' ada@example.com ' }),
		).resolves.toMatchObject({
			recipients: [ADA, GRACE],
			reads: [],
		});
	});

	it.each<[string, IDataObject, RegExp]>([
		[
			'without a name',
			{ 'Client name': '' },
			/^Recipients > Client name.* is missing\. Fill it in/,
		],
		[
			'with half an address',
			{ 'Client email': 'ada@' },
			/^Recipients > Client email: "ada@" is not .*email address/,
		],
		[
			'with a long phone',
			{ 'Client phone': '1'.repeat(33) },
			/^Recipients > Client phone.*Shorten it to 32/,
		],
		[
			'with the address of another',
			{ 'Client email': 'GRACE@example.com' },
			/^Recipients > Company email: "grace@example\.com" is already used by Client/,
		],
	])('is refused %s, by role, before any request', async (_, changed, words) => {
		const { value } = peopleOf(ADA, GRACE).people as { value: IDataObject };
		const schema = (await schemaOf()).map((field) => ({ ...field, removed: false }));
		const people = { mappingMode: 'defineBelow', value: { ...value, ...changed }, schema };
		const { message, reads, recipients } = await send(people);
		expect(message).toMatch(words);
		expect({ reads, recipients }).toEqual({ reads: [], recipients: undefined });
	});

	it('is missing for a role that nobody has filled in', async () => {
		const schema = await schemaOf();
		const { value } = peopleOf(ADA).people as { value: IDataObject };
		const open = { 'Company name': null, 'Company email': null };
		const { message, reads } = await send({
			mappingMode: 'defineBelow',
			value: { ...value, ...open },
			schema,
		});
		expect(message).toMatch(/Company name.* is missing[^]*Company email.* is missing/);
		expect(reads).toEqual([]);
	});

	it('for another template, is refused by the roles of the one that is chosen now', async () => {
		const { nda } = await templateIds();
		const schema = await schemaOf('offer');
		const hr = { role: 'HR', name: 'H', email: 'hr@example.com' };
		const { value } = peopleOf(ADA, GRACE, { ...ADA, role: 'Candidate' }, hr).people as IDataObject;
		const { message, reads } = await send({ mappingMode: 'defineBelow', value, schema });
		expect(message).toMatch(
			/^Recipients > Candidate name: the template that is chosen now has no such role[^]*HR email: the/,
		);
		expect(reads).toEqual([`/templates/${nda}`]);
	});

	it('for a template that an expression names, is sent as it is: the roles may be of another', async () => {
		const { nda } = await templateIds();
		const templateId = { __rl: true, mode: 'id', value: '={{ $json.template }}' };
		const hr = { ...ADA, role: 'HR', email: 'hr@example.com' };
		const candidate = { ...GRACE, role: 'Candidate' };
		const { value } = peopleOf(hr, candidate).people as IDataObject;
		const people = { mappingMode: 'defineBelow', value, schema: await schemaOf('offer') };
		const { recipients, reads } = await send(people, { template: nda }, { templateId });
		expect(recipients).toEqual(expect.arrayContaining([hr, candidate]));
		expect(reads).toEqual([]);
	});
});

describe('A person for each role, mapped automatically,', () => {
	const AUTOMATIC = { mappingMode: 'autoMapInputData', value: null };
	const row = {
		'Client name': 'Ada Lovelace',
		client_email: 'ada@example.com',
		companyName: 'Grace Hopper',
	};

	it('comes from the fields of the item, however they spell the names of the columns', async () => {
		const schema = await schemaOf();
		const json = { ...row, 'COMPANY E-MAIL': 'grace@example.com', 'Company phone': '' };
		await expect(send({ ...AUTOMATIC, schema }, json)).resolves.toMatchObject({
			recipients: [ADA, GRACE],
			reads: [],
		});
	});

	it('needs one request for both mappers where the editor has stored nothing', async () => {
		const { nda } = await templateIds();
		const json = { ...row, company_email: 'grace@example.com', term_months: 12 };
		await expect(send(AUTOMATIC, json, { fieldValues: AUTOMATIC })).resolves.toMatchObject({
			recipients: [ADA, GRACE],
			reads: [`/templates/${nda}`],
		});
	});

	it('names the field that the item lacks', async () => {
		const schema = await schemaOf();
		const { message } = await send({ ...AUTOMATIC, schema }, row);
		expect(message).toMatch(
			/^Recipients > Company email: the input item has no field "Company email"\. Rename a field/,
		);
	});
});

it('Roles stand in the order in which they are asked, whatever the order of the list', () => {
	expect(inOrder([{ order: 2 }, { order: 1 }])).toEqual([{ order: 1 }, { order: 2 }]);
});
