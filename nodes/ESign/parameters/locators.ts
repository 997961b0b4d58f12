import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { givenParameter, type Given } from './checks/given';
import { Problems, refuse } from './checks/problems';
import { refusedForNothing } from './checks/rules';
import { describe } from './checks/values';
import { hasInvisible, unsendable, withoutInvisibleEnds } from './checks/text';
import { KIND_OF_PREFIX, prefixOf } from '../service/ids';

/** A resource locator: From List with search, or By ID. */
function locator(
	name: string,
	displayName: string,
	searchListMethod: string,
	description: string,
	placeholder: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder,
				validation: [
					{ type: 'regex', properties: { regex: '\\s*\\S*\\s*', errorMessage: 'An ID cannot contain spaces' } },
				],
			},
		],
	};
}

export const documentLocator = locator(
	'documentId',
	'Document',
	'searchDocuments',
	'The document to work with, for example from Create and Send or the eSign Trigger',
	'e.g. doc_4f8a2c',
);

export const templateLocator = locator(
	'templateId',
	'Template',
	'searchTemplates',
	'The published template to work with. Templates are made in the web application of the service.',
	'e.g. tpl_9b1d7e',
);

export const templateLinkLocator = locator(
	'templateLinkId',
	'Template Link',
	'searchTemplateLinks',
	'The public link to work with. The list shows the links of the template chosen above; the Create and Get Many operations return IDs.',
	'e.g. lnk_6e0b2d',
);

/** Only for the list of links: the service lists them by template. */
export const templateOfLink: INodeProperties = {
	...templateLocator,
	required: false,
	description: 'The template whose links are listed below. Not needed if you enter the link by ID.',
};

export const webhookLocator = locator(
	'webhookId',
	'Webhook',
	'searchWebhooks',
	'The webhook endpoint to work with. Each active eSign Trigger has one.',
	'e.g. whk_3c5e1a',
);

export const deliveryLocator = locator(
	'deliveryId',
	'Delivery',
	'searchDeliveries',
	'The delivery to send again',
	'e.g. dlv_7d2f90',
);

export const recipientLocator = locator(
	'recipientId',
	'Recipient',
	'searchRecipients',
	'One of the recipients of the document',
	'e.g. rcp_1a2b3c',
);

/** The ID that a locator (or a plain ID parameter) holds; an empty one is refused before it becomes a wrong path. */
export function idParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	parameter: Pick<INodeProperties, 'name' | 'displayName'>,
): string {
	const id = idIn(context, itemIndex, parameter);
	if (id.text !== '') return id.text;
	return refuse(context, itemIndex, parameter.displayName, 'is empty', 'Choose one from the list, or enter its ID');
}

/** The ID that a locator holds, or an empty text if it was left empty. */
export function optionalIdParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	parameter: Pick<INodeProperties, 'name' | 'displayName'>,
): string {
	const { given, text } = idIn(context, itemIndex, parameter);
	const problems = new Problems();
	refusedForNothing(given, parameter.displayName, problems);
	problems.throwIfAny(context, itemIndex);
	return text;
}

/** An expression that gives a whole recipient instead of its ID must not come to mean everyone. */
function idIn(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
): { given: Given; text: string } {
	const given = givenParameter(context, itemIndex, name, { extractValue: true });
	const id = given.value ?? '';
	if (typeof id === 'string') {
		const text = withoutInvisibleEnds(id);
		const unseen = {
			what: `"${text}" contains an invisible character`,
			remedy: 'Choose it from the list, or type it',
		};
		const refused = unsendable(text) ?? (hasInvisible(text) ? unseen : undefined);
		if (refused) refuse(context, itemIndex, displayName, refused.what, refused.remedy);
		checkKind(context, itemIndex, { name, displayName }, text);
		return { given, text };
	}
	return refuse(context, itemIndex, displayName, `is ${describe(id)}, not an ID`, 'Enter the ID itself, as text');
}

/** How the ID of each parameter begins. */
const PREFIX_OF: Record<string, string> = {
	[documentLocator.name]: 'doc_',
	[templateLocator.name]: 'tpl_',
	[templateLinkLocator.name]: 'lnk_',
	[webhookLocator.name]: 'whk_',
	[deliveryLocator.name]: 'dlv_',
	[recipientLocator.name]: 'rcp_',
};

/** An ID of something else, such as of the event where its document is meant, is told before a request is spent on it. */
function checkKind(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
	id: string,
): void {
	const wanted = PREFIX_OF[name] ?? '';
	const found = prefixOf(id);
	if (found === undefined || found === wanted) return;
	const what = `"${id}" is ${KIND_OF_PREFIX[found]}, not ${KIND_OF_PREFIX[wanted]}`;
	const ofEvent = found === 'evt_' && wanted === 'doc_';
	const remedy = ofEvent ? 'Use document.id of the event' : `Enter an ID that starts with ${wanted}`;
	refuse(context, itemIndex, displayName, what, remedy);
}
