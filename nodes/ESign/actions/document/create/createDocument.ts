import { createHash } from 'crypto';
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { asThrown, isGone, type Document } from '../../../client';
import type { Item } from '../../../operation';
import type { Confirm, Creation } from '../../../sending/creation';
import { fieldInputs, planByDraft, type PlanBefore } from '../fields/plan';
import type { NamedRecipient } from '../fields/recipients';
import { withUploads, type DocumentFiles } from './files';

export interface DocumentPlan extends PlanBefore {
	files: DocumentFiles;
	/** Title, routing and recipients, as POST /documents takes them. */
	document: IDataObject;
	/** Whether they have their places. If only a draft tells those, they say who fills which. */
	isPlaced: boolean;
}

/**
 * The document in its last state, with the ids of its files and its fields as far as they were
 * placed.
 */
export type CreatedDocument = Document & { file_ids: string[]; fields?: IDataObject[] };

/**
 * The steps to a document, in as few requests as the service allows. Fields that name a recipient
 * need an id that exists only once the draft does, so they take a PUT of their own, and sending
 * comes after it. If a step after the draft fails, the error names the draft and the step.
 */
export function stepsToDocument(
	item: Item,
	plan: DocumentPlan,
): Pick<Creation, 'asked' | 'contract' | 'draft' | 'then'> {
	const isAssigned = plan.fields.some(({ recipient }) => recipient !== undefined);
	const isPlacedLater = isAssigned || !plan.isPlaced;
	return {
		asked: [contentsOf(plan.files), plan.document, plan.request],
		contract: [plan.document, plan.request],

		draft: async (confirm) => {
			const isComplete = plan.fields.length > 0 && !isPlacedLater;
			const fields = isComplete ? fieldInputs(plan.fields) : undefined;
			return await withUploads(item, plan.files, async (files) => {
				const request = { body: { files, ...plan.document, fields }, confirm };
				const document = await item.call('POST /documents', request);
				return { ...document, file_ids: files };
			});
		},

		then: {
			prepare: async (draft: CreatedDocument, isOwn) => {
				if (!isPlacedLater || draft.fields) return draft;
				const path = { id: draft.id };
				const ids = recipientIds(item, draft, plan.recipients);
				const placed = await step(item, draft, 'placing its fields', async () => {
					const planned = plan.isPlaced ? plan.fields : await planByDraft(item, draft.id, plan);
					const body = { fields: fieldInputs(planned, ids) };
					const request = { path, body, isOfOwnDraft: isOwn };
					return await item.call('PUT /documents/{id}/fields', request);
				});
				return { ...draft, fields: placed.fields };
			},

			dispatch: async (draft, confirm) => await dispatch(item, draft, confirm),
		},
	};
}

/** POST /documents/{id}/send, as the last step. */
export async function dispatch(item: Item, draft: Document, confirm: Confirm): Promise<Document> {
	return await step(item, draft, 'sending it', async () => {
		const request = { path: { id: draft.id }, confirm };
		const document = await item.call('POST /documents/{id}/send', request);
		if (document.status !== 'draft') return document;
		throw item.error('The service says that it is still a draft');
	});
}

/**
 * What the files hold, whatever the ids of their uploads: the same bytes are other files in another
 * execution.
 */
function contentsOf(files: DocumentFiles): unknown[] {
	if ('fileIds' in files) return files.fileIds;
	return files.binary.map(({ name, bytes }) => {
		return [name, createHash('sha256').update(bytes).digest('hex')];
	});
}

/** The ids of the recipients in the order of the plan, by email, which no two of them share. */
function recipientIds(
	item: Item,
	draft: Document,
	recipients: readonly NamedRecipient[],
): string[] {
	return recipients.map(({ email }) => {
		const isSame = (one: { email: string }) => one.email.toLowerCase() === email.toLowerCase();
		const found = draft.recipients.find(isSame);
		if (found) return found.id;
		throw item.error(`The service returned the draft without the recipient ${email}`);
	});
}

/** Runs a step after the draft exists; a failure names the draft's id and the step. */
async function step<Result>(
	item: Item,
	{ id }: Document,
	name: string,
	run: () => Promise<Result>,
): Promise<Result> {
	try {
		return await run();
	} catch (error) {
		const failure = asThrown(error);
		failure.message = `The draft ${id} was created, but ${name} failed: ${failure.message}`;
		if (failure instanceof NodeApiError || failure instanceof NodeOperationError) {
			failure.description = [failure.description, remedyFor(item, failure)]
				.filter(Boolean)
				.join(' ');
			failure.context.documentId = id;
		}
		// n8n saves a cancelled execution at the moment of the cancellation, before this error: only
		// the log keeps it.
		if (item.context.getExecutionCancelSignal()?.aborted)
			item.context.logger.warn(`eSign: ${failure.message}`);
		throw failure;
	}
}

function remedyFor(item: Item, failure: NodeApiError | NodeOperationError): string {
	const { context } = failure;
	if (isGone(failure)) return 'Somebody has deleted the draft. The next try creates another.';
	const details = Array.isArray(context.details) ? (context.details as IDataObject[]) : [];
	if (details.some(({ field }) => /^files\b/.test(String(field))))
		return 'No fields can be placed on this draft, and it can never be sent. Create another with a file that opens in a PDF reader or in Word.';
	// n8n offers no retry of an execution that has continued.
	const retried = item.context.continueOnFail() ? '' : ', and a retry continues with it';
	return `The draft is kept${retried}. To continue by hand, use Update Fields and Send instead of creating another draft.`;
}
