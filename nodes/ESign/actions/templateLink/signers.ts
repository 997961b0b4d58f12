import type { IDataObject } from 'n8n-workflow';
import {
	email,
	id,
	listOfRows,
	nameInTemplate,
	repetitions,
	toggle,
	type Item,
	type Problems,
} from '../../operation/parameters';
import { asBody } from '../../operation/asBody';

/**
 * The visitor fills in this role. Whoever is not open to visitors needs both, which is checked
 * below.
 */
const unlessOpen = {
	required: false,
	mayBeNothing: true,
	displayOptions: { show: { isOpen: [false] } },
};

export const signers = listOfRows({
	name: 'signers',
	displayName: 'Signers',
	row: { name: 'signer', displayName: 'Signer' },
	description:
		'One entry per signer role of the template. Exactly one is open: the visitor of the link takes it.',
	values: [
		id('placeholderId', 'Role Name or ID', {
			type: 'options',
			typeOptions: {
				loadOptionsMethod: 'getTemplatePlaceholders',
				loadOptionsDependsOn: ['templateId.value'],
			},
			required: true,
			description:
				'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		}),
		toggle('isOpen', 'Open to Visitors', {
			description:
				'Whether the visitor of the link takes this role. Exactly one signer must be open.',
		}),
		nameInTemplate.with({
			...unlessOpen,
			description: 'The full name of the person who always signs in this role',
		}),
		email.with({
			...unlessOpen,
			description: 'The address of the person who always signs in this role',
		}),
	],
	json: {
		placeholder: 'e.g. [{"placeholderId": "ph_2f6d8c", "isOpen": true}]',
		hint: 'Each entry: placeholderId and isOpen; name and email unless it is open',
		description:
			'A list of one signer per signer role of the template, each an object with placeholderId and isOpen, and with name and email unless it is open. Exactly one is open.',
	},
});

/**
 * The signers of a link as the service takes them, checked (docs/service.md section 4, Public
 * links).
 */
export function readSigners(item: Item): IDataObject[] {
	const given = item.read(signers);
	if (!given) return [];
	const { label, entries } = given;
	checkOpen(entries, label, item.problems);
	for (const { index, value } of repetitions(entries, 'placeholderId')) {
		const what = `"${value}" is used twice`;
		item.problems.add(`${label} > ${index + 1} > Role`, what, 'Give every signer role one entry');
	}
	return entries.map((entry) => asBody({ ...entry, isOpen: entry.isOpen === true }));
}

/** Exactly one is open, and everybody else is named. */
function checkOpen(signers: readonly IDataObject[], label: string, problems: Problems): void {
	const open = signers.filter(({ isOpen }) => isOpen === true).length;
	if (open !== 1) {
		problems.add(
			label,
			`${open} entries are open to visitors`,
			'Switch Open to Visitors on for exactly one of them',
		);
	}
	signers.forEach(({ isOpen, name, email }, index) => {
		if (isOpen === true || (name !== undefined && email !== undefined)) return;
		const what = 'needs Name and Email, as it is not open to visitors';
		problems.add(`${label} > ${index + 1}`, what, 'Fill in both');
	});
}
