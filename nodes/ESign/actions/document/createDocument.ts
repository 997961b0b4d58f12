import { NodeApiError, NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { contentsOf, withUploads, type DocumentFiles } from './files';
import { fieldInputs, type PlannedField } from './fields/recipients';
import { digest } from '../fingerprint';
import { askedByPerson, beginsAnew, isStepDone, noteOf, noteStep, onceAsAsked, onceInItem } from '../steps';
import { apiRequest, isInDoubt, type Document, type PlacedField, type RecipientInput } from '../../transport';

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
	const draft = await currentDraft(context, itemIndex, plan, requestFor(plan, assigned));
	if (!assigned && !isStepDone(context, itemIndex, FIELDS)) return draft;

	const path = { id: draft.id };
	const { fields } = await step(context, draft, 'placing its fields', async () => {
		const body = { fields: fieldInputs(plan.fields, recipientIds(context, itemIndex, draft, plan.recipients)) };
		// Once: a later try may meet a document that was sent meanwhile, by a request whose answer was lost.
		return await onceAsAsked(context, itemIndex, FIELDS, [plan.recipients, body], async () => {
			return await apiRequest(context, 'PUT /documents/{id}/fields', { path, body, itemIndex });
		});
	});
	if (!plan.send) return { ...draft, fields };
	sends(draft);
	const sent = await step(context, draft, 'sending it', async () => {
		return await apiRequest(context, 'POST /documents/{id}/send', { path, itemIndex });
	});
	return { ...draft, ...sent, fields };
}

/** The steps as a later try remembers them. */
const ASKED = ['asked'];
const DRAFT = ['create'];
const RECIPIENTS = ['recipients'];
const FIELDS = ['fields'];

/** Whether an earlier try of the item has made the draft, or may have. */
export async function hasDraft(context: IExecuteFunctions, itemIndex: number): Promise<boolean> {
	return isStepDone(context, itemIndex, DRAFT) || (await isInDoubt(context, 'POST /documents', { itemIndex }));
}

/** A draft as it was made: what was asked for by then, and what of it no endpoint changes. */
type Draft = { document: CreatedDocument; asked: string | undefined; settled: string };

/** POST /documents as the plan asks for it. */
type DraftRequest = {
	/** Without the files, whose ids are not known before they are uploaded. */
	body: IDataObject;
	/** Stands for the content of the files. */
	contents: string;
	/** Stands for what no later step changes. */
	settled: string;
};

/** Without assigned fields it does everything. */
function requestFor({ document, fields, files, send }: DocumentPlan, assigned: boolean): DraftRequest {
	const body: IDataObject = { ...document };
	if (!assigned && fields.length > 0) body.fields = fieldInputs(fields, []);
	if (!assigned && send) body.send = true;
	const contents = contentsOf(files);
	return { body, contents, settled: digest([{ ...body, recipients: undefined }, contents]) };
}

/**
 * The draft, with the recipients that the item has now: they may have been corrected before "Retry execution". Where its title,
 * its routing or its files were, it is not what is asked for.
 *
 * @throws NodeOperationError that names it; a person who was told gets another one by the next "Retry execution"
 */
async function currentDraft(
	context: IExecuteFunctions,
	itemIndex: number,
	plan: DocumentPlan,
	request: DraftRequest,
): Promise<CreatedDocument> {
	const { document, asked, settled } = await createDraft(context, itemIndex, plan, request);
	if (settled !== request.settled && asked !== askedByPerson(context, itemIndex)) {
		if (!beginsAnew(context, itemIndex)) throw madeOtherwise(context, itemIndex, document);
		return await currentDraft(context, itemIndex, plan, request);
	}
	const isAsMade = noteOf(context, itemIndex, ASKED)?.recipients === digest([plan.recipients]);
	// What is sent at once is made for those who are asked for, or not taken for it.
	const isRight = isAsMade || request.body.send === true;
	const isCorrected = !isRight || isStepDone(context, itemIndex, RECIPIENTS);
	return await onceAsAsked(context, itemIndex, RECIPIENTS, [plan.recipients], async () => {
		if (!isCorrected) return document;
		const path = { id: document.id };
		return await step(context, document, 'changing its recipients', async () => {
			const body = { recipients: [...plan.recipients] };
			await apiRequest(context, 'PUT /documents/{id}/recipients', { path, body, itemIndex });
			return { ...document, ...(await apiRequest(context, 'GET /documents/{id}', { path, itemIndex })) };
		});
	});
}

/** POST /documents, once per item whatever happens later. */
async function createDraft(
	context: IExecuteFunctions,
	itemIndex: number,
	plan: DocumentPlan,
	{ body, contents, settled }: DraftRequest,
): Promise<Draft> {
	// Whatever the body says: an expression such as $now says something else at every try.
	return await onceInItem(context, itemIndex, DRAFT, async () => {
		// A request in doubt may have made a draft for those who were asked for then.
		if (!(await isInDoubt(context, 'POST /documents', { itemIndex }))) {
			noteStep(context, itemIndex, ASKED, { recipients: digest([plan.recipients]) });
		}
		const document = await withUploads(context, itemIndex, plan.files, async (files) => ({
			...(await apiRequest(context, 'POST /documents', { body: { files, ...body }, contents, itemIndex })),
			file_ids: files,
		}));
		return { document, asked: askedByPerson(context, itemIndex), settled };
	});
}

function madeOtherwise(context: IExecuteFunctions, itemIndex: number, { id }: Document): NodeOperationError {
	const message = `The draft ${id} was made before, and its title, routing or files are not what is asked for now`;
	return new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: `No endpoint changes them. Nothing was created or sent for this run. Look at ${id}: if an earlier try may have sent it, it may be out. Send it yourself if it will do. Retry the execution again to create what is asked for now.`,
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
		const remedy = 'The draft is kept: go on with it by Update Fields and Send, instead of creating another.';
		failure.description = [failure.description, remedy].filter(Boolean).join(' ');
		Object.assign(failure.context, { documentId: id });
		// n8n saves a cancelled execution at the moment of the cancellation, before this error: only the log keeps it.
		if (context.getExecutionCancelSignal()?.aborted) context.logger.warn(`eSign: ${failure.message}`);
		throw failure;
	}
}
