import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { serviceOf, type ApiContext } from '../client';
import type { Entry } from './entrySet';

/** An execution that waits for documents (docs/architecture.md section 8). */
export type WaitingExecution = {
	/** Made anew for each time that one waits; whoever calls the execution seals with it. */
	id: string;
	/** It waits at one node at a time. */
	execution: string;
	/** Its resume URL as seen from the trigger's own; holds n8n's own token, and is never logged. */
	resume: string;
	/** Those that are open, as far as is known. None: it is to be called. */
	documents: string[];
	/** It does not wait any longer. */
	isOver?: boolean;
	/** When it resumes by itself, in milliseconds since the epoch. */
	until?: number;
	/**
	 * When the wait began, in milliseconds since the epoch; later once it is over, or documents were
	 * open that were taken for ended.
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

export type WaitAnswer = 'taken' | 'not published' | 'full';

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
	/**
	 * The waiting execution is going to resume, which may fail: n8n 1.x answers before that, and
	 * files are fetched first.
	 */
	isAnnounced?: boolean;
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
		const clear = Buffer.concat([
			decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
			decipher.final(),
		]);

		return JSON.parse(clear.toString('utf8')) as Content;
	} catch {
		return undefined;
	}
}
