import { NodeApiError, NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { withUploads, type DocumentFiles } from './files';
import { fieldInputs, type PlannedField } from './fields/recipients';
import { isStepDone, noteMade, onceInItem, perhapsDone } from '../once/steps';
import { apiRequest, asThrown, isInDoubt, type Document, type PlacedField, type RecipientInput } from '../../transport';

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

/**
 * Makes a document in as few requests as the service allows. Fields that name a recipient need an id that exists only
 * once the draft does, so they take a PUT of their own, and sending comes after it. If a step after the draft fails, the
 * error names the draft and the step, and n8n's own retries go on from the draft.
 *
 * @param sends is told of the draft before it is sent
 */
export async function createDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	plan: DocumentPlan,
	sends: (draft: Document) => void,
): Promise<CreatedDocument> {
	const assigned = plan.fields.some(({ recipient }) => recipient !== undefined);
	const isBegun = await hasDraft(context, itemIndex);
	const draft = await createDraft(context, itemIndex, plan, assigned);
	if (!assigned) return draft;

	const path = { id: draft.id };
	const placed = await step(context, draft, 'placing its fields', async () => {
		const body = { fields: fieldInputs(plan.fields, recipientIds(context, itemIndex, draft, plan.recipients)) };
		// Once: a later try may meet a document that was sent meanwhile, by a request whose answer was lost.
		return await unlessSent(context, itemIndex, draft, isBegun, async () => {
			return await onceInItem(context, itemIndex, FIELDS, async () => {
				return await apiRequest(context, 'PUT /documents/{id}/fields', { path, body, itemIndex });
			});
		});
	});
	if (!('fields' in placed)) return { ...draft, ...placed };
	const { fields } = placed;
	if (!plan.send) return { ...draft, fields };
	sends(draft);
	const sent = await step(context, draft, 'sending it', async () => {
		const made = `The document ${draft.id} was created, and may have been sent.`;
		return await unlessSent(context, itemIndex, draft, isBegun, async () => {
			return await perhapsDone(context, itemIndex, SEND, made, async (mayBeDone) => {
				return await apiRequest(context, 'POST /documents/{id}/send', { path, itemIndex, mayBeDone });
			});
		});
	});
	return { ...draft, ...sent, fields };
}

/**
 * A step with a draft that an earlier try has made. A person may have gone on with it since, as the error says: then the
 * document comes out as it is.
 */
async function unlessSent<Result>(
	context: IExecuteFunctions,
	itemIndex: number,
	{ id }: Document,
	isBegun: boolean,
	run: () => Promise<Result>,
): Promise<Result | Document> {
	try {
		return await run();
	} catch (error) {
		if (!isBegun || !(error instanceof NodeApiError) || error.httpCode !== '409') throw asThrown(error);
		const document = await apiRequest(context, 'GET /documents/{id}', { path: { id }, itemIndex });
		if (document.status === 'draft') throw asThrown(error);
		return document;
	}
}

/** The steps as a later try remembers them. */
const DRAFT = ['create'];
const FIELDS = ['fields'];
const SEND = ['send'];

/** Whether an earlier try of the item has made the draft, or may have. */
export async function hasDraft(context: IExecuteFunctions, itemIndex: number): Promise<boolean> {
	return isStepDone(context, itemIndex, DRAFT) || (await isInDoubt(context, 'POST /documents', { itemIndex }));
}

/** POST /documents, once per item whatever happens later. Without assigned fields it does everything in one request. */
async function createDraft(
	context: IExecuteFunctions,
	itemIndex: number,
	plan: DocumentPlan,
	assigned: boolean,
): Promise<CreatedDocument> {
	const body: IDataObject = { ...plan.document };
	if (!assigned && plan.fields.length > 0) body.fields = fieldInputs(plan.fields, []);
	if (!assigned && plan.send) body.send = true;
	// Whatever the body says: an expression such as $now says something else at every try.
	return await onceInItem(context, itemIndex, DRAFT, async () => {
		const document = await withUploads(context, itemIndex, plan.files, async (files) => ({
			...(await apiRequest(context, 'POST /documents', { body: { files, ...body }, itemIndex })),
			file_ids: files,
		}));
		noteMade(context, itemIndex, `The draft ${document.id} was created.`);
		return document;
	});
}

/** The ids of the recipients in the order of the plan, found by email, which no two of them share. */
function recipientIds(
	context: IExecuteFunctions,
	itemIndex: number,
	draft: Document,
	recipients: readonly RecipientInput[],
): string[] {
	const idByEmail = new Map(draft.recipients.map(({ email, id }) => [email.toLowerCase(), id]));
	return recipients.map(({ email }) => {
		const id = idByEmail.get(email.toLowerCase());
		if (id !== undefined) return id;
		throw new NodeOperationError(context.getNode(), `The service returned the draft without the recipient ${email}`, {
			itemIndex,
		});
	});
}

/** Runs a step after the draft exists; a failure is told with the draft's id and the step. */
async function step<Result>(
	context: IExecuteFunctions,
	{ id }: Document,
	name: string,
	run: () => Promise<Result>,
): Promise<Result> {
	try {
		return await run();
	} catch (error) {
		const failure =
			error instanceof NodeApiError || error instanceof NodeOperationError
				? error
				: new NodeOperationError(context.getNode(), error as Error);
		failure.message = `The draft ${id} was created, but ${name} failed: ${failure.message}`;
		const remedy =
			'The draft is kept, and a retry goes on with it. By hand, go on with it by Update Fields and Send, instead of creating another.';
		failure.description = [failure.description, remedy].filter(Boolean).join(' ');
		Object.assign(failure.context, { documentId: id });
		// n8n saves a cancelled execution at the moment of the cancellation, before this error: only the log keeps it.
		if (context.getExecutionCancelSignal()?.aborted) context.logger.warn(`eSign: ${failure.message}`);
		throw failure;
	}
}
