import { sendNotice, type Item } from '../../../operation';
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
	return await makeDocument(item, true);
}
