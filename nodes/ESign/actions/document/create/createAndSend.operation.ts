import { sendNotice, type Item } from '../../../operation/parameters';
import { hintAtTestKey } from '../../../operation/hints';
import * as create from './create.operation';
import { makeDocument, newDocumentDescription } from './newDocument';

export const option = {
	name: 'Create and Send',
	value: 'createAndSend',
	action: 'Create and send document (billed)',
	description:
		'Make a document from PDF, Word or image files and send it out for signature. A live key is billed for it.',
};

export const description = [sendNotice, ...newDocumentDescription];

export const endpoint = [...create.endpoint, 'POST /documents/{id}/send'] as const;

export async function execute(item: Item) {
	const sent = await makeDocument(item, { send: true });
	await hintAtTestKey(item.context);
	return sent;
}
