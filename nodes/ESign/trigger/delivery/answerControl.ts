import type { IWebhookFunctions } from 'n8n-workflow';
import {
	controlKey,
	isFresh,
	seal,
	sharedSecret,
	unseal,
	type ControlAnswer,
	type ControlMessage,
} from '../../transport';
import { settleAll } from './acceptance';
import { ownerOf } from '../identity';
import type { Known } from '../known';
import { takeWait } from '../waits/take';
import { tidy } from '../waits/waiting';

/**
 * Answers a control message, or returns undefined for anything else that somebody may have sent.
 *
 * - Sealed with the secret of one of our endpoints: another n8n asks whether anybody here still uses it, before it deletes
 *   it. The answer says which URL this n8n has.
 * - Sealed with the key that all nodes with our API key hold: a process of this n8n shares what it knows, and is told what
 *   we know.
 * - Sealed with that key as well: a node of this n8n that waits for documents, docs/architecture.md section 8.
 */
export async function answerControl(
	context: IWebhookFunctions,
	known: Known,
	sealed: unknown,
): Promise<string | undefined> {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const answer = (key: Buffer, { nonce }: ControlMessage, more: Partial<ControlAnswer> = {}) =>
		seal({ nonce, url, ...more }, key);

	for (const { secret } of known.all('endpoint')) {
		const key = controlKey(secret);
		const question = unseal<ControlMessage>(sealed, key);
		if (question) return isFresh(question) ? answer(key, question) : undefined;
	}

	const key = controlKey(await sharedSecret(context));
	const message = unseal<ControlMessage>(sealed, key);
	if (!message || !isFresh(message)) return undefined;
	if (message.wait) return answer(key, message, { wait: takeWait(context, known, message.wait) });
	if (message.owner !== ownerOf(context)) return undefined;
	settleAll(known);
	known.merge(message.members);
	tidy(known);
	return answer(key, message, { members: known.toShare() });
}
