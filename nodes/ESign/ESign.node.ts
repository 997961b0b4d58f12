import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { findOperation, nodeProperties, subtitle } from './actions';
import { failureOf, nodeError } from './actions/itemError';
import type { Operation } from './actions/operation';
import { RetryMemory } from './actions/retryMemory';
import { methods } from './methods';

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
		subtitle: subtitle(),
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
				if (!operation) {
					const asked = `${this.getNodeParameter('resource', itemIndex)} has no operation ${this.getNodeParameter('operation', itemIndex)}`;
					throw new NodeOperationError(this.getNode(), asked, { itemIndex });
				}
				return await memory.run(operation, itemIndex);
			} catch (error) {
				const failure = nodeError(this, error, itemIndex);
				memory.failed(failure, itemIndex);
				if (!this.continueOnFail()) throw failure;
				failed = true;
				return [{ json: failureOf(this, failure), pairedItem: { item: itemIndex } }];
			}
		};

		for (let first = 0; first < this.getInputData().length;) {
			const lanes = lanesFrom(this, first);
			for (const [lane, outcome] of (await Promise.allSettled(lanes.map(run))).entries()) {
				if (outcome.status === 'rejected') throw outcome.reason;
				output.push(...outcome.value.map((item) => ({ ...item, pairedItem: { item: first + lane } })));
			}
			first += lanes.length;
		}

		if (!failed) memory.clear();
		return [output];
	}
}

/** What the parameters of an item name; undefined if there is no such operation. */
function operationOf(context: IExecuteFunctions, itemIndex: number): Operation | undefined {
	const [resource, operation] = ['resource', 'operation'].map((name) => context.getNodeParameter(name, itemIndex));
	return findOperation(String(resource), String(operation));
}

/** The items from `first` on that may go at once: several reads, or one of anything else. */
function lanesFrom(context: IExecuteFunctions, first: number): number[] {
	const indexes = [first];
	const last = Math.min(first + READ_LANES, context.getInputData().length) - 1;
	for (let itemIndex = first; itemIndex < last; itemIndex++) {
		if ([itemIndex, itemIndex + 1].some((index) => operationOf(context, index)?.once)) break;
		indexes.push(itemIndex + 1);
	}
	return indexes;
}
