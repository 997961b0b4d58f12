import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { EVENT_OPTIONS } from '../../service/events';
import { apiRequest } from '../../client';
import { readChoices } from '../../parameters/checks/choices';
import { LENGTH } from '../../service/limits';
import { givenParameter } from '../../parameters/checks/given';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { Problems } from '../../parameters/checks/problems';
import { checkValue, WEBHOOK_URI } from '../../parameters/checks/rules';

export const option = {
	name: 'Create',
	value: 'create',
	action: 'Create webhook',
	description:
		'Register a URL that receives events of the mode of the API key. At most five endpoints exist per mode. Not needed for the eSign Trigger node, which registers itself.',
} as const satisfies OperationOption;

export const once = true;

const url: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/esign-events',
	description: 'The address that receives the events by POST. It must start with https.',
};

const events: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [...EVENT_OPTIONS],
	default: ['document.completed'],
	description: 'The events to deliver, at least one',
};

export const description: INodeProperties[] = [
	url,
	events,
	{
		displayName:
			'The output contains the signing secret of the endpoint. It is shown this once: keep it, or delete the endpoint and create another.',
		name: 'secretNotice',
		type: 'notice',
		default: '',
	},
];

/** POST /webhooks */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const address = checkValue(
		givenParameter(this, itemIndex, url.name),
		{
			label: url.displayName,
			required: true,
			type: 'string',
			max: LENGTH.webhookUrl,
			pattern: WEBHOOK_URI,
			form: 'an address that starts with https://',
		},
		url.displayName,
		problems,
	);
	const body = { url: address, events: readChoices(this, itemIndex, events, problems) };
	problems.throwIfAny(this, itemIndex);
	return outputItems(await apiRequest(this, 'POST /webhooks', { body, itemIndex }));
}
