import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { findOperation, nodeProperties, resources } from './actions';
import { failureOf, filesOf, nodeError, pairingOf } from './actions/itemError';
import { announceLongRun } from './actions/longRun';
import type { Operation } from './actions/operation';
import { methods } from './methods';
import { expireLookUps } from './methods/lookUp';
import { Item } from './parameters/item';
import { Items } from './runs/items';
import { runOf } from './client';
import { resume, waitingWebhooks } from './waiting/resume';

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
		description: 'Send documents for signature; start workflows when they are viewed, signed, completed or declined',
		defaults: { name: 'eSign' },
		usableAsTool: true,
		inputs: main,
		outputs: main,
		credentials: [{ name: 'eSignApi', required: true }],
		webhooks: waitingWebhooks,
		waitingNodeTooltip: 'Goes on when the documents are completed, declined, cancelled or expired',
		properties: nodeProperties(),
	};

	methods = methods;

	/** The only loop over items: pairing, Continue On Fail and what is done already are dealt with here. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		const items = new Items(this);
		let failed = false;

		const run = async (itemIndexes: number[]): Promise<INodeExecutionData[]> => {
			const [first = 0] = itemIndexes;
			try {
				const operation = operationOf(this, first);
				const made = await items.run(operation, first).finally(() => operation.once && expireLookUps());
				await announceLongRun(new Item(this, first), operation);
				return made.flatMap((ofItem, index) =>
					ofItem.map((item) => ({ ...item, pairedItem: { item: itemIndexes[index] ?? first } })),
				);
			} catch (error) {
				const failure = nodeError(this, error, first, operationIn(this, first));
				if (!this.continueOnFail()) {
					runOf(this).abort();
					failure.description = [failure.description, items.progress()].filter(Boolean).join('\n');
					throw failure;
				}
				failed = true;
				return itemIndexes.map((item) => ({
					json: failureOf(this, failure, item),
					...filesOf(this, item),
					pairedItem: pairingOf(this, item),
				}));
			}
		};

		for (const lanes of batchesOf(this)) {
			// The first failure of any lane is the node's. The calls of the others have ended with it.
			for (const items of await Promise.all(lanes.map(run))) output.push(...items);
		}

		items.end(failed);
		return [output];
	}

	/** An execution that waits for documents is called. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resume(this);
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

/**
 * The items in order, in batches of lanes: several reads at once, one of anything else, or all items as one where the
 * operation takes them so.
 */
function batchesOf(context: IExecuteFunctions): number[][][] {
	const batches: number[][][] = [];
	const itemIndexes = [...context.getInputData().keys()];
	let wasRead = false;
	for (const itemIndex of itemIndexes) {
		const operation = operationIn(context, itemIndex);
		if (operation && 'executeAll' in operation) return [[itemIndexes]];
		const last = batches.at(-1);
		// An item whose operation cannot be told goes by itself, to fail as an item.
		const mayJoin = operation !== undefined && operation.once !== true;
		if (last && wasRead && mayJoin && last.length < READ_LANES) last.push([itemIndex]);
		else batches.push([[itemIndex]]);
		wasRead = mayJoin;
	}
	return batches;
}

function operationIn(context: IExecuteFunctions, itemIndex: number): Operation | undefined {
	try {
		return operationOf(context, itemIndex);
	} catch {
		return undefined;
	}
}
