import type { INodeProperties } from 'n8n-workflow';
import { KIND_OF_PREFIX, prefixOf } from '../service/ids';
import { describe, refusedForNothing } from './checks/given';
import type { Refuse } from './checks/problems';
import { hasInvisible, unsendable, withoutInvisibleEnds } from './checks/text';
import type { Item, Parameter } from './item';

/** A resource locator: From List with search, or By ID. */
class Locator implements Parameter<string> {
	/** @param prefix how an ID of this kind begins */
	constructor(
		readonly property: INodeProperties,
		private readonly prefix: string,
	) {}

	/** The same, in words of its own, and not required. */
	optional(look: Partial<INodeProperties>): Locator {
		return new Locator({ ...this.property, required: false, ...look }, this.prefix);
	}

	/** The ID; an empty one is refused before it becomes a wrong path, unless the parameter is optional. */
	read(item: Item): string {
		const { displayName, required } = this.property;
		const given = item.given(this.property);
		const refuse = (...problem: Parameters<Refuse>) => item.refuse(displayName, ...problem);
		const id = given.value ?? '';
		// An expression that gives a whole recipient instead of its ID must not come to mean everyone.
		if (typeof id !== 'string') return refuse(`is ${describe(id)}, not an ID`, 'Enter the ID itself, as text');
		const text = withoutInvisibleEnds(id);
		const refused = unsendable(text);
		if (refused) refuse(refused.what, refused.remedy);
		if (hasInvisible(text)) {
			refuse(`"${text}" contains an invisible character`, 'Choose it from the list, or type it');
		}
		const found = prefixOf(text);
		// Something else, such as the event whose document is meant, is told before a request is spent on it.
		if (found !== undefined && found !== this.prefix) {
			const isEvent = found === 'evt_' && this.prefix === 'doc_';
			const remedy = isEvent ? 'Use document.id of the event' : `Enter an ID that starts with ${this.prefix}`;
			refuse(`"${text}" is ${KIND_OF_PREFIX[found]}, not ${KIND_OF_PREFIX[this.prefix]}`, remedy);
		}
		if (text === '') refusedForNothing(given, refuse, required);
		if (text === '' && required) refuse('is empty', 'Choose one from the list, or enter its ID');
		return text;
	}
}

/** @param searchListMethod the one of methods/listSearch.ts that fills the list */
function locator(displayName: string, searchListMethod: string, example: string, description: string): Locator {
	const name = displayName.replace(' ', '');
	const property: INodeProperties = {
		displayName,
		name: `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`,
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
				placeholder: `e.g. ${example}`,
				validation: [
					{ type: 'regex', properties: { regex: '\\s*\\S*\\s*', errorMessage: 'An ID cannot contain spaces' } },
				],
			},
		],
	};
	return new Locator(property, example.slice(0, example.indexOf('_') + 1));
}

export const documentLocator = locator(
	'Document',
	'searchDocuments',
	'doc_4f8a2c',
	'The document to work with, for example from Create and Send or the eSign Trigger',
);

export const templateLocator = locator(
	'Template',
	'searchTemplates',
	'tpl_9b1d7e',
	'The published template to work with. Templates are made in the web application of the service.',
);

export const templateLinkLocator = locator(
	'Template Link',
	'searchTemplateLinks',
	'lnk_6e0b2d',
	'The public link to work with. The list shows the links of the template chosen above; the Create and Get Many operations return IDs.',
);

/** Only for the list of links: the service lists them by template. */
export const templateOfLink = templateLocator.optional({
	description: 'The template whose links are listed below. Not needed if you enter the link by ID.',
});

export const webhookLocator = locator(
	'Webhook',
	'searchWebhooks',
	'whk_3c5e1a',
	'The webhook endpoint to work with. Each active eSign Trigger has one.',
);

export const deliveryLocator = locator('Delivery', 'searchDeliveries', 'dlv_7d2f90', 'The delivery to send again');

export const recipientLocator = locator(
	'Recipient',
	'searchRecipients',
	'rcp_1a2b3c',
	'One of the recipients of the document',
);
