import type { Document } from '../../client';

/** The title of a document that was created without one (docs/service.md section 2). */
const DEFAULT_TITLE = 'Untitled document';

/** Characters of no width, and those that only direct others. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** What tells one document from another for a person (docs/architecture.md section 4). */
export interface Likeness {
	/** Left out: the one that the service gives. */
	title?: string;
	emails: string[];
}

/**
 * The same for titles that a person cannot tell apart: nobody promises that the service keeps how
 * an accent or a space is encoded.
 */
export function titleKey(title: string = DEFAULT_TITLE): string {
	return title.normalize('NFC').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim();
}

/** The same for the same email addresses, in any order and case. */
export function peopleKey(emails: readonly string[]): string {
	const addresses = emails.map((email) => email.normalize('NFC').trim().toLowerCase());
	return JSON.stringify(addresses.sort());
}

/** The same for documents of the same title and the same people. */
export function likenessKey({ title, emails }: Likeness): string {
	return JSON.stringify([titleKey(title), peopleKey(emails)]);
}

export function likenessOf({ title, recipients }: Document): Likeness {
	return { title, emails: recipients.map(({ email }) => email) };
}
