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

/** One URL of this n8n as seen from another: what stands before both changes with WEBHOOK_URL. */
export function relativeTo(base: string, url: string): string {
	const [from, to] = [new URL(base).pathname.split('/'), new URL(url).pathname.split('/')];
	const same = from.findIndex((part, index) => part !== to[index]);
	return `${'../'.repeat(from.length - 1 - same)}${to.slice(same).join('/')}${new URL(url).search}`;
}

/**
 * Where an execution is called: at the address of `base`, from which a relative resume URL is seen,
 * and at no other.
 */
export function calledAt(resumeUrl: string, base = resumeUrl): string {
	const { pathname, search } = new URL(resumeUrl, base);
	return Object.assign(new URL(base), { pathname: `${pathname}/${WAKE_PATH}`, search }).toString();
}
