import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { readCallFailure, type FileVariant, type WebhookPayload } from '../../client';
import { variantsIn, withFiles, type DownloadError } from '../../operation/completedFiles';
import { NodeMemory } from '../../sending/known/nodeMemory';
import { log, thisProcess } from '../triggerState';
import type { Delivered } from './acceptance';

/** What `webhook` gives: the payload as it was sent, and how it came; the latter is not put out. */
export type ReceivedItem = INodeExecutionData & { delivered?: Delivered };

/**
 * The items that `webhook` gave, with the files of completed documents; none for an event that ran
 * before. This runs in the execution that was started, so it may wait for the rate limit. Without
 * `execute` n8n would, in a test run, call `trigger` and wait for it to emit
 * (WorkflowExecute.executeTriggerNode).
 */
export async function runEvents(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const variants = variantsIn(context.getNodeParameter('options.downloadFiles', 0, []));
	const items: INodeExecutionData[] = [];
	for (const { delivered, ...item } of context.getInputData() as ReceivedItem[]) {
		if (delivered && (await hasRunBefore(context, delivered))) {
			const message = `Event ${delivered.id} ran before. This execution ends here.`;
			context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
			continue;
		}
		items.push(await withItsFiles(context, item, variants));
	}
	return items;
}

/** The item of an event, with the files that are wanted of a completed document. */
async function withItsFiles(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	variants: readonly FileVariant[],
): Promise<INodeExecutionData> {
	const { id, event, document } = item.json as Partial<WebhookPayload>;
	if (event !== 'document.completed' || !document) return item;

	const complete = await withFiles(context, item, document.id, variants);
	const errors = (complete.json.download_errors ?? []) as DownloadError[];
	const why = errors.map(({ variant, message }) => `${variant}: ${message}`).join('; ');
	if (why) log(context, 'warn', `event ${id} runs without all of its files: ${why}`);
	return complete;
}

/**
 * Three for each of the last five hundred events: the delivery log shows a hundred attempts. Every
 * event reads and writes them all.
 */
const MAX_FACTS = 1_500;

/**
 * Minutes around that of a signature: a delivery that was signed within four of them is a
 * repetition, one that was signed five minutes later a replay by hand.
 */
const NEAR_MINUTES = [-4, -3, -2, -1, 1, 2, 3, 4];

/**
 * Whether an execution repeats an event that has run: n8n's memory of the node knows, whatever
 * process the execution is on, also where an answer was lost and n8n restarted. What it says is
 * recorded for the next one. Without the memory the event runs, and a retry always does.
 */
export async function hasRunBefore(
	context: IExecuteFunctions,
	delivered: Delivered,
): Promise<boolean> {
	const mode = context.getMode();
	// A person may give the same event to a test again and again.
	if (mode !== 'webhook' && mode !== 'retry') return false;
	try {
		const isRepeated = await isInMemory(context, delivered);
		return isRepeated && mode !== 'retry';
	} catch (error) {
		const { message } = readCallFailure(error);
		log(context, 'warn', `whether event ${delivered.id} ran before is not known: ${message}`);
		return false;
	}
}

async function isInMemory(
	context: IExecuteFunctions,
	{ id, signedAt, isFromLog }: Delivered,
): Promise<boolean> {
	const memory = new NodeMemory(context, MAX_FACTS);
	const minute = Math.floor(signedAt / 60);
	const signedIn = (at: number) => `${id} signed in minute ${at}`;
	// n8n may start the same execution again.
	const execution = `${id} in execution ${context.getExecutionId()}`;
	const facts = [id, execution, signedIn(minute)];

	// Another process may have been given it at the same moment.
	const isGivenHere = thisProcess.wasGiven(context, id);
	const known = await (isGivenHere ? memory.record(...facts) : memory.recordSafely(...facts));
	const [hasRun, isSameExecution, isSignedThen] = known;
	if (!hasRun || isSameExecution) return false;

	// What is in the log may be replayed by the trigger itself right after that.
	if (isFromLog) return true;
	if (context.getNodeParameter('options.deduplicate', 0, true) === false) return false;
	const near = NEAR_MINUTES.map((distance) => signedIn(minute + distance));
	const isRepetition = isSignedThen || (await memory.has(...near)).includes(true);
	// Or each repetition would put off the time at which a replay by hand runs.
	if (isRepetition) await memory.forget(...facts.filter((_, index) => !known[index]));
	return isRepetition;
}
