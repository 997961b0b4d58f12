import type { Document } from '../../../service/wire';

/** The title of a document that was created without one (docs/service.md section 2). */
const DEFAULT_TITLE = 'Untitled document';

/** Characters of no width, and those that only direct others. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text as a person reads it: nobody promises that the service keeps how an accent or a space is
 * encoded.
 */
export function readAs(text: unknown): string {
	return typeof text === 'string'
		? text.normalize('NFC').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim()
		: '';
}

/**
 * An email address without regard to case. Nothing else is taken for another spelling of it: it may
 * be another person's.
 */
export function addressOf(email: unknown): string {
	return typeof email === 'string' ? email.normalize('NFC').trim().toLowerCase() : '';
}

type Person = { name?: unknown; email?: unknown; role?: unknown };

/**
 * Stands for people in any order; email addresses and roles without regard to upper and lower case.
 */
export function peopleKey(people: unknown): string {
	const listed = Array.isArray(people) ? (people as Person[]) : [];
	const spelt = listed.map(({ name, email, role }) => [
		readAs(name),
		addressOf(email),
		readAs(role).toLowerCase(),
	]);
	return JSON.stringify(spelt.map((one) => JSON.stringify(one)).sort());
}

/** What tells one document from another for a person: docs/architecture.md section 9. */
export type DocumentLikeness = {
	/** Left out: the one that the service gives. */
	title?: string;
	recipients: ReadonlyArray<{ name?: unknown; email: string; role?: unknown }>;
};

/** The same for documents of the same title and the same email addresses, in any order. */
export function likenessKey({ title = DEFAULT_TITLE, recipients }: DocumentLikeness): string {
	return JSON.stringify([readAs(title), recipients.map(({ email }) => addressOf(email)).sort()]);
}

/** The same title, and the same people in the same roles. */
export function isExactly(
	document: Document,
	{ title = DEFAULT_TITLE, recipients }: DocumentLikeness,
): boolean {
	return (
		readAs(document.title) === readAs(title) &&
		peopleKey(document.recipients) === peopleKey(recipients)
	);
}
