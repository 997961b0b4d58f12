import { KIND_OF_PREFIX } from '../../service/ids';
import { describe } from './checks/parameterValue';
import { checkText } from './declare';
import type { Item } from './item';
import { Value, type Check } from './value';

/** @param prefix how an ID of this kind begins */
const checkId = (prefix: string): Check<string> =>
	function (given, ...asked) {
		const [, refuse] = asked;
		// An expression that gives a whole recipient instead of its ID must not come to mean everyone.
		if (typeof given !== 'string')
			return refuse(`is ${describe(given)}, not an ID`, 'Enter the ID itself, as text');
		const id = checkText(true)(given, ...asked);
		const found = Object.keys(KIND_OF_PREFIX).find((one) => id?.startsWith(one));
		if (!found || found === prefix) return id;
		// Something else, such as the event whose document is meant, is refused before a request is
		// spent on it.
		const isEvent = found === 'evt_' && prefix === 'doc_';
		const remedy = isEvent
			? 'Use document.id of the event'
			: `Enter an ID that starts with ${prefix}`;
		return refuse(`"${id}" is ${KIND_OF_PREFIX[found]}, not ${KIND_OF_PREFIX[prefix]}`, remedy);
	};

/** A resource locator: From List with search, or By ID. */
class Locator extends Value<string, string> {
	/** The ID; empty where there is none, or a problem with it. */
	override read(item: Item): string {
		return super.read(item) ?? '';
	}
}

/** @param searchListMethod the one of methods/listSearch.ts that fills the list */
function locator(
	name: string,
	displayName: string,
	searchListMethod: string,
	example: string,
	description: string,
): Locator {
	const check = checkId(example.slice(0, example.indexOf('_') + 1));
	return new Locator(check, name, displayName, {
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
					{
						type: 'regex',
						properties: { regex: '\\s*\\S*\\s*', errorMessage: 'An ID cannot contain spaces' },
					},
				],
			},
		],
	});
}

export const documentLocator = locator(
	'documentId',
	'Document',
	'searchDocuments',
	'doc_4f8a2c',
	'The document to work with, for example from Create and Send or the eSign Trigger',
);

/** The document that an earlier node has made or read. */
export const documentOfItem = documentLocator.with({
	default: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	description:
		'The document to work with. As it stands, the one that the input item is about, such as the output of Create and Send.',
});

export const templateLocator = locator(
	'templateId',
	'Template',
	'searchTemplates',
	'tpl_9b1d7e',
	'The published template to work with. Templates are made in the web application of the service.',
);

export const templateLinkLocator = locator(
	'templateLinkId',
	'Template Link',
	'searchTemplateLinks',
	'lnk_6e0b2d',
	'The public link to work with. The list shows the links of the template chosen above; the Create and Get Many operations return IDs.',
);

/** Only for the list of links: the service lists them by template. */
export const templateOfLink = templateLocator.with({
	required: false,
	description: 'The template whose links are listed below. Not needed if you enter the link by ID.',
});

export const webhookLocator = locator(
	'webhookId',
	'Webhook',
	'searchWebhooks',
	'whk_3c5e1a',
	'The webhook endpoint to work with. Each active eSign Trigger has one.',
);

export const deliveryLocator = locator(
	'deliveryId',
	'Delivery',
	'searchDeliveries',
	'dlv_7d2f90',
	'The delivery to send again. The list shows those of the webhook chosen above.',
);

export const recipientLocator = locator(
	'recipientId',
	'Recipient',
	'searchRecipients',
	'rcp_1a2b3c',
	'One of the recipients of the document chosen above',
);
