import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequestAll } from '../../transport';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { paging, wantedCount } from '../parameters/returnAll';
import { givenParameter } from '../parameters/given';
import { Problems } from '../parameters/problems';
import { checkObject, type PropertyRules } from '../parameters/rules';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description: 'List documents of the mode of the API key, optionally only those with one status',
} as const satisfies OperationOption;

const statuses = [
	{ name: 'Cancelled', value: 'cancelled', description: 'Withdrawn by the sender' },
	{ name: 'Completed', value: 'completed', description: 'Signed by everyone and sealed' },
	{ name: 'Declined', value: 'declined', description: 'Refused by a recipient' },
	{ name: 'Draft', value: 'draft', description: 'Created, not sent' },
	{ name: 'Expired', value: 'expired', description: 'Passed its expiry unsigned' },
	{ name: 'In Progress', value: 'in_progress', description: 'Out for signature' },
];

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Status',
			name: 'status',
			type: 'options',
			options: statuses,
			default: 'in_progress',
			description: 'Return only documents with this status',
		},
	],
};

export const description: INodeProperties[] = [...paging, filters];

/** GET /documents */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const given = givenParameter(this, itemIndex, filters.name);
	const rules: PropertyRules = {
		status: { label: 'Status', type: 'choice', choices: statuses.map(({ value }) => value) },
	};
	const query = checkObject(given, rules, { label: filters.displayName, json: false }, problems);
	problems.throwIfAny(this, itemIndex);
	const documents = await apiRequestAll(this, 'GET /documents', {
		query,
		limit: wantedCount(this, itemIndex),
		itemIndex,
	});
	return outputItems(documents);
}
