/**
 * What an execution that waits is called by, after its resume URL. n8n's own Wait node in the same
 * execution listens at the URL itself, and is not to be woken by a call that comes late.
 */
export const WAKE_PATH = 'esign-documents';

/**
 * The waiting webhook's answer to a second call while it asks the service, or lets the execution go
 * on.
 */
export const BEING_WOKEN = 'The execution is being woken';
/** Its answer to whoever has another key than the one that it waits under, or none. */
export const NOT_ITS_WAIT = 'The execution does not wait under this key';

/**
 * Where an execution is called: at the address of `base`, whatever that of its resume URL was. That
 * may be a path with a query only.
 */
export function calledAt(resumeUrl: string, base = resumeUrl): string {
	const { pathname, search } = new URL(resumeUrl, base);
	return Object.assign(new URL(base), { pathname: `${pathname}/${WAKE_PATH}`, search }).toString();
}
