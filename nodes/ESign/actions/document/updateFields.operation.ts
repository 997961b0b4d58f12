import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { fieldInputs, planFields } from './fields/recipients';
import { automatic, fieldEntries, fieldsJson, fieldsMode } from './fields/parameters';
import { hintAtOverlaps } from './fields/overlaps';
import { readFields, type FieldsRequest } from './fields/read';
import { documentLocator, idParameter } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { Problems } from '../../parameters/checks/problems';
import { apiRequest } from '../../client';
import { saidOfDocument } from './saidOfDocument';

export const option = {
	name: 'Update Fields',
	value: 'updateFields',
	action: 'Replace document fields',
	description:
		'Replace all fields of a draft by the list given. Fields that are not on the list are deleted, so give the complete list.',
} as const satisfies OperationOption;

export const once = true;

/** The service does not say who of a document's recipients is a cc, nor how many pages it has. */
const automaticOnDraft: INodeProperties = {
	...automatic,
	description: 'One signature box per signer, stacked at the bottom of a page',
	options: [
		...(automatic.options ?? []).filter(({ name }) => name !== 'page'),
		{
			displayName: 'Signers',
			name: 'signers',
			type: 'string',
			default: '',
			placeholder: 'e.g. ada@example.com, grace@example.com',
			description:
				'Comma-separated emails of the recipients who sign. Needed if the document has a cc, whom the service does not distinguish from signers; leave empty if all recipients sign.',
		},
	],
};

export const description: INodeProperties[] = [
	documentLocator,
	{
		displayName:
			'This replaces all fields of the draft: fields that you leave out are deleted, and fields get new IDs.',
		name: 'replaceFieldsNotice',
		type: 'notice',
		default: '',
	},
	fieldsMode('form', 'automatic', 'json', 'noneLeft'),
	automaticOnDraft,
	fieldEntries,
	fieldsJson,
];

/** PUT /documents/{id}/fields, after GET /documents/{id} if a field names a recipient: the request takes ids. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const id = idParameter(this, itemIndex, documentLocator);
	const request = readFields(this, itemIndex, problems, { defaultPage: 'first' });
	if (request.mode === 'list' && request.fields.length === 0 && !problems.any) {
		problems.add(
			request.label,
			'is empty, which would delete all fields',
			'Add a field, or choose None in Fields to Place',
		);
	}
	problems.throwIfAny(this, itemIndex);

	const path = { id };
	const recipients = namesRecipients(request)
		? (await apiRequest(this, 'GET /documents/{id}', { path, itemIndex })).recipients
		: [];
	const planned = planFields(request, recipients, problems);
	problems.throwIfAny(this, itemIndex);
	hintAtOverlaps(this, itemIndex, planned);
	const ids = recipients.map((recipient) => recipient.id);
	const body = { fields: fieldInputs(planned, ids) };
	const replace = async () => await apiRequest(this, 'PUT /documents/{id}/fields', { path, body, itemIndex });
	return outputItems(await saidOfDocument(this, itemIndex, id, replace));
}

function namesRecipients(request: FieldsRequest): boolean {
	if (request.mode !== 'list') return request.mode === 'automatic';
	return request.fields.some(({ recipient }) => recipient !== undefined);
}
