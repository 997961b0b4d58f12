import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest } from '../../transport';
import { hintAtTestKey } from '../hints';
import { documentLocator, idParameter, optionalIdParameter, recipientLocator } from '../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';

export const option = {
	name: 'Remind',
	value: 'remind',
	action: 'Remind document recipients by email',
	description:
		'Send a reminder to everyone who still has to sign a document, or to one recipient. Each call sends another email, so do this only when asked to.',
} as const satisfies OperationOption;

export const once = true;

const recipient: INodeProperties = {
	...recipientLocator,
	required: false,
	hint: 'Leave empty to remind everyone outstanding',
	description: 'The recipient to remind. Leave empty to remind everyone who has been asked and has not signed yet.',
};

export const description: INodeProperties[] = [
	documentLocator,
	recipient,
	{
		displayName:
			'The reminder goes out immediately. With a live API key people get an e-mail each time this runs; with a test key no e-mails are sent.',
		name: 'remindNotice',
		type: 'notice',
		default: '',
	},
];

/** POST /documents/{id}/remind */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, documentLocator);
	const recipientId = optionalIdParameter(this, itemIndex, recipient);
	const reminded = await apiRequest(this, 'POST /documents/{id}/remind', {
		path: { id },
		...(recipientId ? { body: { recipient_id: recipientId } } : {}),
		itemIndex,
	});
	await hintAtTestKey(this);
	return outputItems({ document_id: id, ...reminded });
}
