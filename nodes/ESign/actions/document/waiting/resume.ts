import type { INodeExecutionData, IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { hasEnded } from '../../../service/ending';
import {
	controlKey,
	isFresh,
	now,
	seal,
	sharedSecret,
	unseal,
	WAKE_PATH,
	type ControlAnswer,
	type ControlMessage,
	type Document,
} from '../../../transport';
import { outputItems } from '../../outputItems';
import { EndedDocuments } from './endedDocuments';
import { readKept, type Kept } from './kept';
import { readTogether } from './readTogether';

/**
 * Where a waiting execution is called: below its resume URL. n8n serves it while one waits, and registers nothing for it
 * when a workflow is activated; there is nothing at the service that would have to be made or deleted. Without a text of
 * `responseData` the answer is what `webhook` gives.
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

/** Shorter than the trigger waits for the answer. */
const LONGEST_MS = 75_000;

/** n8n has by then noted that the execution runs, or has failed to start it. */
const GOES_ON_MS = 60_000;

/** Until when an execution is being asked about here, or has just gone on, by its key: n8n 1.x would run it twice. */
const underWay = new Map<string, number>();

/** What the trigger uses of the response of n8n's web server. */
interface Responder {
	status(code: number): { send(body: string): unknown };
}

/** Answers by itself: the execution sleeps on. */
function refuse(context: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
	(context.getResponseObject() as unknown as Responder).status(status).send(text);
	return { noWebhookResponse: true };
}

/** The message of a trigger with the same API key, made just now. */
async function messageIn(context: IWebhookFunctions): Promise<{ message: ControlMessage; key: Buffer } | undefined> {
	const { sealed } = (context.getBodyData() ?? {}) as { sealed?: unknown };
	if (typeof sealed !== 'string') return undefined;
	const key = controlKey(await sharedSecret(context));
	const message = unseal<ControlMessage>(sealed, key);
	return message?.wake !== undefined && isFresh(message) ? { message, key } : undefined;
}

/**
 * The waiting webhook of Wait for Completion (docs/architecture.md section 8). It hears nobody who does not hold the API key,
 * and believes nobody: it asks the service for the documents that were open, and the execution sleeps on unless all have
 * ended. Whatever fails here must not be thrown, because n8n would let the execution go on with that error.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	let asking: string | undefined;
	try {
		const received = await messageIn(context);
		if (!received) return refuse(context, 401, 'Rejected: not a message of an eSign Trigger with the same API key');
		const { message, key } = received;
		const answer = (open: string[], more: Partial<ControlAnswer> = {}) =>
			seal({ nonce: message.nonce, url: '', open, ...more } satisfies ControlAnswer, key);
		const kept = readKept(context);
		// It waits again since, or not for documents.
		if (!kept || kept.key !== message.wake) return { webhookResponse: answer([]) };
		if (isUnderWay(kept.key)) return refuse(context, 503, 'The execution is being woken');
		asking = kept.key;
		underWay.set(asking, now() + LONGEST_MS);
		const toldOf = new Set<unknown>(Array.isArray(message.ended) ? message.ended : []);
		const { open, items } = await askService(context, kept, toldOf);
		if (open.length > 0) {
			underWay.delete(kept.key);
			return { webhookResponse: answer(open) };
		}
		underWay.set(kept.key, now() + GOES_ON_MS);
		return { webhookResponse: answer([], { goesOn: goesOnIn(context) }), workflowData: [items] };
	} catch (error) {
		const { message } = error as Error;
		if (asking !== undefined) underWay.delete(asking);
		context.logger.warn(`eSign: a waiting execution could not ask the service: ${message}`, {
			executionId: context.getExecutionId(),
			nodeName: context.getNode().name,
		});
		return refuse(context, 503, 'The service could not be asked');
	}
}

/** n8n 2.x answers a webhook once it has begun with the execution, n8n 1.x before that. 1.x has no identities of triggers. */
function goesOnIn(context: Partial<Pick<IWebhookFunctions, 'establishTriggerIdentity'>>): ControlAnswer['goesOn'] {
	return typeof context.establishTriggerIdentity === 'function' ? 'begun' : 'announced';
}

function isUnderWay(key: string): boolean {
	for (const [one, until] of underWay) if (until <= now()) underWay.delete(one);
	return underWay.has(key);
}

/** Which documents are still open; without any, what the node puts out: each item's document, as Get does. */
async function askService(
	context: IWebhookFunctions,
	{ documents, ended }: Kept,
	toldOf: ReadonlySet<unknown>,
): Promise<{ open: string[]; items: INodeExecutionData[] }> {
	const seen = await EndedDocuments.of(context);
	const known = new Map<string, Document>(ended.map((document) => [document.id, document]));
	const left = new Map(documents.map((id, itemIndex) => [id, itemIndex] as const));
	const forget = (found: ReadonlyMap<string, Document>) => {
		for (const [id, document] of found) if (hasEnded(document) && left.delete(id)) known.set(id, document);
	};
	forget(known);
	forget(seen.among(left.keys()));

	const deadline = now() + LONGEST_MS;
	for (const asked of steps(left, toldOf)) {
		const found = new Map<string, Document>();
		try {
			await readTogether(context, asked, { deadline }, found);
		} finally {
			seen.add(found.values());
			forget(found);
		}
		// One that is open is enough to sleep on.
		if ([...asked.keys()].some((id) => left.has(id))) break;
	}
	const open = [...left.keys()];
	return open.length > 0 ? { open, items: [] } : { open, items: pairedItems(documents, known) };
}

/**
 * In what order documents are asked for: first those that the trigger was told of, then one, and the others only if that has
 * ended as well. Of many documents one ends after the other, and each time all but that one are mostly open.
 */
function steps(left: ReadonlyMap<string, number>, toldOf: ReadonlySet<unknown>): Array<Map<string, number>> {
	const told = [...left].filter(([id]) => toldOf.has(id));
	const others = [...left].filter(([id]) => !toldOf.has(id));
	const [probe, rest] = [others.slice(0, 1), others.slice(1)];
	return [told, probe, rest].filter((step) => step.length > 0).map((step) => new Map(step));
}

/** n8n runs no node after this webhook that could pair them. */
function pairedItems(documents: string[], read: ReadonlyMap<string, Document>): INodeExecutionData[] {
	return documents.flatMap((id, item) =>
		outputItems(read.get(id) ?? []).map((output) => ({ ...output, pairedItem: { item } })),
	);
}
