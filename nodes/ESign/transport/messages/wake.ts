import type { ApiContext } from '../context/context';
import { callSealed } from './call';
import { newMessage } from './sealed';

/** The waiting webhook asks the service, and may have to wait for the rate limit. */
const LONGEST_MS = 90_000;

/**
 * What an execution that waits is called by, after its resume URL. n8n's own Wait node in the same execution listens at the
 * URL itself, and is not to be woken by a call that comes late.
 */
export const WAKE_PATH = 'esign-documents';

/** What a call to a waiting execution has come to. */
export type Awakening =
	/** It does not wait any more: it goes on, or has done so before. */
	| { outcome: 'over' }
	/** n8n is going to let it go on, and may fail: see `ControlAnswer.goesOn`. */
	| { outcome: 'goes on' }
	/** It has gone on, or has not fallen asleep yet. */
	| { outcome: 'running' }
	/** It sleeps on: these documents are still open. */
	| { outcome: 'asleep'; open: string[] }
	/** It could not be asked. */
	| { outcome: 'unclear'; why: string };

/** n8n's words for an execution that nobody can wake any more (waiting-webhooks.js of 1.x and 2.x). */
const IS_OVER = /does not exist|has finished|does not contain a waiting webhook/;
const IS_RUNNING = /is running already/;

function wakeUrl(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname}/${WAKE_PATH}`;
	return url.toString();
}

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
		const returned = await callSealed(context, wakeUrl(url), newMessage({ wake, ended }), secret, {
			timeoutMs: LONGEST_MS,
			signal,
		});
		const { answer, statusCode, body } = returned;
		if (answer?.goesOn === 'announced') return { outcome: 'goes on' };
		if (answer?.open) {
			return answer.open.length === 0 ? { outcome: 'over' } : { outcome: 'asleep', open: answer.open };
		}
		const words = [404, 409].includes(statusCode) ? String((body as { message?: unknown } | null)?.message) : '';
		// n8n 2.x redirects to a form where one is waited for since.
		if (IS_OVER.test(words) || statusCode === 307) return { outcome: 'over' };
		if (IS_RUNNING.test(words)) return { outcome: 'running' };
		return { outcome: 'unclear', why: `n8n answered ${statusCode}` };
	} catch (error) {
		const { code } = (error as { cause?: { code?: string } }).cause ?? {};
		return { outcome: 'unclear', why: `n8n cannot be reached at its own address${code ? ` (${code})` : ''}` };
	}
}
