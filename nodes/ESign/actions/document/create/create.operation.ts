import type { Item } from '../../../operation';
import { makeDocument, newDocumentDescription } from './newDocument';

export const option = {
	name: 'Create Draft',
	value: 'create',
	action: 'Create draft document',
	description:
		'Make a document from PDF, Word or image files, and keep it as a draft: nobody is asked to sign it. Document > Send sends it later.',
};

export const description = newDocumentDescription;

export const endpoint = ['POST /documents', 'POST /files', 'PUT /documents/{id}/fields'] as const;

export async function execute(item: Item) {
	return await makeDocument(item, false);
}
