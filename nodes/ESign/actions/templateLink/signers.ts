import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { EntryList } from '../../parameters/entryList';
import { emailProperty, emailRule, nameProperty, nameRule } from '../../parameters/people';
import type { Problems } from '../../parameters/checks/problems';
import { LENGTH } from '../../service/limits';

/** Who is open to visitors is nobody in particular yet. */
const unlessOpen = { required: false, displayOptions: { show: { isOpen: [false] } } };

const signers = new EntryList({
	name: 'signers',
	displayName: 'Signers',
	row: { name: 'signer', displayName: 'Signer' },
	rules: {
		placeholderId: { label: 'Role', type: 'id', required: true },
		isOpen: { label: 'Open to Visitors', type: 'boolean' },
		// Whoever is not open to visitors needs both, which is checked below.
		name: { ...nameRule(LENGTH.templateName), required: false, mayBeNothing: true },
		email: { ...emailRule, required: false, mayBeNothing: true },
	},
	description: 'One entry per signer role of the template. Exactly one is open: the visitor of the link takes it.',
	values: [
		{
			displayName: 'Role Name or ID',
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
		{ ...nameProperty, ...unlessOpen, description: 'The full name of the person who always signs in this role' },
		{ ...emailProperty, ...unlessOpen, description: 'The address of the person who always signs in this role' },
	],
	json: {
		placeholder: 'e.g. [{"placeholderId": "ph_2f6d8c", "isOpen": true}]',
		hint: 'Each entry: placeholderId and isOpen; name and email unless it is open',
		description:
			'A list of one signer per signer role of the template, each an object with placeholderId and isOpen, and with name and email unless it is open. Exactly one is open.',
	},
});

export const signersDescription = signers.description;

/** The signers of a link as the service takes them, checked (docs/service.md section 4, Public links). */
export function readSigners(context: IExecuteFunctions, itemIndex: number, problems: Problems): IDataObject[] {
	const given = signers.read(context, itemIndex, problems);
	if (!given) return [];
	const { label, entries } = given;
	checkOpen(entries, label, problems);
	checkPlaceholders(entries, label, problems);
	return entries.map(({ placeholderId, isOpen, name, email }) => ({
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
			problems.add(`${label} > ${index + 1} > Role`, what, 'Give every signer role one entry');
		}
		seen.add(placeholderId);
	});
}
