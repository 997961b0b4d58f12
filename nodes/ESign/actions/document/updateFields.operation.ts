import { documentLocator, notice, type Item } from '../../operation';
import { callForDocument } from './callForDocument';
import { NO_TEXT, readOriginal } from './fields/documentText';
import { fieldInputs, planFields } from './fields/plan';
import {
	asksForOriginal,
	fieldsDescription,
	readFields,
	type FieldsRequest,
} from './fields/request';

export const option = {
	name: 'Update Fields',
	value: 'updateFields',
	action: 'Update document fields (replaces all)',
	description:
		'Replace all fields of a draft by the list given. Fields that are not on the list are deleted, so give the complete list.',
};

export const description = [
	documentLocator,
	notice(
		'replaceFieldsNotice',
		'This replaces all fields of the draft: fields that you leave out are deleted, and fields get new IDs.',
	),
	...fieldsDescription(false),
];

export const endpoint = [
	'PUT /documents/{id}/fields',
	'GET /documents/{id}',
	'GET /documents/{id}/files/{variant}',
] as const;

/**
 * The document is read only if a field names a recipient, because the request takes ids; its text
 * only if it says where the fields are.
 */
export async function execute(item: Item) {
	const [replace, read] = endpoint;
	const id = item.read(documentLocator);
	const request = readFields(item);
	const path = { id };
	const recipients = namesRecipients(request) ? (await item.call(read, { path })).recipients : [];
	const document = asksForOriginal(request) ? await readOriginal(item, id, request) : NO_TEXT;
	const planned = await planFields(item, { request, recipients, document });
	const ids = recipients.map((recipient) => recipient.id);
	const body = { fields: fieldInputs(planned, ids) };
	return await callForDocument(item, replace, { path, body });
}

function namesRecipients({ automatic, fields }: FieldsRequest): boolean {
	return automatic !== undefined || fields.some(({ recipient }) => recipient !== undefined);
}
