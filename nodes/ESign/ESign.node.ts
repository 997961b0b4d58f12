import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type NodeOperationError,
} from 'n8n-workflow';
import { findOperation, nodeProperties, resources } from './actions';
import { announceLongRun, failedItem, nodeError, isOnce, Item, type Operation } from './operation';
import { methods } from './methods';
import { expireLookUps } from './methods/lookUp';
import { Items } from './sending/items';
import { isInDoubt } from './sending/known/kept';
import { runOf } from './client';
import { resumeIfEnded, waitingWebhooks } from './waiting/resume';

/**
 * Named, because n8n's two lint plugins want it written in place in ways that exclude each other.
 */
const main = [NodeConnectionTypes.Main];

/**
 * So many items are read at once, and embed links made: what the service lets through in a minute.
 * Everything else goes one by one.
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
		const names = namesIn(this);
		const operation = findOperation(...names);
		const run = new Items(this);
		let failed = false;

		const outputOf = async (items: Together): Promise<INodeExecutionData[]> => {
			const [item] = items;
			try {
				if (!operation) throw noOperation(item, names);
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

		for (const lanes of batchesOf(this, operation)) {
			// The first failure of any lane is the node's. The calls of the others have ended with it.
			for (const items of await Promise.all(lanes.map(outputOf))) output.push(...items);
		}

		run.end(failed);
		return [output];
	}

	/** An execution that waits for documents is called. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resumeIfEnded(this);
	}
}

/**
 * Resource and operation, the same for all items: n8n evaluates no expression in these two, but for
 * `$fromAI` alone, which a model has filled in for its call (n8n-workflow, node-helpers.js).
 */
function namesIn(context: IExecuteFunctions): [resource: string, operation: string] {
	const resource = String(context.getNodeParameter('resource', 0, ''));
	// n8n has no Operation parameter for an unknown resource.
	return [resource, String(context.getNodeParameter('operation', 0, ''))];
}

function noOperation(
	item: Item,
	[resource, operation]: ReturnType<typeof namesIn>,
): NodeOperationError {
	const isKnown = resources.some(({ option }) => option.value === resource);
	return item.error(
		isKnown ? `${resource} has no operation ${operation}` : `There is no resource ${resource}`,
		'Choose Resource and Operation from their lists. n8n evaluates no expression there.',
	);
}

/**
 * The items in order, in batches of lanes: several reads at once, one of anything else, or all
 * items as one where the operation takes them so.
 */
function batchesOf(context: IExecuteFunctions, operation: Operation | undefined): Together[][] {
	const together = context.getInputData().map((_, index): Together => [new Item(context, index)]);
	const [first, ...others] = together.flat();
	if (first && operation && 'executeAll' in operation) return [[[first, ...others]]];

	const lanes = operation && !isOnce(operation) ? READ_LANES : 1;
	const batches: Together[][] = [];
	while (together.length > 0) batches.push(together.splice(0, lanes));
	return batches;
}
