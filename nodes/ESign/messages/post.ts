import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { client, outcomeOfBrokenConnection, runOf, type ApiContext } from '../client';
import { type Answer, keyOf, type Message, newMessage, seal, unseal } from './message';

/** Where n8n itself answers a message, the sealed answer is in this header. */
export const ANSWER_HEADER = 'x-esign-answer';

/**
 * An n8n in which many executions begin at once is busy for long; where whoever waits gives up,
 * nobody wakes the execution.
 */
const LONGEST_MS = 30_000;
/** The pauses before another try. The same message twice is one message. */
const PATIENCE_MS = [1_000, 4_000, 15_000];

/** What came back of a message: an answer of somebody with the key, something else, or nothing. */
export type Reply = {
	answer?: Answer;
	status?: number;
	body?: unknown;
	/** Why nothing came back. */
	why?: string;
	/** n8n did not send the message, and never will. */
	isRefused?: boolean;
};

export type PostOptions = {
	/** What it is sealed with, unless every node with this API key may read it. */
	key?: Buffer;
	timeout?: number;
	/** Unless given, it ends with the execution. */
	abortSignal?: AbortSignal;
	/** Posts it again a few times while nobody answers. */
	isPatient?: boolean;
};

/**
 * Posts a sealed message to an address of this n8n. Something in front of n8n may answer 200 to
 * everything: only what is sealed with the same key and repeats the message's nonce is an answer.
 * What is said of a failure does not hold the address. Throws nothing.
 */
export async function post(
	context: ApiContext,
	url: string,
	content: Partial<Message>,
	options: PostOptions = {},
): Promise<Reply> {
	const { isPatient, abortSignal = runOf(context).signal } = options;
	for (let tries = 0; ; tries++) {
		const reply = await postOnce(context, url, content, { ...options, abortSignal });
		const pause = isPatient ? PATIENCE_MS[tries] : undefined;
		const isLast = pause === undefined || reply.isRefused || abortSignal.aborted;
		if (isLast || !isSilent(reply)) return reply;
		await client.pause(pause, abortSignal);
	}
}

async function postOnce(
	context: ApiContext,
	url: string,
	content: Partial<Message>,
	{ key: given, timeout = LONGEST_MS, abortSignal }: PostOptions,
): Promise<Reply> {
	try {
		const key = given ?? (await keyOf(context));
		const message = newMessage(content);
		const response = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			body: { sealed: seal(message, key) },
			timeout,
			abortSignal,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;

		const { statusCode: status, headers } = response;
		const sealed = headers?.[ANSWER_HEADER] ?? response.body;
		const answer = status === 200 ? unseal<Answer>(sealed, key) : undefined;
		const isAnswer = answer?.answerTo === message.nonce;
		return { ...(isAnswer && { answer }), status, body: response.body };
	} catch (error) {
		const outcome = outcomeOfBrokenConnection(error);
		if (outcome.kind === 'notSent' && outcome.fatal)
			return { why: outcome.reason, isRefused: true };

		const { code, cause } = error as { code?: string; cause?: { code?: string } };
		const known = code ?? cause?.code;
		return { why: `cannot be reached from n8n${known ? ` (${known})` : ''}` };
	}
}

/** Why there is no answer, as it follows an address. */
export const obstacleIn = ({ status, why }: Reply): string =>
	why ?? `answered ${status}, and not as this n8n would`;

/** Whether nobody has answered, or n8n could not: it may be busy. */
export const isSilent = ({ status }: Reply): boolean => status === undefined || status >= 500;

/**
 * The words in which n8n refuses a call of an execution, and nobody else: it sends `code` and
 * `message`, or this one.
 */
export function wordsOfN8n({ body }: Reply): string | undefined {
	const { code, message, error } = Object(body) as IDataObject;
	if (error === 'Invalid token') return error;
	return typeof code === 'number' && typeof message === 'string' ? message : undefined;
}
