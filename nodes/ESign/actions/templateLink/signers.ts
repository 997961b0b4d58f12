import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { jsonList } from '../jsonInput';
import type { Problems } from '../problems';
import { checkObject, EMAIL, type PropertyRules } from '../propertyRules';
import { formEntries, inputMode } from '../recipientsInput';

const RULES: PropertyRules = {
	placeholderId: { label: 'Placeholder', type: 'string', max: Infinity, required: true },
	isOpen: { label: 'Open to Visitors', type: 'boolean' },
	name: { label: 'Name', type: 'string', max: 120 },
	email: {
		label: 'Email',
		type: 'string',
		max: 190,
		pattern: EMAIL,
		form: 'an e-mail address such as ada@example.com',
	},
};

const entries: INodeProperties = {
	displayName: 'Signers',
	name: 'signers',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Signer',
	default: {},
	displayOptions: { show: { signersInput: ['form'] } },
	description: 'One entry per signer role of the template. Exactly one is open: the visitor of the link takes it.',
	options: [
		{
			displayName: 'Signer',
			name: 'signer',
			values: [
				{
					displayName: 'Placeholder Name or ID',
					name: 'placeholderId',
					type: 'options',
					typeOptions: { loadOptionsMethod: 'getTemplatePlaceholders', loadOptionsDependsOn: ['templateId.value'] },
					default: '',
					required: true,
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				{
					displayName: 'Open to Visitors',
					name: 'isOpen',
					type: 'boolean',
					default: false,
					description: 'Whether the visitor of the link takes this role. Exactly one signer must be open.',
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Ada Lovelace',
					displayOptions: { show: { isOpen: [false] } },
					description: 'The full name of the person who always signs in this role',
				},
				{
					displayName: 'Email',
					name: 'email',
					type: 'string',
					placeholder: 'name@email.com',
					default: '',
					displayOptions: { show: { isOpen: [false] } },
					description: 'The address of the person who always signs in this role',
				},
			],
		},
	],
};

const json: INodeProperties = {
	displayName: 'Signers (JSON)',
	name: 'signersJson',
	type: 'json',
	typeOptions: { rows: 6 },
	default: '[]',
	displayOptions: { show: { signersInput: ['json'] } },
	placeholder: 'e.g. [{"placeholderId": "ph_2f6d8c", "isOpen": true}]',
	hint: 'Each entry: placeholderId and isOpen; name and email unless it is open',
	description:
		'A list of one signer per signer role of the template, each an object with placeholderId and isOpen, and with name and email unless it is open. Exactly one is open.',
};

export const signersDescription: INodeProperties[] = [inputMode('signersInput', 'Specify Signers'), entries, json];

/** The signers of a link as the service takes them, checked (api.md section 4, Public links). */
export function readSigners(context: IExecuteFunctions, itemIndex: number, problems: Problems): IDataObject[] {
	const asJson = context.getNodeParameter('signersInput', itemIndex, 'form') === 'json';
	const label = asJson ? json.displayName : entries.displayName;
	const list = asJson
		? jsonList(context.getNodeParameter(json.name, itemIndex, '[]'), label, 'signers', problems)
		: formEntries(context, itemIndex, entries.name, 'signer');
	if (!list) return [];
	const signers = list.map((entry, index) =>
		checkObject(entry, RULES, { label: `${label} > ${index + 1}`, json: asJson }, problems),
	);
	checkOpen(signers, label, problems);
	checkPlaceholders(signers, label, problems);
	return signers.map(({ placeholderId, isOpen, name, email }) => ({
		placeholder_id: placeholderId,
		is_open: isOpen === true,
		...(name !== undefined && { name }),
		...(email !== undefined && { email }),
	}));
}

/** Exactly one is open, and everybody else is named. */
function checkOpen(signers: readonly IDataObject[], label: string, problems: Problems): void {
	const open = signers.filter(({ isOpen }) => isOpen === true).length;
	if (signers.length === 0) {
		problems.add(label, 'is empty', 'Add one entry per signer role of the template');
	} else if (open !== 1) {
		problems.add(label, `${open} entries are open to visitors`, 'Switch Open to Visitors on for exactly one of them');
	}
	signers.forEach(({ isOpen, name, email }, index) => {
		if (isOpen === true || (name !== undefined && email !== undefined)) return;
		const missing = [name === undefined && 'Name', email === undefined && 'Email'].filter(Boolean).join(' and ');
		const what = `${missing} missing for a signer who is not open to visitors`;
		problems.add(`${label} > ${index + 1}`, what, `Fill in ${missing}`);
	});
}

function checkPlaceholders(signers: readonly IDataObject[], label: string, problems: Problems): void {
	const seen = new Set<unknown>();
	signers.forEach(({ placeholderId }, index) => {
		if (placeholderId === undefined) return;
		if (seen.has(placeholderId)) {
			const what = `"${String(placeholderId)}" is used twice`;
			problems.add(`${label} > ${index + 1} > Placeholder`, what, 'Give every signer role one entry');
		}
		seen.add(placeholderId);
	});
}
