import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { client, serviceOf, type ApiContext } from '../client';
import type { Entry } from './entrySet';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Clocks of two machines may differ by so much, as in a signature. */
const TOLERANCE_MS = 300_000;
/**
 * An n8n in which many executions begin at once is busy for long; where whoever waits gives up,
 * nobody wakes the execution.
 */
const LONGEST_MS = 30_000;
/** When whoever did not answer is asked again. The same message twice is one message. */
const AGAIN_AFTER_MS = [1_000, 4_000, 15_000];
const AS_IT_COMES = {
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
};

/** An execution that waits for documents (docs/architecture.md section 8). */
export type WaitingExecution = {
	/** Of the execution: it waits at one node at a time. */
	id: string;
	/** Made anew for each time that it waits; whoever calls the execution seals with it. */
	key: string;
	/** Its resume URL as seen from the trigger's own; holds n8n's own token, and is never logged. */
	resume: string;
	/** Those that are open, as far as is known. None: it is to be called. */
	documents: string[];
	/** It does not wait any more. */
	isOver?: boolean;
	/** When it goes on by itself, in milliseconds since the epoch. */
	until?: number;
	/**
	 * When the wait began, in milliseconds since the epoch; later once it is over, or documents were
	 * open that were taken for ended.
	 */
	at: number;
};

/**
 * A message between two nodes of one n8n, sent to a webhook URL of the receiver and sealed: only
 * who holds the API key can read it, or make one. It is the one way in which a running trigger can
 * change what n8n keeps: `webhook` has the present static data, the trigger itself a copy of its
 * activation.
 */
export type Message = {
	/** When it was made, in milliseconds since the epoch. */
	at: number;
	/** Echoed in the answer to prevent replay. */
	nonce: string;
	/** Whose state is shared: see `ownerOf`. */
	owner?: string;
	/** What the sender knows: see `TriggerState`. */
	state?: Record<string, Entry[]>;
	/**
	 * An execution asks to be woken when these documents end; without any it does not wait any more.
	 */
	wait?: WaitingExecution;
	/** An execution is called to go on. */
	wake?: true;
};

export type WaitAnswer = 'taken' | 'not published' | 'full';

export type Answer = {
	nonce: string;
	/** Everything that it knows; only where state was shared with it. */
	state?: Message['state'];
	wait?: WaitAnswer;
	/**
	 * The documents for which the execution called still waits. None: it does not wait under this
	 * key.
	 */
	open?: string[];
	/** n8n 1.x is going to let the waiting execution go on, and may fail. */
	isAnnounced?: boolean;
};

/** What came back of a message: an answer of somebody with the key, something else, or nothing. */
export type Reply = { answer?: Answer; status?: number; body?: unknown; why?: string };

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
		const clear = Buffer.concat([
			decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
			decipher.final(),
		]);
		return JSON.parse(clear.toString('utf8')) as Content;
	} catch {
		return undefined;
	}
}

/**
 * A message sealed with this key and made just now; an old one may have been recorded on its way.
 */
export function readMessage(text: unknown, key: Buffer): Message | undefined {
	const message = unseal<Message>(text, key);
	return message && Math.abs(Date.now() - message.at) <= TOLERANCE_MS ? message : undefined;
}

export type How = {
	/** What it is sealed with, unless every node with this API key may read it. */
	key?: Buffer;
	timeout?: number;
	abortSignal?: AbortSignal;
	/** Posts it again a few times while nobody answers, or the trigger has no room. */
	isPatient?: boolean;
};

/**
 * Posts a sealed message to an address of this n8n. Something in front of n8n may answer 200 to
 * everything: only what is sealed with the same key and repeats the message's nonce is an answer.
 * What is said of a failure does not hold the address.
 */
export async function post(
	context: ApiContext,
	url: string,
	content: Partial<Message>,
	how: How = {},
): Promise<Reply> {
	const { key = await keyOf(context), timeout = LONGEST_MS, abortSignal, isPatient } = how;
	const ask = async (): Promise<Reply> => {
		const message = newMessage(content);
		const sent = { sealed: seal(message, key) };
		const request: IHttpRequestOptions = {
			method: 'POST',
			url,
			body: sent,
			...AS_IT_COMES,
			timeout,
			abortSignal,
		};
		try {
			const { statusCode: status, body } = (await context.helpers.httpRequest(
				request,
			)) as IN8nHttpFullResponse;
			const answer = status === 200 ? unseal<Answer>(body, key) : undefined;
			return answer?.nonce === message.nonce ? { answer, status } : { status, body };
		} catch (error) {
			const { cause, code = (cause as { code?: string } | undefined)?.code } = error as Error & {
				code?: string;
			};
			return { why: `cannot be reached from n8n${code ? ` (${code})` : ''}` };
		}
	};
	let reply = await ask();
	for (const pause of isPatient ? AGAIN_AFTER_MS : []) {
		if (abortSignal?.aborted || !(isSilent(reply) || reply.answer?.wait === 'full')) break;
		await client.pause(pause, abortSignal);
		reply = await ask();
	}
	return reply;
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
	const { code, message, error } = Object(body) as {
		code?: unknown;
		message?: unknown;
		error?: unknown;
	};
	if (error === 'Invalid token') return error;
	return typeof code === 'number' && typeof message === 'string' ? message : undefined;
}
