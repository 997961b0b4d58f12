import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { jsonList } from '../jsonInput';
import type { Problems } from '../problems';
import { checkObject, EMAIL, type PropertyRules } from '../propertyRules';
import { checkCount, checkEmails, formEntries, inputMode } from '../recipientsInput';
import type { TemplateRecipientInput } from '../../transport';

const RULES: PropertyRules = {
	role: { label: 'Role', type: 'string', max: 80, required: true },
	name: { label: 'Name', type: 'string', max: 120, required: true },
	email: {
		label: 'Email',
		type: 'string',
		max: 190,
		required: true,
		pattern: EMAIL,
		form: 'an e-mail address such as ada@example.com',
	},
	phone: { label: 'Phone', type: 'string', max: 32 },
};

const entries: INodeProperties = {
	displayName: 'Recipients',
	name: 'recipients',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Recipient',
	default: {},
	displayOptions: { show: { recipientsInput: ['form'] } },
	description: 'Who takes which role of the template. Every role needs exactly one recipient.',
	options: [
		{
			displayName: 'Recipient',
			name: 'recipient',
			values: [
				{
					displayName: 'Role Name or ID',
					name: 'role',
					type: 'options',
					typeOptions: { loadOptionsMethod: 'getTemplateRoles', loadOptionsDependsOn: ['templateId.value'] },
					default: '',
					required: true,
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Ada Lovelace',
					description: 'The full name, as it appears in the document and its certificate',
				},
				{
					displayName: 'Email',
					name: 'email',
					type: 'string',
					placeholder: 'name@email.com',
					default: '',
					required: true,
					description: 'Where the request to sign goes. No two recipients may share an address.',
				},
				{
					displayName: 'Phone',
					name: 'phone',
					type: 'string',
					default: '',
					placeholder: 'e.g. +44 20 7946 0000',
					description: 'The telephone number, up to 32 characters',
				},
			],
		},
	],
};

const json: INodeProperties = {
	displayName: 'Recipients (JSON)',
	name: 'recipientsJson',
	type: 'json',
	typeOptions: { rows: 6 },
	default: '[]',
	displayOptions: { show: { recipientsInput: ['json'] } },
	placeholder: 'e.g. [{"role": "Client", "name": "Ada Lovelace", "email": "ada@example.com"}]',
	hint: 'Each entry: role, name and email, optionally phone',
	description:
		'A list of one recipient per role of the template, each an object with role, name, email and optionally phone',
};

export const templateRecipientsDescription: INodeProperties[] = [
	inputMode('recipientsInput', 'Specify Recipients'),
	entries,
	json,
];

/** One recipient per role, checked (api.md section 2, Recipient input on POST /templates/{id}/send). */
export function readTemplateRecipients(
	context: IExecuteFunctions,
	itemIndex: number,
	problems: Problems,
): TemplateRecipientInput[] {
	const asJson = context.getNodeParameter('recipientsInput', itemIndex, 'form') === 'json';
	const label = asJson ? json.displayName : entries.displayName;
	const list = asJson
		? jsonList(context.getNodeParameter(json.name, itemIndex, '[]'), label, 'recipients', problems)
		: formEntries(context, itemIndex, entries.name, 'recipient');
	if (!list) return [];
	checkCount(list, label, problems);
	const recipients = list.map((entry, index) =>
		checkObject(entry, RULES, { label: `${label} > ${index + 1}`, json: asJson }, problems),
	) as TemplateRecipientInput[];
	checkEmails(recipients, label, problems);
	checkRoles(recipients, label, problems);
	return recipients;
}

/** No role twice; the service compares them without regard to case. */
function checkRoles(recipients: readonly TemplateRecipientInput[], label: string, problems: Problems): void {
	const firstWith = new Map<string, number>();
	recipients.forEach(({ role }, index) => {
		if (role === undefined) return;
		const first = firstWith.get(role.toLowerCase());
		if (first === undefined) firstWith.set(role.toLowerCase(), index);
		else {
			const what = `"${role}" is the role of entry ${first + 1} too`;
			problems.add(`${label} > ${index + 1} > Role`, what, 'Give every role of the template one recipient');
		}
	});
}
