import {
	NodeApiError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
} from 'n8n-workflow';
import type { Document } from '../client';
import { withFiles } from '../operation/completedFiles';
import type { Found } from './readDocuments';
import type { SavedWait } from './savedWait';

/**
 * The item of each document waited for, in order: as Get puts it out, with the files that are
 * wanted of a completed one.
 */
export async function endedItems(
	context: IExecuteFunctions | IWebhookFunctions,
	{ documents, files }: Pick<SavedWait, 'documents' | 'files'>,
	found: Found,
): Promise<INodeExecutionData[]> {
	const items = new Map<string, INodeExecutionData>();
	for (const [id, one] of found) {
		const item = itemOf(id, one);
		const isCompleted = item.json.status === 'completed';
		items.set(id, isCompleted ? await withFiles(context, item, id, files) : item);
	}
	return documents.flatMap((id) => items.get(id) ?? []);
}

/** A document that was there when the wait began may have been removed since. */
function itemOf(id: string, one: Document | NodeApiError): INodeExecutionData {
	if (one instanceof NodeApiError) return { json: { id, error: one.message } };
	return { json: { ...one } };
}
