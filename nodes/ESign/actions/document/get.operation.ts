import type { Document } from '../../client';
import type { Item } from '../../parameters/item';
import { documentLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';

export const option = {
	name: 'Get',
	value: 'get',
	action: 'Get document',
	description:
		'Retrieve one document: its status (draft, in_progress, completed, declined, cancelled, expired), the status of each recipient, and in waiting_for who was asked and has not signed',
} as const satisfies OperationOption;

export const description = [documentLocator];

export const endpoint = 'GET /documents/{id}';

export async function execute(item: Item) {
	return withWaitingFor(await item.call(endpoint, { path: { id: item.read(documentLocator) } }));
}

/** A document with the e-mail addresses of those who were asked and have not signed, as one text: a column of its own in a table. */
export function withWaitingFor({ recipients, created_at, ...document }: Document) {
	const asked = document.status === 'in_progress' ? recipients : [];
	const missing = asked.filter(({ status }) => status === 'sent' || status === 'viewed').map(({ email }) => email);
	return { ...document, waiting_for: missing.join(', '), recipients, created_at };
}
