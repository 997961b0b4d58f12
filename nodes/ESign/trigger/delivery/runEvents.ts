import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { FileVariant } from '../../client';
import { variantsIn, withFiles, type DownloadError } from '../../operation/completedFiles';
import { log } from '../identity';
import type { Delivered } from './acceptance';
import { hasRunBefore } from './runOnce';

/** What `webhook` gives: the payload as it was sent, and how it came; the latter is not put out. */
export type ReceivedItem = INodeExecutionData & { delivered?: Delivered };

/** The item of an event, with the files that are wanted of a completed document. */
async function withItsFiles(
	context: IExecuteFunctions,
	received: INodeExecutionData,
	variants: readonly FileVariant[],
): Promise<INodeExecutionData> {
	const id = (received.json.document as IDataObject | undefined)?.id;
	const isCompleted = received.json.event === 'document.completed';
	if (!isCompleted || typeof id !== 'string' || variants.length === 0) return received;

	const item = await withFiles(context, received, id, variants);
	const errors = item.json.download_errors as DownloadError[] | undefined;
	if (errors) {
		const why = errors.map(({ variant, message }) => `${variant}: ${message}`).join('; ');
		log(context, 'warn', `event ${String(item.json.id)} runs without all of its files: ${why}`);
	}
	return item;
}

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
		} else items.push(await withItsFiles(context, item, variants));
	}
	return items;
}
