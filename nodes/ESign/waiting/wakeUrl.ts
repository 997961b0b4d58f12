import type { Reply } from './message';

/**
 * What an execution that waits is called by, after its resume URL. n8n's own Wait node in the same execution listens at the
 * URL itself, and is not to be woken by a call that comes late.
 */
export const WAKE_PATH = 'esign-documents';

/** The waiting webhook's answer to a second call while it asks the service, or lets the execution go on. */
export const BEING_WOKEN = 'The execution is being woken';

/** Where an execution is called. */
export function calledAt(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname}/${WAKE_PATH}`;
	return url.toString();
}

/** Below which address n8n calls its waiting executions, as its resume URL for any of them shows. */
export function waitingUrlOf(resumeUrl: string): string | undefined {
	if (!URL.canParse(resumeUrl)) return undefined;
	const { origin, pathname } = new URL(resumeUrl);
	return `${origin}${pathname.slice(0, pathname.lastIndexOf('/') + 1)}`;
}

/** The words in which n8n refuses a call of an execution, and nobody else: it sends `code` and `message`, or this one. */
export function wordsOfN8n({ body }: Reply): string | undefined {
	const { code, message, error } = Object(body) as { code?: unknown; message?: unknown; error?: unknown };
	if (error === 'Invalid token') return error;
	return typeof code === 'number' && typeof message === 'string' ? message : undefined;
}

export const isOfN8n = (reply: Reply): boolean => wordsOfN8n(reply) !== undefined || reply.answer !== undefined;
