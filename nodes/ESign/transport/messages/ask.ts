import type { ApiContext } from '../context/context';
import { callSealed } from './call';
import type { ControlAnswer, ControlMessage } from './sealed';

const LONGEST_MS = 10_000;

/** What came of a control message: an answer from somebody with the key, or why there is none. */
export type Reply =
	| { answer: ControlAnswer }
	| {
			obstacle: string;
			/** An n8n has answered, and has no such webhook. */
			isUnregistered?: boolean;
			/** Nobody has answered in time, or n8n could not: it may be busy. */
			isSilent?: boolean;
	  };

/** n8n's own answer to a request for a webhook of no active workflow; while it is starting, it answers 404 in other words. */
const UNREGISTERED = /webhook.* is not registered/;

/**
 * Sends a message to a trigger at its webhook URL.
 *
 * @param secret what whoever is to answer has as well: of an endpoint, or `sharedSecret` for every node with this API key
 * @param limits how much time is left, how long it takes at most (ten seconds unless given), and what ends it before
 */
export async function askTrigger(
	context: ApiContext,
	url: string,
	message: ControlMessage,
	secret: string,
	{
		timeoutMs = Infinity,
		longestMs = LONGEST_MS,
		signal,
	}: { timeoutMs?: number; longestMs?: number; signal?: AbortSignal },
): Promise<Reply> {
	const limits = { timeoutMs: Math.max(1, Math.min(longestMs, timeoutMs)), signal };
	try {
		const { answer, statusCode, body } = await callSealed(context, url, message, secret, limits);
		if (answer) return { answer };
		return {
			obstacle: `${url} answered ${statusCode}, and not as this trigger would`,
			isSilent: statusCode >= 500,
			isUnregistered: statusCode === 404 && UNREGISTERED.test(JSON.stringify(body)),
		};
	} catch (error) {
		return { obstacle: `${url} cannot be reached from n8n: ${(error as Error).message}`, isSilent: true };
	}
}
