import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { client, asThrown, readCallFailure, type FileVariant } from '../../client';
import { fileNameOf } from '../../service/names';
import { log } from '../identity';
import type { Delivered } from './acceptance';
import { hasRunBefore } from './runOnce';

/** What `webhook` gives: the payload as it was sent, and how it came; the latter is not put out. */
export type ReceivedItem = INodeExecutionData & { delivered?: Delivered };

const VARIANTS: readonly FileVariant[] = ['signed', 'certificate'];

/**
 * Attaches the files of a completed document to its item. What could not be had stands in
 * `download_errors`.
 */
async function withFiles(
	context: IExecuteFunctions,
	received: INodeExecutionData,
	variants: readonly FileVariant[],
): Promise<INodeExecutionData> {
	const id = (received.json.document as IDataObject | undefined)?.id;
	if (received.json.event !== 'document.completed' || typeof id !== 'string') return received;
	const item: INodeExecutionData = { ...received };
	const errors: Array<{
		variant: FileVariant;
		message: string;
		code?: string;
		http_status?: number;
	}> = [];
	for (const variant of variants) {
		try {
			const path = { id, variant };
			const { url } = await client.call(context, 'GET /documents/{id}/files/{variant}', { path });
			const { binary: data } = await client.download(context, url, fileNameOf(id, variant));
			item.binary = { ...item.binary, [variant]: data };
		} catch (error) {
			if (context.getExecutionCancelSignal()?.aborted) throw asThrown(error);
			const { message, code, status } = readCallFailure(error);
			errors.push({
				variant,
				message,
				...(code && { code }),
				...(status && { http_status: status }),
			});
		}
	}
	if (errors.length === 0) return item;
	const why = errors.map(({ variant, message }) => `${variant}: ${message}`).join('; ');
	log(context, 'warn', `event ${String(item.json.id)} runs without all of its files: ${why}`);
	return { ...item, json: { ...item.json, download_errors: errors } };
}

/**
 * The items that `webhook` gave, with the files of completed documents; none for an event that ran
 * before. This runs in the execution that was started, so it may wait for the rate limit. Without
 * `execute` n8n would, in a test run, call `trigger` and wait for it to emit
 * (WorkflowExecute.executeTriggerNode).
 */
export async function runEvents(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const selected = context.getNodeParameter('options.downloadFiles', 0, []) as unknown;
	const variants = Array.isArray(selected)
		? VARIANTS.filter((variant) => selected.includes(variant))
		: [];
	const items: INodeExecutionData[] = [];
	for (const { delivered, ...item } of context.getInputData() as ReceivedItem[]) {
		if (delivered && (await hasRunBefore(context, delivered))) sayItRan(context, delivered);
		else items.push(await withFiles(context, item, variants));
	}
	return items;
}

function sayItRan(context: IExecuteFunctions, { id }: Delivered): void {
	const message = `Event ${id} ran before. This execution ends here.`;
	context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
}
