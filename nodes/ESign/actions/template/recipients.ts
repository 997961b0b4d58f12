import type { IExecuteFunctions } from 'n8n-workflow';
import { EntryList } from '../parameters/entryList';
import {
	checkRecipients,
	emailProperty,
	emailRule,
	nameProperty,
	nameRule,
	phoneProperty,
	phoneRule,
	repetitions,
} from '../parameters/people';
import type { Problems } from '../parameters/checks/problems';
import { LENGTH } from '../../service/limits';
import type { TemplateRecipientInput } from '../../transport';

const recipients = new EntryList({
	name: 'recipients',
	displayName: 'Recipients',
	row: { name: 'recipient', displayName: 'Recipient' },
	rules: {
		role: { label: 'Role', type: 'string', max: LENGTH.role, required: true },
		name: nameRule(LENGTH.templateName),
		email: emailRule,
		phone: phoneRule,
	},
	description: 'Who takes which role of the template. Every role needs exactly one recipient.',
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
		nameProperty,
		emailProperty,
		phoneProperty,
	],
	json: {
		placeholder: 'e.g. [{"role": "Client", "name": "Ada Lovelace", "email": "ada@example.com"}]',
		hint: 'Each entry: role, name and email, optionally phone',
		description:
			'A list of one recipient per role of the template, each an object with role, name, email and optionally phone',
	},
});

export const templateRecipientsDescription = recipients.description;

/** One recipient per role, checked (docs/service.md section 2, Recipient input on POST /templates/{id}/send). */
export function readTemplateRecipients(
	context: IExecuteFunctions,
	itemIndex: number,
	problems: Problems,
): TemplateRecipientInput[] {
	const given = recipients.read(context, itemIndex, problems);
	if (!given) return [];
	const { label, entries } = given;
	checkRecipients(entries, label, problems);
	for (const { index, first, value } of repetitions(entries, 'role')) {
		const what = `"${value}" is the role of entry ${first + 1} too`;
		problems.add(`${label} > ${index + 1} > Role`, what, 'Give every role of the template one recipient');
	}
	return entries as TemplateRecipientInput[];
}
