import { documentLocator, notice, type Item } from '../../operation';
import { readRecipients, recipients } from './create/recipients';
import { callForDocument } from './callForDocument';

export const option = {
	name: 'Update Recipients',
	value: 'updateRecipients',
	action: 'Update document recipients (replaces all)',
	description:
		'Replace all recipients of a draft by the list given. Whoever is not on the list is removed, so give the complete list.',
};

export const description = [
	documentLocator,
	notice(
		'replaceRecipientsNotice',
		'This replaces the whole list. Recipients get new IDs, so place their fields again afterwards.',
	),
	...recipients.description,
];

export const endpoint = 'PUT /documents/{id}/recipients';

/** One output item with the recipients in the raw form that the service returns. */
export async function execute(item: Item) {
	const path = { id: item.read(documentLocator) };
	const body = { recipients: readRecipients(item) };
	return await callForDocument(item, endpoint, { path, body });
}
