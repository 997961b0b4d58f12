import { createHash } from 'crypto';
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import {
	alreadySent,
	asThrown,
	client,
	fingerprint,
	leavesOpen,
	type Document,
	type KeptDraft,
	type PlacedField,
	type RecipientInput,
} from '../../../client';
import type { Item } from '../../../operation/parameters';
import { fieldInputs, type PlannedField } from '../fields/plan';
import { withUploads, type DocumentFiles } from './files';

export interface DocumentPlan {
	files: DocumentFiles;
	/** Title, routing and recipients, as POST /documents takes them. */
	document: IDataObject;
	recipients: readonly RecipientInput[];
	fields: readonly PlannedField[];
	send: boolean;
}

/**
 * The document in its last state, with the ids of its files and its fields as far as they were
 * placed.
 */
export type CreatedDocument = Document & { file_ids: string[]; fields?: PlacedField[] };

/** What `askedBy` gives: it reads every byte of the files, so it is asked once. */
type Asked = ReturnType<typeof askedBy>;

/** The document on its way, as later tries go on with it. */
type Draft = {
	id: string;
	document: CreatedDocument;
	/**
	 * The email addresses as they were asked for, in order: an expression may give others at each
	 * try.
	 */
	emails: string[];
	/** The fields as they were asked for last, and as the draft is known to have them. */
	wanted: string;
	placed?: string;
	/** It was sent, or may have been. */
	isSent?: boolean;
};

/**
 * Makes a document in as few requests as the service allows. Fields that name a recipient need an
 * id that exists only once the draft does, so they take a PUT of their own, and sending comes after
 * it. If a step after the draft fails, the error names the draft and the step, and another try goes
 * on from the draft.
 */
export async function createDocument(
	item: Item,
	plan: DocumentPlan,
	asked: Asked,
): Promise<CreatedDocument> {
	const work = async ({ begun, keep }: KeptDraft<Draft>) => {
		const draft = begun ?? (await createDraft(item, plan));
		keep(draft);
		const path = { id: draft.id };
		const isBegun = begun !== undefined;
		const wanted = fingerprint([plan.fields]);
		if (!draft.isSent && draft.placed !== wanted) {
			// Until that is answered nobody knows which fields the draft has.
			keep({ ...draft, placed: undefined });
			const fields = fieldInputs(plan.fields, recipientIds(item, draft));
			const placed = await step(item, draft, 'placing its fields', isBegun, async () => {
				return await item.call('PUT /documents/{id}/fields', { path, body: { fields } });
			});
			if ('status' in placed) {
				// Another worker has sent it, with the fields as they were.
				if (draft.wanted !== wanted) throw alreadySent(item.context, draft.id, item.index);
				return { ...draft.document, ...placed };
			}
			draft.document.fields = placed.fields;
			Object.assign(draft, { wanted, placed: wanted });
		}
		if (!plan.send) return draft.document;
		keep({ ...draft, isSent: true });
		const sent = await step(item, draft, 'sending it', isBegun, async () => {
			// Whether a draft that was begun is out already is found out by the step.
			const call = item.call('POST /documents/{id}/send', { path, mayBeDone: false });
			const document = await call.catch((error: unknown) => {
				// It is no more than a draft: its fields may be corrected.
				if (!leavesOpen(error)) keep({ ...draft, isSent: false });
				throw asThrown(error);
			});
			if (document.status !== 'draft') return document;
			throw item.error('The service says that it is still a draft');
		});
		return { ...draft.document, ...sent };
	};
	return await client.withDraft<Draft, CreatedDocument>(item.context, item.index, asked, work);
}

/** The drafts for this that wait to be gone on with. */
export async function begunBy(item: Item, asked: Asked) {
	return await client.begunBy(item.context, 'POST /documents', { itemIndex: item.index }, asked);
}

/**
 * What is asked for, whatever the ids of its uploads: the same bytes are other files in another
 * execution.
 */
export function askedBy({ files, document, fields, send }: DocumentPlan) {
	const contents =
		'binary' in files
			? files.binary.map(({ name, bytes }) => [
					name,
					createHash('sha256').update(bytes).digest('hex'),
				])
			: files.fileIds;
	return { draft: [contents, document], whole: [fields, send] };
}

/** POST /documents makes a draft, never more: sending takes the id of what is known to be there. */
async function createDraft(item: Item, plan: DocumentPlan): Promise<Draft> {
	const body: IDataObject = { ...plan.document };
	const isAssigned = plan.fields.some(({ recipient }) => recipient !== undefined);
	if (plan.fields.length > 0 && !isAssigned) body.fields = fieldInputs(plan.fields);
	const document = await withUploads(item, plan.files, async (files) => ({
		...(await item.call('POST /documents', { body: { files, ...body } })),
		file_ids: files,
	}));
	const wanted = fingerprint([plan.fields]);
	const emails = plan.recipients.map(({ email }) => email);
	return { id: document.id, document, emails, wanted, placed: isAssigned ? undefined : wanted };
}

/**
 * The ids of the recipients in the order of the plan, found by email, which no two of them share.
 */
function recipientIds(item: Item, { document, emails }: Draft): string[] {
	const idByEmail = new Map(document.recipients.map(({ email, id }) => [email.toLowerCase(), id]));
	return emails.map((email) => {
		const id = idByEmail.get(email.toLowerCase());
		if (id !== undefined) return id;
		throw item.error(`The service returned the draft without the recipient ${email}`);
	});
}

/**
 * Runs a step after the draft exists; a failure is told with the draft's id and the step. With a
 * draft of an earlier try a person may have gone on since, as the error says: then the document
 * comes out as it is.
 */
async function step<Result>(
	item: Item,
	{ id }: Draft,
	name: string,
	isBegun: boolean,
	run: () => Promise<Result>,
): Promise<Result | Document> {
	try {
		return await run();
	} catch (error) {
		if (isBegun && error instanceof NodeApiError && error.httpCode === '409') {
			const document = await item.call('GET /documents/{id}', { path: { id } });
			if (document.status !== 'draft') return document;
		}
		const failure = asThrown(error);
		failure.message = `The draft ${id} was created, but ${name} failed: ${failure.message}`;
		if (failure instanceof NodeApiError || failure instanceof NodeOperationError) {
			const remedy =
				'The draft is kept, and a retry continues with it. To continue by hand, use Update Fields and Send instead of creating another draft.';
			failure.description = [failure.description, remedy].filter(Boolean).join(' ');
			failure.context.documentId = id;
		}
		// n8n saves a cancelled execution at the moment of the cancellation, before this error: only
		// the log keeps it.
		if (item.context.getExecutionCancelSignal()?.aborted)
			item.context.logger.warn(`eSign: ${failure.message}`);
		throw failure;
	}
}
