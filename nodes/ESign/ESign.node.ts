import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { findOperation, nodeProperties, resources } from './actions';
import { announceLongRun } from './operation/hints';
import { failedItem, nodeError } from './operation/itemError';
import { isOnce, type Operation } from './operation/operation';
import { methods } from './methods';
import { expireLookUps } from './methods/lookUp';
import { Item } from './operation/parameters';
import { Items } from './sending/items';
import { isInDoubt } from './sending/known/kept';
import { runOf } from './client';
import { resume, waitingWebhooks } from './waiting/resume';

/**
 * Named, because n8n's two lint plugins want it written in place in ways that exclude each other.
 */
const main = [NodeConnectionTypes.Main];

/**
 * So many items are read at once: what the service lets through in a minute. Anything with an
 * effect goes one by one.
 */
const READ_LANES = 10;

/** Items that an operation takes as one: a single one, or all of them. */
type Together = readonly [Item, ...Item[]];

/** Sends documents for signature, follows them and fetches the signed files. */
export class ESign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'eSign',
		name: 'eSign',
		icon: { light: 'file:esign.svg', dark: 'file:esign.dark.svg' },
		group: ['output'],
		// Not 1, as in ESignTrigger.node.ts: n8n would evaluate `options.binaryData` at each call of a
		// waiting execution, which costs time, and fails in workflows of Execution Logic v2.
		version: 1.1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Send documents for signature; start workflows when they are viewed, signed, completed or declined',
		defaults: { name: 'eSign' },
		usableAsTool: true,
		inputs: main,
		outputs: main,
		credentials: [{ name: 'eSignApi', required: true }],
		webhooks: waitingWebhooks,
		waitingNodeTooltip:
			'Continues when the documents are completed, declined, cancelled or expired',
		properties: nodeProperties(),
	};

	methods = methods;

	/**
	 * The only loop over items: pairing, Continue On Fail and what is done already are dealt with
	 * here.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		const run = new Items(this);
		let failed = false;

		const outputOf = async (items: Together): Promise<INodeExecutionData[]> => {
			const [item] = items;
			try {
				const operation = operationOf(item);
				const made = await run.run(operation, items).finally(async () => {
					if (isOnce(operation)) await expireLookUps(this);
				});
				await announceLongRun(item);
				return made.flatMap((ofItem, index) =>
					ofItem.map((one) => ({ ...one, pairedItem: { item: index + item.index } })),
				);
			} catch (error) {
				const failure = nodeError(item, error);
				if (!this.continueOnFail()) {
					runOf(this).abort();
					failure.description = [failure.description, run.progress()].filter(Boolean).join('\n');
					throw failure;
				}
				failed = true;
				return items.map((one) => ({
					...failedItem(one, failure, isInDoubt(one)),
					pairedItem: { item: one.index },
				}));
			}
		};

		for (const lanes of batchesOf(this)) {
			// The first failure of any lane is the node's. The calls of the others have ended with it.
			for (const items of await Promise.all(lanes.map(outputOf))) output.push(...items);
		}

		run.end(failed);
		return [output];
	}

	/** An execution that waits for documents is called. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resume(this);
	}
}

/** @throws NodeOperationError if the parameters of the item name no operation */
function operationOf(item: Item): Operation {
	const { context, index } = item;
	const resource = String(context.getNodeParameter('resource', index));
	const isKnown = resources.some(({ option }) => option.value === resource);
	// n8n has no Operation parameter for an unknown resource.
	const name = isKnown ? String(context.getNodeParameter('operation', index)) : '';
	const operation = findOperation(resource, name);
	if (operation) return operation;
	throw item.error(
		isKnown ? `${resource} has no operation ${name}` : `There is no resource ${resource}`,
		'Choose Resource and Operation from their lists. n8n evaluates no expression there.',
	);
}

/**
 * The items in order, in batches of lanes: several reads at once, one of anything else, or all
 * items as one where the operation takes them so.
 */
function batchesOf(context: IExecuteFunctions): Together[][] {
	const batches: Together[][] = [];
	const items = context.getInputData().map((_, index) => new Item(context, index));
	let wasRead = false;
	for (const item of items) {
		const operation = operationIn(item);
		if (operation && 'executeAll' in operation) return [[items as [Item, ...Item[]]]];
		const last = batches.at(-1);
		// An item whose operation cannot be told goes by itself, to fail as an item.
		const mayJoin = operation !== undefined && !isOnce(operation);
		if (last && wasRead && mayJoin && last.length < READ_LANES) last.push([item]);
		else batches.push([[item]]);
		wasRead = mayJoin;
	}
	return batches;
}

function operationIn(item: Item): Operation | undefined {
	try {
		return operationOf(item);
	} catch {
		return undefined;
	}
}
