import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, templateLinkLocator, templateOfLink } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { apiRequest } from '../../client';

export const option = {
	name: 'Rotate',
	value: 'rotate',
	action: 'Rotate template link (old URL ends)',
	description:
		'Give a public link a new URL. The old URL stops working at once wherever it was published, so do this only when explicitly asked to.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [
	templateOfLink,
	templateLinkLocator,
	{
		displayName: 'The current URL and its embed URL stop working at once, wherever they were published.',
		name: 'rotateNotice',
		type: 'notice',
		default: '',
	},
];

/** POST /template-links/{linkId}/rotate */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const path = { linkId: idParameter(this, itemIndex, templateLinkLocator) };
	return outputItems(await apiRequest(this, 'POST /template-links/{linkId}/rotate', { path, itemIndex }));
}
