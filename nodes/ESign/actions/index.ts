import type { INodeProperties } from 'n8n-workflow';
import { account } from './account';
import { document } from './document';
import { file } from './file';
import type { Operation, Resource } from './operation';
import { template } from './template';
import { templateLink } from './templateLink';
import { webhook } from './webhook';
import { webhookDelivery } from './webhookDelivery';

/** Every resource with its operations; dropdowns, parameters and dispatch derive from this list. */
export const resources = [account, document, file, template, templateLink, webhook, webhookDelivery] as const;

const byName = (left: { name: string }, right: { name: string }) => left.name.localeCompare(right.name);

/** Finds an operation by the values that a saved workflow holds; undefined when there is none. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	const operations: readonly Operation[] = resources.find(({ option }) => option.value === resource)?.operations ?? [];
	return operations.find(({ option }) => option.value === operation);
}

/** The Resource dropdown, one Operation dropdown per resource, and the parameters of every operation. */
export function nodeProperties(): INodeProperties[] {
	const list: readonly Resource[] = resources;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: list.map(({ option }) => option).sort(byName),
			default: 'document',
		},
		...list.map(operationDropdown),
		...list.flatMap((resource) =>
			resource.operations.flatMap(({ option, description }) =>
				description.map(({ property }) => shownFor(property, resource.option.value, option.value)),
			),
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

function shownFor(property: INodeProperties, resource: string, operation: string): INodeProperties {
	const { show, ...others } = property.displayOptions ?? {};
	return {
		...property,
		displayOptions: { ...others, show: { resource: [resource], operation: [operation], ...show } },
	};
}
