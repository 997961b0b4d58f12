import { additionalFields } from '../../parameters/declare';
import { embedOptions } from '../../parameters/embedOptions';
import type { Item } from '../../parameters/item';
import { documentLocator, recipientLocator } from '../../parameters/locators';
import { asBody } from '../asBody';
import type { OperationOption } from '../operation';
import { explainByState } from './explainByState';

export const option = {
	name: 'Create Embed Link',
	value: 'createEmbedLink',
	action: 'Create embed link for recipient',
	description:
		'Get a short-lived URL with which one recipient signs inside your own application. The document must be in progress. Whoever has the URL can sign as this person, so do not share it.',
} as const satisfies OperationOption;

const linkOptions = additionalFields(...embedOptions);

export const description = [documentLocator, recipientLocator, linkOptions];

export const endpoint = 'POST /documents/{id}/recipients/{recipientId}/embed-link';

/** Not kept for retries, as it expires within the hour. */
export async function execute(item: Item) {
	const id = item.read(documentLocator);
	const recipientId = item.read(recipientLocator);
	const body = asBody(item.read(linkOptions));
	item.check();
	const request = { path: { id, recipientId }, ...(Object.keys(body).length > 0 && { body }) };
	const link = await explainByState(item, id, async () => await item.call(endpoint, request));
	return { document_id: id, recipient_id: recipientId, ...link };
}
