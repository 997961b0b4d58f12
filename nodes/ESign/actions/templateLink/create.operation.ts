import type { IDataObject } from 'n8n-workflow';
import {
	additionalFields,
	email,
	HTTPS_URI,
	id,
	integer,
	listOfRows,
	moment,
	nameInTemplate,
	repetitions,
	simplify,
	templateLocator,
	text,
	toggle,
	asBody,
	type Item,
} from '../../operation';
import { MAX_LENGTH, MAX_USES } from '../../service/limits';
import { linkOutput } from './linkOutput';

export const option = {
	name: 'Create',
	value: 'create',
	action: 'Create public template link',
	description:
		'Publish a template under a public URL. Everybody who has the URL can start a document from it.',
};

/**
 * The visitor fills in this role. Whoever is not open to visitors needs both, which is checked
 * below.
 */
const unlessOpen = {
	required: false,
	mayBeNothing: true,
	displayOptions: { show: { isOpen: [false] } },
};

const signers = listOfRows({
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
			'A list with an object for each signer role: placeholderId and isOpen, and name and email unless it is open. Exactly one is open.',
	},
});

const about = additionalFields(
	text('label', 'Label', {
		max: MAX_LENGTH.linkLabel,
		mayBeNothing: true,
		placeholder: 'e.g. Website footer',
		description: 'A name that only you see, to tell links apart, up to 120 characters',
	}),
	text('headline', 'Headline', {
		max: MAX_LENGTH.linkHeadline,
		mayBeNothing: true,
		placeholder: 'e.g. Sign our NDA',
		description: 'The heading of the start page, up to 160 characters',
	}),
	text('message', 'Message', {
		max: MAX_LENGTH.linkMessage,
		mayBeNothing: true,
		typeOptions: { rows: 3 },
		description: 'The text of the start page, up to 600 characters',
	}),
	text('redirectUrl', 'Redirect URL', {
		max: MAX_LENGTH.linkRedirectUrl,
		mayBeNothing: true,
		pattern: HTTPS_URI,
		form: 'an address that starts with https://',
		placeholder: 'e.g. https://example.com/thanks',
		description: 'Where to redirect the visitor after signing. It must start with https.',
	}),
	integer('maxUses', 'Max Uses', {
		min: 1,
		max: MAX_USES,
		default: 100,
		description:
			'The number of documents that visitors can start before the link stops working, from 1 to 100,000',
	}),
	moment('expiresAt', 'Expires At', {
		description:
			'When the link stops working, in the timezone of the workflow unless the value names one',
	}),
);

export const description = [templateLocator, ...signers.description, simplify, about];

export const endpoint = 'POST /templates/{id}/links';

export async function execute(item: Item) {
	const path = { id: item.read(templateLocator) };
	const toOutput = linkOutput(item);
	const body = { signers: readSigners(item), ...asBody(item.read(about)) };
	return toOutput(await item.call(endpoint, { path, body }));
}

/**
 * The signers of a link as the service takes them, checked (docs/service.md section 4, Public
 * links): exactly one is open, and everybody else is named.
 */
function readSigners(item: Item): IDataObject[] {
	const given = item.read(signers);
	if (!given) return [];
	const { label, entries } = given;
	const { problems } = item;
	const open = entries.filter(({ isOpen }) => isOpen === true).length;
	if (open !== 1) {
		problems.add(
			label,
			`${open} entries are open to visitors`,
			'Switch Open to Visitors on for exactly one of them',
		);
	}
	for (const [index, { isOpen, name, email }] of entries.entries()) {
		if (isOpen === true || (name !== undefined && email !== undefined)) continue;
		problems.add(
			`${label} > ${index + 1}`,
			'needs Name and Email, as it is not open to visitors',
			'Fill in both',
		);
	}
	for (const { index, value } of repetitions(entries, 'placeholderId')) {
		problems.add(
			`${label} > ${index + 1} > Role`,
			`"${value}" is used twice`,
			'Give every signer role one entry',
		);
	}
	return entries.map((entry) => asBody({ ...entry, isOpen: entry.isOpen === true }));
}
