import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { client, asThrown, readCallFailure, type FileVariant } from '../../client';
import { logFieldsOf } from '../identity';
import { fileNameOf } from '../../service/fileNames';

/** Why a file is not attached, as the item carries it. A type alias, so that it fits n8n's item JSON. */
type DownloadError = { variant: FileVariant; message: string; code?: string; http_status?: number };

const VARIANTS: readonly FileVariant[] = ['signed', 'certificate'];

/** Fetches one file and attaches it to the item. @returns why it could not be had */
async function attach(
	context: IExecuteFunctions,
	item: INodeExecutionData,
	documentId: string,
	variant: FileVariant,
): Promise<DownloadError | undefined> {
	try {
		const path = { id: documentId, variant };
		const { url } = await client.call(context, 'GET /documents/{id}/files/{variant}', { path });
		const { binary: data } = await client.download(context, url, fileNameOf(documentId, variant));
		item.binary = { ...item.binary, [variant]: data };
		return undefined;
	} catch (error) {
		if (context.getExecutionCancelSignal()?.aborted) throw asThrown(error);
		const { message, code, status } = readCallFailure(error);
		return { variant, message, ...(code && { code }), ...(status && { http_status: status }) };
	}
}

async function withFiles(
	context: IExecuteFunctions,
	received: INodeExecutionData,
	variants: readonly FileVariant[],
): Promise<INodeExecutionData> {
	const documentId = (received.json.document as IDataObject | undefined)?.id;
	if (received.json.event !== 'document.completed' || typeof documentId !== 'string') return received;
	const item: INodeExecutionData = { ...received };
	const errors: DownloadError[] = [];
	for (const variant of variants) {
		const error = await attach(context, item, documentId, variant);
		if (error) errors.push(error);
	}
	if (errors.length > 0) {
		const why = errors.map(({ variant, message }) => `${variant}: ${message}`).join('; ');
		context.logger.warn(
			`eSign: event ${String(item.json.id)} goes on without all of its files: ${why}`,
			logFieldsOf(context),
		);
		item.json = { ...item.json, download_errors: errors };
	}
	return item;
}

/**
 * The items that `webhook` gave, with the files of completed documents. This runs in the execution that was started, so it
 * may wait for the rate limit, and a file that cannot be had is named in `download_errors` and loses nothing else.
 *
 * Without `execute` n8n would, in a test run, call `trigger` and wait for it to emit (WorkflowExecute.executeTriggerNode).
 */
export async function attachFiles(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const selected = context.getNodeParameter('options.downloadFiles', 0, []) as unknown;
	const variants = Array.isArray(selected) ? VARIANTS.filter((variant) => selected.includes(variant)) : [];
	const items: INodeExecutionData[] = [];
	for (const item of context.getInputData()) {
		items.push(variants.length > 0 ? await withFiles(context, item, variants) : item);
	}
	return items;
}
