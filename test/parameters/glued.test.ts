import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { refusedForGlue } from '../../nodes/ESign/parameters/checks/glued';
import { jsonList } from '../../nodes/ESign/parameters/checks/jsonInput';
import { Problems } from '../../nodes/ESign/parameters/checks/problems';
import { bench, NDA_PEOPLE, openBench } from '../actions/support/operationRun';
import { said } from '../actions/support/said';
import { byId, withContract } from '../actions/support/workbench';

describe('A word of JavaScript that an expression glued into a text', () => {
	const isRefused = (raw: string, value: unknown) => refusedForGlue({ raw, value }, 'Name', new Problems());

	it.each([
		['={{ $json.first + " " + $json.last }}', 'undefined undefined'],
		['={{ $json.first + $json.last }}', 'Adaundefined'],
		['={{ $json.first + $json.last }}', 'nullnull'],
		['={{ `${$json.first}_${$json.last}@example.com` }}', 'null_null@example.com'],
		['={{ [$json.first, $json.client].join(" ") }}', 'Ada [object Object]'],
		['={{ String($json.first) }}', 'undefined'],
		['={{ "Mr NAME".replace("NAME", $json.last) }}', 'Mr null'],
		['=NDA with {{ $json.client }}', 'NDA with [object Object]'],
		['=NDA with {{ "" + $json.company }} and us', 'NDA with null and us'],
		['={{ $json.price * 2 + " EUR" }}', 'NaN EUR'],
		['={{ $json.names.map((name) => name + "") }}', ['undefined']],
	])('is refused: %s as %j', (raw, value) => expect(isRefused(raw, value)).toBe(true));

	it.each([
		['undefined undefined', 'undefined undefined'],
		['={{ $json.name }}', 'null'],
		['={{ $("A form").first().json["Full name"] || $json.name }}', 'undefined'],
		['={{ $fromAI("name", ``, "string") + " Ltd" }}', 'null Ltd'],
		['={{ $json.first + " " + $json.last }}', 'Ada Null'],
		['={{ $json.first + " " + $json.last }}', 'Nan Nullmeier'],
		['=Terms left undefined: {{ $json.terms }}', 'Terms left undefined: 3'],
		['={{ "undefined terms of " + $json.name }}', 'undefined terms of Ada'],
		['=Clause: {{ $json.clause }}', 'Clause: the contract is null and void, also null und nichtig'],
		['={{ $json.amount + 1 }}', 7],
	])('passes where somebody wrote it, or another: %s as %j', (raw, value) => expect(isRefused(raw, value)).toBe(false));

	it.each([
		['={{ $json.people }}', 0],
		['={{ $json.people.map((one) => ({ name: one.first + " " + one.last })) }}', 1],
		['=[{"name": "{{ $json.first + " " + $json.last }}", "phone": null}]', 1],
	])('is looked for in a list as JSON that the expression %s builds', (raw, count) => {
		const problems = new Problems();
		const [entry] =
			jsonList({ raw, value: [{ name: 'null null' }] }, 'Recipients (JSON)', 'recipients', problems) ?? [];
		const name = { value: 'null null', isGlued: entry?.isGlued };
		expect(refusedForGlue(name, 'Recipients (JSON) > 1 > name', problems)).toBe(count === 1);
	});
});

describe('Before any request, the parameter that holds it is named', () => {
	openBench();

	const GLUE = '={{ $json.first + " " + $json.last }}';
	const ADDRESS = '={{ $json.first + "@example.com" }}';
	const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
	const form = (person: INodeParameters) => ({ recipients: { recipient: [{ ...ADA, ...person }] } });
	const json = (list: string) => ({ recipientsInput: 'json', recipientsJson: list });
	const box = { recipient: '1', pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.05, type: 'TEXT' };
	const fields = (additionalFields: INodeParameters) => ({
		...form({}),
		fieldsInput: 'form',
		fields: { field: [{ ...box, additionalFields }] },
	});
	const template = { templateId: byId('tpl_1') };
	const link = (additionalFields: INodeParameters, person: INodeParameters = {}) => ({
		...template,
		signers: {
			signer: [
				{ placeholderId: 'ph_1', isOpen: true },
				{ placeholderId: 'ph_2', isOpen: false, ...ADA, ...person },
			],
		},
		additionalFields,
	});
	const mapped = (value: INodeParameters): INodeParameters => ({ mappingMode: 'defineBelow', value, schema: [] });
	const draft = { documentId: byId('doc_1') };

	it.each<[string, string, INodeParameters, string]>([
		['document', 'create', form({ name: GLUE }), 'Recipients > 1 > Name'],
		['document', 'createAndSend', form({ email: ADDRESS }), 'Recipients > 1 > Email'],
		['document', 'createAndSend', { ...form({}), title: '=NDA with {{ $json.obj }}' }, 'Title'],
		['document', 'create', fields({ value: GLUE }), 'Fields > 1 > Value'],
		[
			'document',
			'create',
			fields({ dropdownOptions: '={{ [$json.first + ""] }}' }),
			'Fields > 1 > Options to Choose From',
		],
		[
			'document',
			'create',
			json('={{ [{ name: $json.first + "", email: "a@b.co" }] }}'),
			'Recipients (JSON) > 1 > name',
		],
		['document', 'updateRecipients', { ...draft, ...form({ name: GLUE }) }, 'Recipients > 1 > Name'],
		[
			'document',
			'updateFields',
			{ ...draft, fieldsInput: 'json', fieldsJson: `={{ [{ ...${JSON.stringify(box)}, value: "is " + $json.obj }] }}` },
			'Fields (JSON) > 1 > value',
		],
		[
			'template',
			'send',
			{ ...template, people: mapped({ 'Client name': GLUE, 'Client email': 'a@b.co' }) },
			'Recipients > Client name',
		],
		[
			'template',
			'send',
			{ ...template, ...NDA_PEOPLE, fieldValues: mapped({ a_text: GLUE }) },
			'Field Values > a_text',
		],
		[
			'template',
			'send',
			{ ...template, ...json('=[{"role": "Client", "name": "Ada", "email": "{{ $json.first + "@b.co" }}"}]') },
			'Recipients (JSON) > 1 > email',
		],
		[
			'template',
			'send',
			{ ...template, ...NDA_PEOPLE, additionalFields: { title: GLUE } },
			'Additional Fields > Title',
		],
		['templateLink', 'create', link({}, { email: ADDRESS }), 'Signers > 2 > Email'],
		...['label', 'headline', 'message'].map((name): [string, string, INodeParameters, string] => [
			'templateLink',
			'create',
			link({ [name]: GLUE }),
			`Additional Fields > ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
		]),
	])('%s %s: %j', async (resource, operation, parameters, parameter) => {
		const items = await withContract({ obj: {} } as IDataObject);
		const { error } = await bench.run(resource, operation, parameters, { items });
		const word = JSON.stringify(parameters).includes('$json.obj') ? '[object Object]' : 'undefined';
		expect(said(error)).toContain(`${parameter} contains "${word}", because a part of its expression`);
		expect(bench.takeRequests()).toEqual([]);
	});
});
