import {
	additionalFields,
	documentLocator,
	embedOptions,
	recipientLocator,
	asBody,
	type Item,
} from '../../operation';
import { callForDocument } from './callForDocument';

export const option = {
	name: 'Create Embed Link',
	value: 'createEmbedLink',
	action: 'Create embed link for recipient',
	description:
		'Get a short-lived URL with which one recipient signs inside your own application. Whoever has the URL can sign as this person, so do not share it.',
};

const linkOptions = additionalFields(...embedOptions);

export const description = [documentLocator, recipientLocator, linkOptions];

/** A link is not kept for retries, as it expires within the hour. */
export const once = false;

export const endpoint = 'POST /documents/{id}/recipients/{recipientId}/embed-link';

export async function execute(item: Item) {
	const id = item.read(documentLocator);
	const recipientId = item.read(recipientLocator);
	const path = { id, recipientId };
	const body = asBody(item.read(linkOptions));
	const link = await callForDocument(item, endpoint, { path, body });
	return { document_id: id, recipient_id: recipientId, ...link };
}
