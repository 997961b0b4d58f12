/** The host of a URL that is this machine itself, as a pattern that fits into others. */
export const LOOPBACK_HOST = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;

const IS_LOOPBACK = new RegExp(`^${LOOPBACK_HOST}$`);

/**
 * Whether plain http may be used: anywhere but on this machine, keys and contracts would travel in
 * the clear.
 */
export function isLoopback(hostname: string): boolean {
	return IS_LOOPBACK.test(hostname);
}

/**
 * A URL as the service may give it back: the case of the host, a default port and the form of a
 * name do not matter.
 */
function hrefOf(url: string): string {
	return URL.canParse(url) ? new URL(url).href : url;
}

export function isSameUrl(one: string, other: string): boolean {
	return hrefOf(one) === hrefOf(other);
}
