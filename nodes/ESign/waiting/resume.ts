import {
	NodeApiError,
	NodeOperationError,
	type INodeExecutionData,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { outputItems } from '../operation/outputItems';
import { hasEnded } from '../service/ending';
import { client, CREDENTIAL_TYPE, RecentMap, serviceOf } from '../client';
import { messageKey, seal, unseal, type Message } from '../messages/message';
import { readDocuments, type Found } from './readDocuments';
import { onAnswer, type Responder } from '../messages/responder';
import { readSavedWait } from './savedWait';
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
 * n8n 2 answers when the execution has a free slot under a concurrency limit, and notes at once
 * that it runs.
 */
const GOES_ON_MS = 60_000;
/**
 * Until when an execution is being asked about here, or has just gone on, by its key: n8n 1.x would
 * run it twice.
 */
const underWay = new RecentMap<string, number>(1_000);

/** Answers by itself, in the form of n8n's own refusals: the execution sleeps on. */
function refuse(context: IWebhookFunctions, code: number, message: string): IWebhookResponseData {
	const response = context.getResponseObject() as unknown as {
		status(code: number): { json(body: unknown): unknown };
	};
	response.status(code).json({ code, message });
	return { noWebhookResponse: true };
}

/**
 * The waiting webhook of Wait for Completion (docs/architecture.md section 8). Only triggers that
 * the execution has told are heard, and the service is asked before it goes on. Nothing may be
 * thrown: n8n would let the execution go on with that error.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const saved = readSavedWait(context);
		const key = messageKey(saved?.key ?? '');
		const { sealed } = Object(context.getBodyData()) as { sealed?: unknown };
		// Also an old one, as of a machine that slept: the service is asked, and the key is of this
		// wait alone.
		const message = unseal<Message>(sealed, key);
		// It waits again since, or not for documents.
		if (!saved || !message) return refuse(context, 401, NOT_ITS_WAIT);
		const answer = (open: string[], isAnnounced?: boolean) => ({
			webhookResponse: seal({ nonce: message.nonce, open, isAnnounced }, key),
		});
		if (!message.wake) return answer(saved.documents);
		if (client.now() < (underWay.get(saved.key) ?? 0)) return refuse(context, 409, BEING_WOKEN);
		underWay.set(saved.key, Infinity);
		let goesOnUntil = 0;
		try {
			const wanted = new Map(saved.documents.map((id, itemIndex) => [id, itemIndex]));
			// n8n decrypts a credential for a webhook at a cost of tens of milliseconds: once for all
			// that are read together.
			const found = await readDocuments(
				context,
				wanted,
				context.getNode().credentials?.[CREDENTIAL_TYPE]?.id,
			);
			const open = [...found]
				.filter(([, one]) => !(one instanceof NodeApiError) && !hasEnded(one))
				.map(([id]) => id);
			if (open.length > 0) return answer(open);
			const isMissing = [...found.values()].some((one) => one instanceof NodeApiError);
			if (isMissing && (await serviceOf(context)).workspaceMode !== saved.workspaceMode) {
				throw new NodeOperationError(
					context.getNode(),
					'the credential holds an API key of another mode since',
				);
			}
			goesOnUntil = Infinity;
			const goesOn = () => underWay.set(saved.key, client.now() + GOES_ON_MS);
			// n8n 1.x answers first, and may let it go on hours later: this wait is over for as long as
			// the process runs.
			if (!isN8n1(context)) onAnswer(context.getResponseObject() as unknown as Responder, goesOn);
			return { ...answer([], isN8n1(context)), workflowData: [itemsOf(saved.documents, found)] };
		} finally {
			underWay.set(saved.key, goesOnUntil);
		}
	} catch (error) {
		context.logger.warn(
			`eSign: a waiting execution could not ask the service: ${(error as Error).message}`,
			{
				executionId: context.getExecutionId(),
				nodeName: context.getNode().name,
			},
		);
		return refuse(context, 503, 'The service could not be asked');
	}
}

/**
 * n8n 2.x answers a webhook once it has begun with the execution, n8n 1.x before that. 1.x has no
 * identities of triggers.
 */
const isN8n1 = (context: Partial<IWebhookFunctions>): boolean =>
	typeof context.establishTriggerIdentity !== 'function';

/**
 * Each item's document, as Get puts it out; n8n runs no node after this webhook that could pair
 * them.
 */
function itemsOf(documents: string[], found: Found): INodeExecutionData[] {
	return documents.flatMap((id, item) => {
		const one = found.get(id);
		// It was there when the wait began, and was removed since.
		const outputs =
			one instanceof NodeApiError ? [{ json: { id, error: one.message } }] : outputItems(one ?? []);
		return outputs.map((output) => ({ ...output, pairedItem: { item } }));
	});
}
