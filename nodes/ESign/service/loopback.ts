/** The host of a URL that is this machine itself, as a pattern that fits into others. */
export const LOOPBACK_HOST = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;

const IS_LOOPBACK = new RegExp(`^${LOOPBACK_HOST}$`);

/**
 * Is this the `hostname` of a URL on this machine itself? Only such a host may be reached by plain http, because elsewhere
 * keys, secrets and contracts would travel in the clear.
 */
export function isLoopback(hostname: string): boolean {
	return IS_LOOPBACK.test(hostname);
}
