import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Clocks of two machines may differ by so much, as in a signature. */
const TOLERANCE_MS = 300_000;
/** Many times what a full set needs; beyond it nothing is even decoded. */
const LONGEST_TEXT = 1_000_000;

/**
 * A message between two processes of n8n, sent to a trigger's own webhook URL: the one way for a running trigger to change
 * what n8n keeps. Its own static data is the copy of the activation, and saving that would put the whole workflow's back to
 * then; `webhook` is given the present one, in whatever process receives the request.
 *
 * It is sealed: only who holds the key can read it, or make one.
 */
export type ControlMessage = {
	/** When it was made, in milliseconds since the epoch. */
	at: number;
	/** Repeated in the answer, which so cannot be an old one. */
	nonce: string;
	/** Whose set is shared: see `ownerOf`. */
	owner?: string;
	/** Members of the set that the receiver is to hold as well. */
	members?: IDataObject;
	/** An execution asks to be woken when documents end. */
	wait?: WaitRequest;
	/** An execution is woken: the `key` that it waits under. */
	wake?: string;
	/** Documents of that execution that have ended, as far as the sender knows: they are asked for first. */
	ended?: string[];
};

/** Which documents wake which execution. */
export type WaitRequest = {
	/** Made anew for each time that an execution waits: a later one of the same execution replaces an earlier one. */
	key: string;
	execution: string;
	/** Where n8n wakes the execution; holds n8n's own token. */
	resumeUrl: string;
	/** The n8n that the execution belongs to. */
	instance: string;
	/** Those that are open. None: the execution does not wait any more. */
	documents: string[];
	/** When the execution goes on by itself, in milliseconds since the epoch. */
	until?: number;
	/** How many other triggers wake the execution before this one does. */
	order?: number;
};

/** What a trigger makes of a request to wake an execution. */
export type WaitAnswer = 'taken' | 'stored' | 'not published' | 'other n8n' | 'full';

/** What is answered, sealed with the same key. */
export type ControlAnswer = {
	nonce: string;
	/** The webhook URL of whoever has answered, as his n8n knows it. */
	url: string;
	/** Everything in his set; only where a set was shared with him. */
	members?: IDataObject;
	/** `taken`: he will wake the execution. `stored`: n8n has saved that, and a restart does not lose it. */
	wait?: WaitAnswer;
	/** The documents that the execution woken still waits for. None: it does not wait under this key. */
	open?: string[];
	/** n8n lets the waiting execution go on: it has begun with that, or (n8n 1.x) is going to. */
	goesOn?: 'begun' | 'announced';
};

/** The key of messages that holders of a secret exchange. Neither the secret nor a signature can be told from it. */
export function controlKey(secret: string): Buffer {
	return createHmac('sha256', secret).update('n8n-nodes-esign control message').digest();
}

export function newMessage(content: Omit<ControlMessage, 'at' | 'nonce'> = {}): ControlMessage {
	return { ...content, at: Date.now(), nonce: randomBytes(16).toString('hex') };
}

/** Whether a message was made just now; an old one may have been recorded on its way. */
export function isFresh({ at }: ControlMessage): boolean {
	return Math.abs(Date.now() - at) <= TOLERANCE_MS;
}

export function seal(content: ControlMessage | ControlAnswer, key: Buffer): string {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, key, iv);
	const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** What was sealed with this key; undefined for every other text. */
export function unseal<Content extends ControlMessage | ControlAnswer>(
	text: unknown,
	key: Buffer,
): Content | undefined {
	if (typeof text !== 'string' || text.length > LONGEST_TEXT) return undefined;
	const bytes = Buffer.from(text, 'base64');
	try {
		const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
		decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
		const clear = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
		return JSON.parse(clear.toString('utf8')) as Content;
	} catch {
		return undefined;
	}
}
