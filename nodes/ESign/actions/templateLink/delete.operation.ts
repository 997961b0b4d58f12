import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { idParameter, templateLinkLocator, templateOfLink } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { isRetry } from '../../runs/line';
import { apiRequest } from '../../client';

export const option = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete template link (final)',
	description:
		'Remove a public link permanently. Documents created through it remain. Do this only when explicitly asked to.',
} as const satisfies OperationOption;

export const once = true;

export const description: INodeProperties[] = [
	templateOfLink,
	templateLinkLocator,
	{
		displayName: 'This is permanent: the URL stops working. Documents that were created through it are unaffected.',
		name: 'deleteNotice',
		type: 'notice',
		default: '',
	},
];

/** DELETE /template-links/{linkId} */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const path = { linkId: idParameter(this, itemIndex, templateLinkLocator) };
	const request = { path, itemIndex, mayBeDone: isRetry(this) };
	const gone = await apiRequest(this, 'DELETE /template-links/{linkId}', request);
	return outputItems(gone);
}
