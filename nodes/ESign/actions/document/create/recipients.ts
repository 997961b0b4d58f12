import {
	checkRecipients,
	choice,
	email,
	listOfRows,
	name,
	phone,
	text,
	type Item,
} from '../../../operation';
import { MAX_LENGTH } from '../../../service/limits';
import type { NamedRecipient } from '../fields/recipients';

const type = choice('type', 'Type', {
	options: {
		cc: ['CC', 'Receives the finished document without signing'],
		signer: ['Signer', 'Has to sign'],
	},
	default: 'signer',
	description: 'What this recipient does with the document',
});

const pin = text('pin', 'PIN', {
	max: MAX_LENGTH.pin,
	typeOptions: { password: true },
	placeholder: 'e.g. 4711',
	description:
		'Access code that this person must enter to open the document, up to 20 characters. Optional.',
});

export const recipients = listOfRows({
	name: 'recipients',
	displayName: 'Recipients',
	row: { name: 'recipient', displayName: 'Recipient' },
	description:
		'The people who sign or receive the document, up to ten. In sequential routing they are asked in this order.',
	// In the order in which people fill them in: what is rarely needed comes last.
	values: [name, email, type, phone, pin],
	json: {
		placeholder: 'e.g. [{"name": "Ada Lovelace", "email": "ada@example.com"}]',
		hint: 'Each entry: name and email, optionally type (signer or cc), phone and pin',
		description:
			'A list of one to ten recipients, each an object with name, email and optionally type (signer, the default, or cc), phone and pin',
	},
});

/** The recipients of one item as the service takes them, checked (docs/service.md section 2). */
export function readRecipients(item: Item): NamedRecipient[] {
	const given = item.read(recipients);
	if (!given) return [];
	checkRecipients(given.entries, given.label, item.problems);
	return given.entries as NamedRecipient[];
}
