import type { Item } from '../../../operation/parameters';
import { hintAtDraft } from '../../../operation/hints';
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
	const draft = await makeDocument(item, { send: false });
	hintAtDraft(item.context, draft);
	return draft;
}
