import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { jsonList } from './jsonInput';
import type { Problems } from './problems';
import { checkObject, EMAIL, type PropertyRules } from './propertyRules';
import type { RecipientInput } from '../transport';

/** api.md section 8: signers and cc combined. */
const MOST_RECIPIENTS = 10;

const RULES: PropertyRules = {
	name: { label: 'Name', type: 'string', max: 160, required: true },
	email: {
		label: 'Email',
		type: 'string',
		max: 190,
		required: true,
		pattern: EMAIL,
		form: 'an e-mail address such as ada@example.com',
	},
	type: { label: 'Type', type: 'choice', choices: ['signer', 'cc'] },
	phone: { label: 'Phone', type: 'string', max: 32 },
	pin: { label: 'PIN', type: 'string', max: 20 },
};

/** How a list is given: in the form, or as JSON that an expression can deliver. */
export function inputMode(name: string, displayName: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'form', description: 'Fill in one entry after the other' },
			{ name: 'Using JSON', value: 'json', description: 'Give the whole list as JSON or as an expression' },
		],
		default: 'form',
		description: 'Whether to fill in the form or to hand over a list, for example from an earlier node',
	};
}

const entries: INodeProperties = {
	displayName: 'Recipients',
	name: 'recipients',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Recipient',
	default: {},
	displayOptions: { show: { recipientsInput: ['form'] } },
	description:
		'The people who sign or receive the document, up to ten. In sequential routing they are asked in this order.',
	options: [
		{
			displayName: 'Recipient',
			name: 'recipient',
			values: [
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
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Ada Lovelace',
					description: 'The full name, as it appears in the document and its certificate',
				},
				{
					displayName: 'Phone',
					name: 'phone',
					type: 'string',
					default: '',
					placeholder: 'e.g. +44 20 7946 0000',
					description: 'The telephone number, up to 32 characters',
				},
				{
					displayName: 'PIN',
					name: 'pin',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					placeholder: 'e.g. 4711',
					description: 'Access code that this person must enter to open the document, up to 20 characters',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'CC', value: 'cc', description: 'Receives the finished document without signing' },
						{ name: 'Signer', value: 'signer', description: 'Has to sign' },
					],
					default: 'signer',
					description: 'What this person does with the document',
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
	placeholder: 'e.g. [{"name": "Ada Lovelace", "email": "ada@example.com"}]',
	hint: 'Each entry: name and email, optionally type (signer or cc), phone and pin',
	description:
		'A list of one to ten recipients, each an object with name, email and optionally type (signer, the default, or cc), phone and pin',
};

export const recipientsDescription: INodeProperties[] = [
	inputMode('recipientsInput', 'Specify Recipients'),
	entries,
	json,
];

/**
 * The recipients of one item as the service takes them, checked (api.md section 2). What is wrong is added to
 * `problems`; the entries then may be incomplete, but keep their places.
 */
export function readRecipients(context: IExecuteFunctions, itemIndex: number, problems: Problems): RecipientInput[] {
	const asJson = context.getNodeParameter('recipientsInput', itemIndex, 'form') === 'json';
	const label = asJson ? json.displayName : entries.displayName;
	const list = asJson
		? jsonList(context.getNodeParameter(json.name, itemIndex, '[]'), label, 'recipients', problems)
		: formEntries(context, itemIndex, entries.name, 'recipient');
	if (!list) return [];
	checkCount(list, label, problems);
	const recipients = list.map((entry, index) =>
		checkObject(entry, RULES, { label: `${label} > ${index + 1}`, json: asJson }, problems),
	);
	checkEmails(recipients, label, problems);
	return recipients as RecipientInput[];
}

/** The rows of a fixed collection; none when it was never filled. */
export function formEntries(context: IExecuteFunctions, itemIndex: number, name: string, row: string): unknown[] {
	const collection = context.getNodeParameter(name, itemIndex, {}) as IDataObject;
	const rows: unknown = collection[row];
	return Array.isArray(rows) ? rows : [];
}

/** One to ten entries (api.md section 8). */
export function checkCount(list: readonly unknown[], label: string, problems: Problems): void {
	if (list.length === 0) problems.add(label, 'is empty', 'Add at least one recipient');
	if (list.length > MOST_RECIPIENTS) {
		problems.add(label, `has ${list.length} entries`, `Use ${MOST_RECIPIENTS} at most, signers and cc combined`);
	}
}

/** No address twice, whatever its case. */
export function checkEmails(recipients: readonly IDataObject[], label: string, problems: Problems): void {
	const firstWith = new Map<string, number>();
	recipients.forEach(({ email }, index) => {
		if (typeof email !== 'string') return;
		const first = firstWith.get(email.toLowerCase());
		if (first === undefined) firstWith.set(email.toLowerCase(), index);
		else {
			const what = `"${email}" is the address of entry ${first + 1} too`;
			problems.add(`${label} > ${index + 1} > Email`, what, 'Give every recipient an address of their own');
		}
	});
}
