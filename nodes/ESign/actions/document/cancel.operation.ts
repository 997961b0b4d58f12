import { documentLocator, notice, type Item } from '../../operation';
import { callForDocument } from './callForDocument';

export const option = {
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel document (final)',
	description:
		'Withdraw a document that is out for signature, for good. The service takes no reason for the recipients, so tell them yourself.',
};

export const description = [
	documentLocator,
	notice(
		'cancelNotice',
		'Cancelling is final: nobody can sign the document any longer, and it cannot be sent again.',
	),
];

export const endpoint = 'POST /documents/{id}/cancel';

export async function execute(item: Item) {
	return await callForDocument(item, endpoint, { path: { id: item.read(documentLocator) } });
}
