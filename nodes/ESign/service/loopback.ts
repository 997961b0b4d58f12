/** The host of a URL that is this machine itself, as a pattern that fits into others. */
export const LOOPBACK_HOST = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])`;

const IS_LOOPBACK = new RegExp(`^${LOOPBACK_HOST}$`);

/** Whether plain http may be used: anywhere but on this machine, keys and contracts would travel in the clear. */
export function isLoopback(hostname: string): boolean {
	return IS_LOOPBACK.test(hostname);
}
