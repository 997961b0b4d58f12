/** Characters of no width, and those that only direct others. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text as a person reads it. An accent may be a character of its own or part of its letter, a space may be one that does not
 * break, and nobody promises that the service keeps which.
 */
export function readAs(text: unknown): string {
	return typeof text === 'string' ? text.normalize('NFC').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim() : '';
}

/** A domain whose characters are not all ASCII. */
const INTERNATIONAL = /^(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.-]+$/u;

/** Of an address in numbers there are many spellings; nobody says that the service knows them. */
const IN_NUMBERS = /(^|\.)\d+$/;

/**
 * An e-mail address without regard to case, its domain as the internet knows it: `bücher.example` is `xn--bcher-kva.example`.
 * Nothing else is taken for another spelling of it: it may be another person's.
 */
export function addressOf(email: unknown): string {
	const address = typeof email === 'string' ? email.normalize('NFC').trim().toLowerCase() : '';
	const at = address.lastIndexOf('@');
	const domain = address.slice(at + 1);
	const url = `http://${domain}/`;
	if (at < 1 || !INTERNATIONAL.test(domain) || !URL.canParse(url)) return address;
	const { hostname } = new URL(url);
	return IN_NUMBERS.test(hostname) ? address : `${address.slice(0, at)}@${hostname}`;
}

type Person = { name?: unknown; email?: unknown; role?: unknown };

/** Stands for people in any order; e-mail addresses and roles without regard to upper and lower case. */
export function peopleKey(people: unknown): string {
	const listed = Array.isArray(people) ? (people as Person[]) : [];
	const spelt = listed.map(({ name, email, role }) => [readAs(name), addressOf(email), readAs(role).toLowerCase()]);
	return JSON.stringify(spelt.map((one) => JSON.stringify(one)).sort());
}
