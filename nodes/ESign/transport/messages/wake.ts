import type { ApiContext } from '../context/context';
import { callSealed } from './call';
import { newMessage } from './sealed';

/** The waiting webhook asks the service, and may have to wait for the rate limit. */
const LONGEST_MS = 90_000;

/** What a call to a waiting execution has come to. */
export type Awakening =
	/** It goes on, or does not wait any more. */
	| { outcome: 'over' }
	/** It sleeps on: these documents are still open. */
	| { outcome: 'asleep'; open: string[] }
	/** It may not be asleep yet, or could not be asked. */
	| { outcome: 'unclear'; why: string };

/** n8n's words for an execution that nobody can wake any more (waiting-webhooks.js of 1.x and 2.x). */
const IS_OVER = /does not exist|has finished|does not contain a waiting webhook/;

/**
 * Calls an execution that waits. The address holds n8n's own token, and so stands in no message.
 *
 * @param ended documents that have ended, as far as is known; the execution asks the service for them first
 * @param secret `sharedSecret`: whoever calls without it is not even heard
 */
export async function wakeExecution(
	context: ApiContext,
	{ url, key: wake, ended }: { url: string; key: string; ended: string[] },
	secret: string,
	signal?: AbortSignal,
): Promise<Awakening> {
	try {
		const returned = await callSealed(context, url, newMessage({ wake, ended }), secret, {
			timeoutMs: LONGEST_MS,
			signal,
		});
		const { answer, statusCode, body } = returned;
		if (answer?.open) {
			return answer.open.length === 0 ? { outcome: 'over' } : { outcome: 'asleep', open: answer.open };
		}
		const { message: words } = (body ?? {}) as { message?: unknown };
		if ([404, 409].includes(statusCode) && typeof words === 'string' && IS_OVER.test(words)) return { outcome: 'over' };
		return { outcome: 'unclear', why: `n8n answered ${statusCode}` };
	} catch (error) {
		const { code } = (error as { cause?: { code?: string } }).cause ?? {};
		return { outcome: 'unclear', why: `n8n cannot be reached at its own address${code ? ` (${code})` : ''}` };
	}
}
