import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { apiRequest, asThrown } from '../../client';
import { hintAtTestKey } from '../hints';
import { documentLocator, idParameter, optionalIdParameter, recipientLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { givenParameter } from '../../parameters/checks/given';
import { Problems } from '../../parameters/checks/problems';
import { checkObject, type PropertyRules } from '../../parameters/checks/rules';

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

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Skip If Nobody Is Left',
			name: 'skipIfNobody',
			type: 'boolean',
			default: false,
			description:
				'Whether to output reminded: 0, instead of an error, for a document with nobody left to remind: everyone has signed, or it is not in progress',
		},
	],
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
	options,
];

/** POST /documents/{id}/remind */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, documentLocator);
	const recipientId = optionalIdParameter(this, itemIndex, recipient);
	const problems = new Problems();
	const rules: PropertyRules = { skipIfNobody: { label: 'Skip If Nobody Is Left', type: 'boolean' } };
	const place = { label: options.displayName, json: false };
	const { skipIfNobody } = checkObject(givenParameter(this, itemIndex, options.name), rules, place, problems);
	problems.throwIfAny(this, itemIndex);
	const body = recipientId ? { recipient_id: recipientId } : undefined;
	try {
		const { reminded } = await apiRequest(this, 'POST /documents/{id}/remind', { path: { id }, body, itemIndex });
		await hintAtTestKey(this);
		return outputItems({ document_id: id, reminded });
	} catch (error) {
		if (skipIfNobody === true && isNobodyLeft(error)) return outputItems({ document_id: id, reminded: 0 });
		throw asThrown(error);
	}
}

function isNobodyLeft(error: unknown): boolean {
	return error instanceof NodeApiError && (error.context as IDataObject).code === 'no_recipients_to_remind';
}
