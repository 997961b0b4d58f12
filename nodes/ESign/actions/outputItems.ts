import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** One output item per object of a response; the loop in ESign.node.ts pairs them with their input item. */
export function outputItems(response: object | readonly object[]): INodeExecutionData[] {
	const list: readonly object[] = Array.isArray(response) ? response : [response as object];
	return list.map((json) => ({ json: json as IDataObject }));
}
