import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { paging, wantedCount } from '../../parameters/returnAll';
import { filters, findDocuments, readFilters } from './filters';
import { withWaitingFor } from './get.operation';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description:
		'List documents of the mode of the API key: all of them, or those with a status, a date, a title or a recipient',
} as const satisfies OperationOption;

export const description: INodeProperties[] = [...paging, filters];

/** GET /documents */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const asked = readFilters(this, itemIndex);
	const found = await findDocuments(this, itemIndex, asked, wantedCount(this, itemIndex));
	return outputItems(found.map(withWaitingFor));
}
