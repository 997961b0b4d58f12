import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { documentLocator, idParameter } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { Problems } from '../../parameters/checks/problems';
import { readRecipients, recipientsDescription } from './recipients';
import { apiRequest } from '../../client';
import { saidOfDocument } from './saidOfDocument';

export const option = {
	name: 'Update Recipients',
	value: 'updateRecipients',
	action: 'Replace document recipients',
	description:
		'Replace all recipients of a draft by the list given. Whoever is not on the list is removed, so give the complete list.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [
	documentLocator,
	{
		displayName:
			'This replaces the whole list: recipients that you leave out are deleted. Recipients get new IDs, so place their fields again afterwards.',
		name: 'replaceRecipientsNotice',
		type: 'notice',
		default: '',
	},
	...recipientsDescription,
];

/** PUT /documents/{id}/recipients; one output item with the recipients in the raw form that the service returns. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const id = idParameter(this, itemIndex, documentLocator);
	const recipients = readRecipients(this, itemIndex, problems);
	problems.throwIfAny(this, itemIndex);
	const body = { recipients };
	const request = { path: { id }, body, itemIndex };
	const replace = async () => await apiRequest(this, 'PUT /documents/{id}/recipients', request);
	return outputItems(await saidOfDocument(this, itemIndex, id, replace));
}
