/** Characters of no width, and those that only direct others. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text as a person reads it, for comparing what was asked for with what the service has: an accent may be a character of its
 * own or part of its letter, a space may be one that does not break, and nobody promises that the service keeps which.
 */
export function readAs(text: unknown): string {
	return typeof text === 'string' ? text.normalize('NFC').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim() : '';
}

/** An e-mail address without regard to case, its domain as the internet knows it: `bücher.example` is `xn--bcher-kva.example`. */
export function addressOf(email: unknown): string {
	const address = readAs(email).toLowerCase();
	const at = address.lastIndexOf('@');
	const url = `http://${address.slice(at + 1)}/`;
	return at > 0 && URL.canParse(url) ? `${address.slice(0, at)}@${new URL(url).hostname}` : address;
}
