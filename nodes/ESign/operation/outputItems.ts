import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

/**
 * What an operation makes of one input item: an object of a response, with files if it has some, or
 * a list of them.
 */
export type Output = object | readonly object[];

export class WithFiles {
	constructor(
		readonly json: IDataObject,
		readonly binary: IBinaryKeyData,
	) {}
}

/** One output item per object; the loop in ESign.node.ts pairs them with their input item. */
export function outputItems(output: Output): INodeExecutionData[] {
	const list: readonly object[] = Array.isArray(output) ? output : [output];
	return list.map((one) => (one instanceof WithFiles ? { ...one } : { json: one as IDataObject }));
}
