import type { Document } from '../../client';
import { documentLocator, type Item } from '../../operation';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get document',
	description:
		'Retrieve one document: its status, the status of each recipient, and in waiting_for who was asked and has not signed',
};

export const description = [documentLocator];

export const endpoint = 'GET /documents/{id}';

export async function execute(item: Item) {
	return withWaitingFor(await item.call(endpoint, { path: { id: item.read(documentLocator) } }));
}

/**
 * A document with the email addresses of those who were asked and have not signed: one text, in a
 * table beside the status.
 */
export function withWaitingFor({ id, status, ...document }: Document) {
	const asked = status === 'in_progress' ? document.recipients : [];
	const missing = asked.filter((recipient) => ['sent', 'viewed'].includes(recipient.status));
	return { id, status, waiting_for: missing.map(({ email }) => email).join(', '), ...document };
}
