import { createHash } from 'crypto';
import { NodeApiError, NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { withUploads, type DocumentFiles } from './files';
import { fieldInputs, type PlannedField } from './fields/recipients';
import {
	apiRequest,
	fingerprint,
	hasDraft,
	withDraft,
	type Document,
	type PlacedField,
	type RecipientInput,
} from '../../client';

/** Everything needed to make one document, checked. */
export interface DocumentPlan {
	files: DocumentFiles;
	/** Title, routing and recipients, as POST /documents takes them. */
	document: IDataObject;
	recipients: readonly RecipientInput[];
	fields: readonly PlannedField[];
	send: boolean;
}

/** The document in its last state, with the ids of its files and its fields as far as they were placed. */
export type CreatedDocument = Document & { file_ids: string[]; fields?: PlacedField[] };

/** The document on its way, as later tries go on with it. */
type Draft = {
	id: string;
	document: CreatedDocument;
	/** The e-mail addresses as they were asked for, in order: an expression may give others at each try. */
	emails: string[];
	/** The fields as they were asked for. */
	planned?: string;
	/** It was sent, or may have been. */
	isSent?: true;
};

/**
 * Makes a document in as few requests as the service allows. Fields that name a recipient need an id that exists only
 * once the draft does, so they take a PUT of their own, and sending comes after it. If a step after the draft fails, the
 * error names the draft and the step, and another try goes on from the draft.
 */
export async function createDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	plan: DocumentPlan,
): Promise<CreatedDocument | Document> {
	return await withDraft<Draft, CreatedDocument>(context, itemIndex, askedBy(plan), async ({ begun, keep, sends }) => {
		const draft = begun ?? (await createDraft(context, itemIndex, plan));
		if (isWhole(plan)) return draft.document;
		keep(draft);
		const path = { id: draft.id };
		const planned = fingerprint([plan.fields]);
		if (isAssigned(plan) && draft.planned !== planned && !draft.isSent) {
			const fields = fieldInputs(plan.fields, recipientIds(context, itemIndex, draft));
			const placed = await step(context, draft, 'placing its fields', begun !== undefined, itemIndex, async () => {
				return await apiRequest(context, 'PUT /documents/{id}/fields', { path, body: { fields }, itemIndex });
			});
			if ('status' in placed) return { ...draft.document, ...placed };
			Object.assign(draft.document, { fields: placed.fields });
			keep(Object.assign(draft, { planned }));
		}
		if (!plan.send) return draft.document;
		sends();
		keep(Object.assign(draft, { isSent: true }));
		const sent = await step(context, draft, 'sending it', begun !== undefined, itemIndex, async () => {
			const document = await apiRequest(context, 'POST /documents/{id}/send', { path, itemIndex });
			if (document.status !== 'draft') return document;
			throw new NodeOperationError(context.getNode(), 'The service says that it is still a draft', { itemIndex });
		});
		return { ...draft.document, ...sent };
	});
}

/** Whether a draft for this waits to be gone on with. */
export async function isBegun(context: IExecuteFunctions, itemIndex: number, plan: DocumentPlan): Promise<boolean> {
	return await hasDraft(context, itemIndex, askedBy(plan));
}

/** What is asked for, whatever the ids of its uploads: the same bytes are other files in another execution. */
function askedBy({ files, document, fields, send }: DocumentPlan): { draft: unknown; whole: unknown } {
	const contents =
		'binary' in files
			? files.binary.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')])
			: files.fileIds;
	return { draft: [contents, document], whole: [fields, send] };
}

function isAssigned({ fields }: DocumentPlan): boolean {
	return fields.some(({ recipient }) => recipient !== undefined);
}

/** POST /documents does it all. */
function isWhole(plan: DocumentPlan): boolean {
	return !plan.send && !isAssigned(plan);
}

/** POST /documents makes a draft, never more: sending takes the id of what is known to be there. */
async function createDraft(context: IExecuteFunctions, itemIndex: number, plan: DocumentPlan): Promise<Draft> {
	const body: IDataObject = { ...plan.document };
	if (!isAssigned(plan) && plan.fields.length > 0) body.fields = fieldInputs(plan.fields, []);
	const document = await withUploads(context, itemIndex, plan.files, async (files) => ({
		...(await apiRequest(context, 'POST /documents', { body: { files, ...body }, itemIndex })),
		file_ids: files,
	}));
	return { id: document.id, document, emails: plan.recipients.map(({ email }) => email) };
}

/** The ids of the recipients in the order of the plan, found by email, which no two of them share. */
function recipientIds(context: IExecuteFunctions, itemIndex: number, { document, emails }: Draft): string[] {
	const idByEmail = new Map(document.recipients.map(({ email, id }) => [email.toLowerCase(), id]));
	return emails.map((email) => {
		const id = idByEmail.get(email.toLowerCase());
		if (id !== undefined) return id;
		throw new NodeOperationError(context.getNode(), `The service returned the draft without the recipient ${email}`, {
			itemIndex,
		});
	});
}

/**
 * Runs a step after the draft exists; a failure is told with the draft's id and the step. With a draft of an earlier try a person
 * may have gone on since, as the error says: then the document comes out as it is.
 */
async function step<Result>(
	context: IExecuteFunctions,
	{ id }: Draft,
	name: string,
	isBegun: boolean,
	itemIndex: number,
	run: () => Promise<Result>,
): Promise<Result | Document> {
	try {
		return await run();
	} catch (error) {
		if (isBegun && error instanceof NodeApiError && error.httpCode === '409') {
			const document = await apiRequest(context, 'GET /documents/{id}', { path: { id }, itemIndex });
			if (document.status !== 'draft') return document;
		}
		const failure =
			error instanceof NodeApiError || error instanceof NodeOperationError
				? error
				: new NodeOperationError(context.getNode(), error as Error);
		failure.message = `The draft ${id} was created, but ${name} failed: ${failure.message}`;
		const remedy =
			'The draft is kept, and a retry continues with it. To continue by hand, use Update Fields and Send instead of creating another draft.';
		failure.description = [failure.description, remedy].filter(Boolean).join(' ');
		Object.assign(failure.context, { documentId: id });
		// n8n saves a cancelled execution at the moment of the cancellation, before this error: only the log keeps it.
		if (context.getExecutionCancelSignal()?.aborted) context.logger.warn(`eSign: ${failure.message}`);
		throw failure;
	}
}
