import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import { serviceOf, type ApiContext } from '../client';
import type { Answer, Message } from './message';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Clocks of two machines may differ by so much, as in a signature. */
const TOLERANCE_MS = 300_000;

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
