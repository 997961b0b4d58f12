import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Item, Shown } from './parameters';
import type { Endpoint } from '../service/endpoints';

/**
 * An entry of the Operation dropdown. `action` is the sentence shown in the node creator, and all
 * that n8n tells a model of the operation: what a model must know before it calls stands there, in
 * few words, because n8n also names the node by it, and its tool.
 */
export interface OperationOption extends INodePropertyOptions {
	value: string;
	action: string;
	description: string;
}

interface Described {
	option: OperationOption;
	description: readonly Shown[];
	/** The endpoint that it is there for, followed by others that it needs for that. */
	endpoint: Endpoint | readonly Endpoint[];
	/**
	 * False if its result is not kept for n8n's own retries, though it changes something at the
	 * service.
	 */
	once?: false;
}

/** An operation that handles one item at a time: nearly every one. */
export interface ItemOperation extends Described {
	execute(item: Item): Promise<Output>;
}

/**
 * An operation that takes all input items as one: an execution sleeps once, whatever it waits for.
 */
export interface WholeOperation extends Described {
	/** @returns the items of each input item, in order */
	executeAll(items: readonly [Item, ...Item[]]): Promise<INodeExecutionData[][]>;
}

export type Operation = ItemOperation | WholeOperation;

/**
 * Whether it does more than read: its result is then kept for n8n's own retries (see
 * sending/items.ts).
 */
export function isOnce({ once, endpoint }: Operation): boolean {
	const [main = ''] = [endpoint].flat();
	return once !== false && !main.startsWith('GET ');
}

/** A resource with its operations: every `<resource>/index.ts` exports them one by one. */
export interface Resource {
	option: INodePropertyOptions & { value: string; description: string };
	operations: readonly Operation[];
	/** The operation chosen when the resource is. */
	defaultOperation: string;
}

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
