import { documentOfItem, sendNotice, hintAtTestKey, type Item } from '../../operation';
import { callForDocument } from './callForDocument';

export const option = {
	name: 'Send',
	value: 'send',
	action: 'Send draft by email (billed)',
	description:
		'Send a draft that exists already out for signature. Every signer needs a signature field. A live key is billed for it.',
};

export const description = [documentOfItem, sendNotice];

export const endpoint = 'POST /documents/{id}/send';

export async function execute(item: Item) {
	const sent = await callForDocument(item, endpoint, { path: { id: item.read(documentOfItem) } });
	await hintAtTestKey(item.context);
	return sent;
}
