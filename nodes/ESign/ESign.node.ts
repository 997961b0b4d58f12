import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { findOperation, nodeProperties, resources } from './actions';
import { failureOf, nodeError } from './actions/itemError';
import { announceLongRun } from './actions/longRun';
import type { Operation } from './actions/operation';
import { RetryMemory } from './actions/once';
import { methods } from './methods';
import { endCalls } from './transport';

/** Named, because n8n's two lint plugins want it written in place in ways that exclude each other. */
const main = [NodeConnectionTypes.Main];

/** So many items are read at once: what the service lets through in a minute. Anything with an effect goes one by one. */
const READ_LANES = 10;

/** Sends documents for signature, follows them and fetches the signed files. */
export class ESign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'eSign',
		name: 'eSign',
		icon: { light: 'file:esign.svg', dark: 'file:esign.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send documents and templates for electronic signature, follow them and download the signed files',
		defaults: { name: 'eSign' },
		usableAsTool: true,
		inputs: main,
		outputs: main,
		credentials: [{ name: 'eSignApi', required: true }],
		properties: nodeProperties(),
	};

	methods = methods;

	/** The only loop over items: pairing, Continue On Fail and the memory for n8n's retries are dealt with here. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		const memory = new RetryMemory(this);
		let failed = false;

		const run = async (itemIndex: number): Promise<INodeExecutionData[]> => {
			try {
				const operation = operationOf(this, itemIndex);
				const items = await memory.run(operation, itemIndex);
				await announceLongRun(this, operation, itemIndex);
				return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
			} catch (error) {
				const failure = nodeError(this, error, itemIndex);
				memory.failed(itemIndex);
				if (!this.continueOnFail()) {
					endCalls(this);
					throw failure;
				}
				failed = true;
				return [{ json: failureOf(this, failure, itemIndex), pairedItem: { item: itemIndex } }];
			}
		};

		for (const lanes of batchesOf(this)) {
			// The first failure of any lane is the node's. The calls of the others have ended with it.
			for (const items of await Promise.all(lanes.map(run))) output.push(...items);
		}

		if (!failed) memory.clear();
		return [output];
	}
}

/** @throws NodeOperationError if the parameters of the item name no operation */
function operationOf(context: IExecuteFunctions, itemIndex: number): Operation {
	const resource = String(context.getNodeParameter('resource', itemIndex));
	const isKnown = resources.some(({ option }) => option.value === resource);
	// Of a resource that does not exist n8n shows no Operation, and so does not know the parameter.
	const name = isKnown ? String(context.getNodeParameter('operation', itemIndex)) : '';
	const operation = findOperation(resource, name);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		isKnown ? `${resource} has no operation ${name}` : `There is no resource ${resource}`,
		{ itemIndex, description: 'Choose Resource and Operation from their lists. n8n evaluates no expression there.' },
	);
}

/** The items in order, by what may go at once: several reads, or one of anything else. */
function batchesOf(context: IExecuteFunctions): number[][] {
	const batches: number[][] = [];
	let wasRead = false;
	for (const itemIndex of context.getInputData().keys()) {
		const last = batches.at(-1);
		const mayJoin = isRead(context, itemIndex);
		if (last && wasRead && mayJoin && last.length < READ_LANES) last.push(itemIndex);
		else batches.push([itemIndex]);
		wasRead = mayJoin;
	}
	return batches;
}

/** An item whose operation cannot be told goes by itself, to fail as an item. */
function isRead(context: IExecuteFunctions, itemIndex: number): boolean {
	try {
		return operationOf(context, itemIndex).once !== true;
	} catch {
		return false;
	}
}
