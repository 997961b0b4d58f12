import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { client, outcomeOfBrokenConnection, runOf, serviceOf, type ApiContext } from '../client';
import type { Entry } from './entrySet';

/** An execution that waits for documents (docs/architecture.md section 8). */
export type WaitingExecution = {
	/** Made anew for each time that one waits; whoever calls the execution seals with it. */
	id: string;
	/** It waits at one node at a time. */
	execution: string;
	/** Path and query of its resume URL: they hold n8n's own token, and are never logged. */
	resumeUrl: string;
	/** Those that are open, as far as is known. None: it is to be called. */
	documents: string[];
	/** When it resumes by itself, in milliseconds since the epoch. */
	until?: number;
	/**
	 * When the wait began, in milliseconds since the epoch; later once documents were open that were
	 * taken for ended.
	 */
	at: number;
};

/** What a trigger knows, set by set: see `TriggerState`. */
export type Shared = Record<string, Entry[]>;

/**
 * A message between two nodes of one n8n, sent to a webhook URL of the receiver and sealed: only
 * who holds the API key can read it, or make one. It is the one way in which a running trigger can
 * change what n8n keeps: `webhook` has the present static data, the trigger itself a copy of its
 * activation. One that is sealed with the key of a wait calls the execution that waits.
 */
export type Message = {
	/** When it was made, in milliseconds since the epoch. */
	at: number;
	/** What an answer repeats: one that was recorded answers another message. */
	nonce: string;
	/** The trigger that it is for: see `ownerOf`. */
	owner?: string;
	/** What the sender knows. */
	state?: Shared;
	/** An event out of a delivery log: its payload as the service has stored it. */
	event?: IDataObject;
	/**
	 * An execution asks to be woken when these documents end; without any it does not wait any
	 * longer.
	 */
	wait?: WaitingExecution;
};

export type WaitAnswer = 'taken' | 'full';

export type Answer = {
	/** The nonce of the message; under another name, so that no message answers itself. */
	answerTo: string;
	/** Everything that it knows; only where state was shared with it. */
	state?: Shared;
	wait?: WaitAnswer;
	/**
	 * The documents for which the execution called still waits. None: it does not wait under this
	 * key.
	 */
	open?: string[];
};

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The key of messages between nodes that hold a secret, which cannot be told from it. */
export const messageKey = (secret: string): Buffer =>
	createHmac('sha256', secret).update('n8n-nodes-esign control message').digest();

/** The key that every node with the API key of this one has. */
export const keyOf = async (context: ApiContext) =>
	messageKey((await serviceOf(context)).sharedSecret);

export const newMessage = (content: Partial<Message> = {}): Message => ({
	...content,
	at: Date.now(),
	nonce: randomBytes(16).toString('hex'),
});

export function seal(content: Message | Answer, key: Buffer): string {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, key, iv);
	const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);

	return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** What was sealed with this key; undefined for every other text. */
export function unseal<Content extends Message | Answer>(
	text: unknown,
	key: Buffer,
): Content | undefined {
	try {
		const bytes = Buffer.from(text as string, 'base64');
		const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
			authTagLength: TAG_BYTES,
		});
		decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
		const clear = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8');

		return JSON.parse(clear + decipher.final('utf8')) as Content;
	} catch {
		return undefined;
	}
}

/** Where n8n itself answers a message, the sealed answer is in this header. */
export const ANSWER_HEADER = 'x-esign-answer';

/**
 * An n8n in which many executions begin at once is busy for long; where whoever waits gives up,
 * nobody wakes the execution.
 */
const LONGEST_SILENCE_MS = 30_000;
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
	{ key: given, timeout = LONGEST_SILENCE_MS, abortSignal }: PostOptions,
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
const isSilent = ({ status }: Reply): boolean => status === undefined || status >= 500;

/**
 * The words in which n8n refuses a call of an execution, and nobody else: it sends `code` and
 * `message`, or this one.
 */
export function wordsOfN8n({ body }: Reply): string | undefined {
	const { code, message, error } = Object(body) as IDataObject;
	if (error === 'Invalid token') return error;
	return typeof code === 'number' && typeof message === 'string' ? message : undefined;
}
