import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import * as account from './account';
import * as document from './document';
import * as file from './file';
import type { Operation, Resource } from '../operation';
import * as template from './template';
import * as templateLink from './templateLink';
import * as webhook from './webhook';
import * as webhookDelivery from './webhookDelivery';

/** Every resource with its operations; dropdowns, parameters and dispatch derive from this list. */
export const resources: readonly Resource[] = [
	account,
	document,
	file,
	template,
	templateLink,
	webhook,
	webhookDelivery,
].map(({ option, defaultOperation, ...operations }) => ({
	option,
	defaultOperation,
	operations: Object.values<Operation>(operations),
}));

const byName = (left: { name: string }, right: { name: string }) =>
	left.name.localeCompare(right.name);

/** Finds an operation by the values that a saved workflow holds; undefined when there is none. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	const operations = resources.find(({ option }) => option.value === resource)?.operations ?? [];
	return operations.find(({ option }) => option.value === operation);
}

/**
 * The Resource dropdown, one Operation dropdown per resource, and the parameters of every
 * operation.
 */
export function nodeProperties(): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ option }) => option).sort(byName),
			default: 'document',
		},
		...resources.map(operationDropdown),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => shownFor(resource, operation)),
		),
	];
}

function operationDropdown({ option, operations, defaultOperation }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		options: operations.map((operation) => operation.option).sort(byName),
		default: defaultOperation,
	};
}

function shownFor(resource: Resource, { option, description }: Operation): INodeProperties[] {
	const show = { resource: [resource.option.value], operation: [option.value] };
	const shown = description.map(({ property }) => property);
	return updateDisplayOptions({ show }, shown);
}
