import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Document } from '../../../client';
import type { Item } from '../../../operation';
import { step } from '../../../sending/finish';
import type { Creation } from '../../../sending/wanted';
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
): Pick<Creation, 'asked' | 'draft' | 'prepare'> {
	const isAssigned = plan.fields.some(({ recipient }) => recipient !== undefined);
	const isPlacedLater = isAssigned || !plan.isPlaced;
	return {
		asked: [contentsOf(plan.files), plan.document, plan.request],

		draft: async () => {
			const isComplete = plan.fields.length > 0 && !isPlacedLater;
			const fields = isComplete ? fieldInputs(plan.fields) : undefined;
			return await withUploads(item, plan.files, async (files) => {
				const request = { body: { files, ...plan.document, fields } };
				const document = await item.call('POST /documents', request);
				return { ...document, file_ids: files };
			});
		},

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
	};
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
	const idByEmail = new Map(draft.recipients.map(({ email, id }) => [email.toLowerCase(), id]));
	return recipients.map(({ email }) => {
		const id = idByEmail.get(email.toLowerCase());
		if (id !== undefined) return id;
		throw item.error(`The service returned the draft without the recipient ${email}`);
	});
}
