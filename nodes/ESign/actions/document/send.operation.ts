import { documentOfItem, sendNotice, type Item } from '../../operation/parameters';
import { hintAtTestKey } from '../../operation/hints';
import { explainByState } from './explainByState';

export const option = {
	name: 'Send',
	value: 'send',
	action: 'Send draft by email (billed)',
	description:
		'Send a draft that exists already out for signature. Every signer needs a signature field. Recipients are asked to sign a legally binding document and a live key is billed for it, so do this only when asked to. To make a new document, use Create and Send.',
};

export const description = [documentOfItem, sendNotice];

export const endpoint = 'POST /documents/{id}/send';

export async function execute(item: Item) {
	const id = item.read(documentOfItem);
	const send = async () => await item.call(endpoint, { path: { id } });
	const sent = await explainByState(item, id, send);
	await hintAtTestKey(item.context);
	return sent;
}
