import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { EntryList } from '../../parameters/entryList';
import {
	checkRecipients,
	emailProperty,
	emailRule,
	nameProperty,
	nameRule,
	phoneProperty,
	phoneRule,
} from '../../parameters/people';
import type { Problems } from '../../parameters/checks/problems';
import { LENGTH } from '../../service/limits';
import type { RecipientInput } from '../../client';

const typeProperty: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'CC', value: 'cc', description: 'Receives the finished document without signing' },
		{ name: 'Signer', value: 'signer', description: 'Has to sign' },
	],
	default: 'signer',
	description: 'What this recipient does with the document',
};

const pinProperty: INodeProperties = {
	displayName: 'PIN',
	name: 'pin',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. 4711',
	description: 'Access code that this person must enter to open the document, up to 20 characters. Optional.',
};

const recipients = new EntryList({
	name: 'recipients',
	displayName: 'Recipients',
	row: { name: 'recipient', displayName: 'Recipient' },
	rules: {
		name: nameRule(LENGTH.name),
		email: emailRule,
		type: { label: 'Type', type: 'choice', choices: ['signer', 'cc'] },
		phone: phoneRule,
		pin: { label: 'PIN', type: 'string', max: LENGTH.pin },
	},
	description:
		'The people who sign or receive the document, up to ten. In sequential routing they are asked in this order.',
	// In the order in which people fill them in: what is rarely needed comes last.
	values: [nameProperty, emailProperty, typeProperty, phoneProperty, pinProperty],
	json: {
		placeholder: 'e.g. [{"name": "Ada Lovelace", "email": "ada@example.com"}]',
		hint: 'Each entry: name and email, optionally type (signer or cc), phone and pin',
		description:
			'A list of one to ten recipients, each an object with name, email and optionally type (signer, the default, or cc), phone and pin',
	},
});

export const recipientsDescription = recipients.description;

/** The recipients of one item as the service takes them, checked (docs/service.md section 2). */
export function readRecipients(context: IExecuteFunctions, itemIndex: number, problems: Problems): RecipientInput[] {
	const given = recipients.read(context, itemIndex, problems);
	if (!given) return [];
	checkRecipients(given.entries, given.label, problems);
	return given.entries as RecipientInput[];
}
