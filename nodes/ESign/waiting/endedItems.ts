import {
	NodeApiError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { withFiles } from '../operation/completedFiles';
import type { Found } from './readDocuments';
import type { SavedWait } from './savedWait';

/**
 * The item of each document waited for, in order: as Get puts it out, with the files that are
 * wanted of a completed one.
 */
export async function endedItems(
	context: IExecuteFunctions | IWebhookFunctions,
	{ documents, files }: SavedWait,
	found: Found,
): Promise<INodeExecutionData[]> {
	const items = new Map<string, INodeExecutionData>();
	for (const [id, one] of found) {
		// A document that was there when the wait began may have been removed since.
		const isThere = !(one instanceof NodeApiError);
		// Others share what was read, and a workflow may change what an item holds.
		const item = { json: isThere ? structuredClone(one) : { id, error: one.message } };
		const isCompleted = isThere && one.status === 'completed';
		items.set(id, isCompleted ? await withFiles(context, item, id, files) : item);
	}
	return documents.flatMap((id) => items.get(id) ?? []);
}
