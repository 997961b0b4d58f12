import {
	NodeApiError,
	NodeOperationError,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { hasEnded } from '../service/ending';
import { CREDENTIAL_TYPE, RecentMap, serviceOf, type Document } from '../client';
import { type Message, messageKey, seal, unseal } from '../messages/message';
import { endedItems, readDocuments, type FoundDocuments } from './readDocuments';
import { onAnswer } from '../messages/responder';
import { readSavedWait, type SavedWait } from './savedWait';
import { BEING_WOKEN, NOT_ITS_WAIT, WAKE_PATH } from './wakeUrl';

/**
 * Where a waiting execution is called: below its resume URL. n8n serves it while one waits, and
 * registers nothing for it when a workflow is activated. Without a text of `responseData` the
 * answer is what `webhook` gives.
 */
export const waitingWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: '',
		path: WAKE_PATH,
		restartWebhook: true,
	},
];

/**
 * The keys of executions that are being asked about or resumed here: n8n 1.x would run one twice.
 */
const underWay = new RecentMap<string, true>(1_000);

/** Executions for which files are fetched at once: n8n holds memory for each that is called. */
const MOST_FETCHING = 10;
/** Those, by key. */
const fetching = new Set<string>();

/**
 * Whoever gets this calls again until the execution does not wait any longer: what is to resume it
 * may fail.
 */
const beingWoken = { code: 409, message: BEING_WOKEN };

/** Answers by itself, in the form of n8n's own refusals: the execution sleeps on. */
function refuse(context: IWebhookFunctions, code: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(code).send({ code, message });
	return { noWebhookResponse: true };
}

/**
 * The waiting webhook of Wait for Completion (docs/architecture.md section 8). Only triggers that
 * the execution has told are heard, and the service is asked before it resumes. Nothing may be
 * thrown: n8n would resume the execution with that error.
 */
export async function resumeIfEnded(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const saved = readSavedWait(context);
		const { sealed } = Object(context.getBodyData()) as { sealed?: unknown };
		// Also an old one, as of a machine that slept: the service is asked, and the key is of this
		// wait alone.
		const message = unseal<Message>(sealed, messageKey(saved?.id ?? ''));
		// It waits again since, or not for documents.
		if (!saved || !message) return refuse(context, 401, NOT_ITS_WAIT);

		return await askAndResume(context, saved, message.nonce);
	} catch (error) {
		const { message } = error as Error;
		context.logger.warn(`eSign: a waiting execution could not ask the service: ${message}`, {
			executionId: context.getExecutionId(),
			nodeName: context.getNode().name,
		});
		return refuse(context, 503, 'The service could not be asked');
	}
}

/** One call at a time: another one is refused while the service is asked, or n8n resumes. */
async function askAndResume(
	context: IWebhookFunctions,
	saved: SavedWait,
	answerTo: string,
): Promise<IWebhookResponseData> {
	// n8n 2.x answers a webhook once it has begun with the execution, and has noted that it runs; n8n
	// 1.x before that. 1.x has no identities of triggers.
	const { establishTriggerIdentity }: Partial<IWebhookFunctions> = context;
	const isN8n1 = establishTriggerIdentity === undefined;
	const answer = (open: string[]) => seal({ answerTo, open }, messageKey(saved.id));
	const hasFiles = saved.files.length > 0;
	const isFull = hasFiles && fetching.size >= MOST_FETCHING;
	if (underWay.has(saved.id) || isFull) return refuse(context, 409, BEING_WOKEN);
	underWay.set(saved.id, true);
	if (hasFiles) fetching.add(saved.id);
	let resumes = false;
	try {
		const found = await askService(context, saved);
		const isOpen = ([, document]: [string, Document | NodeApiError]) =>
			!(document instanceof NodeApiError) && !hasEnded(document);
		const open = [...found].filter(isOpen).map(([id]) => id);
		if (open.length > 0) return { webhookResponse: answer(open) };

		const { answered, answerFirst } = onAnswer(context.getResponseObject());
		// n8n 1.x answers first, and may resume it hours later: this wait is over for as long as the
		// process runs.
		if (!isN8n1) void answered.then(() => underWay.delete(saved.id));
		// Fetching takes minutes where the rate limit is used up: nobody waits for the answer so long.
		if (hasFiles) answerFirst(beingWoken);
		const items = await endedItems(context, saved, found);

		resumes = true;
		// n8n runs no node after this webhook that could pair them.
		const workflowData = [items.map((output, item) => ({ ...output, pairedItem: { item } }))];
		return { webhookResponse: isN8n1 ? beingWoken : answer([]), workflowData };
	} finally {
		if (!resumes) underWay.delete(saved.id);
		fetching.delete(saved.id);
	}
}

/** @throws NodeOperationError the credential holds another key, which sees no such documents */
async function askService(context: IWebhookFunctions, saved: SavedWait): Promise<FoundDocuments> {
	const wanted = new Map(saved.documents.map((id, itemIndex) => [id, itemIndex]));
	// n8n decrypts a credential for a webhook at a cost of tens of milliseconds: once for all that
	// are read together.
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id;
	const found = await readDocuments(context, wanted, credentialId);

	const isMissing = [...found.values()].some((document) => document instanceof NodeApiError);
	if (isMissing && (await serviceOf(context)).workspaceMode !== saved.workspaceMode) {
		const message = 'the credential holds an API key of another mode since';
		throw new NodeOperationError(context.getNode(), message);
	}
	return found;
}
