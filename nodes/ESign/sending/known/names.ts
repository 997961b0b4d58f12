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
 * A text as a person reads it: nobody promises that the service keeps how an accent or a space is
 * encoded.
 */
function asRead(text: string): string {
	return text.normalize('NFC').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim();
}

/** The same for the same email addresses, in any order and case. */
export function peopleKey(emails: readonly string[]): string {
	const addresses = emails.map((email) => email.normalize('NFC').trim().toLowerCase());
	return JSON.stringify(addresses.sort());
}

/** The same for titles that a person cannot tell apart. */
export function titleKey(title: string = DEFAULT_TITLE): string {
	return asRead(title);
}

/** The same for documents of the same title and the same people. */
export function likenessKey({ title, emails }: Likeness): string {
	return JSON.stringify([titleKey(title), peopleKey(emails)]);
}

export function likenessOf({ title, recipients }: Document): Likeness {
	return { title, emails: recipients.map(({ email }) => email) };
}

/** What stands for an item. */
export interface Names {
	/** Its node, data and place: see `beginRun`. */
	item: string;
	/** Its node, and all that it asks for. */
	same: string;
	/** Likewise, but for what nodes before ours may have made anew, as its files. */
	alike: string;
	/**
	 * The facts that it is begun: the item, and of those two its number among those that ask for that
	 * (see `numbered`).
	 */
	begun: readonly string[];
	/** A hash of the parameters as they are written in the workflow. */
	written: string;
	/** Its title and its people. */
	title: string;
	people: string;
	/** Whether it has data, which may tell it from others. */
	hasData: boolean;
	/** Whether the execution knows of no equal item. */
	isAlone: boolean;
	/** Whether Skip If Created is set. */
	isSkipping: boolean;
}

/** The node, and the executions that were retried from each other: an item's ID begins with it. */
export function nodeOf(item: string): string {
	return item.slice(0, item.indexOf(' '));
}

/** An item's node, data and operation, which equal items share. */
export function sharedByEquals(item: string): string {
	return item.slice(0, item.lastIndexOf('/'));
}

/**
 * Stands for the item as sent in one request with this title to these people, and likewise for what
 * it asks for: nobody has an ID of it, and it may be corrected since. Without a title: the
 * template's.
 */
export function sentAs({ item, same }: Names, { title, emails }: Likeness): string[] {
	const name = title === undefined ? 'its template' : titleKey(title);
	const as = `sent as ${name} to ${peopleKey(emails)}`;
	return [`${item} ${as}`, `${same} ${as}`];
}

/** There are equal items. */
export function withEqual({ item }: Names): string {
	return `${sharedByEquals(item)} has an equal`;
}

/** A document is recorded for a name. */
export function asOwn(name: string, id: string): string {
	return `${name} ${id}`;
}

/** A document is recorded for the item, and as the node is written. */
export function asOfItem({ item, written }: Names, id: string): [string, string] {
	return [asOwn(item, id), `${asOwn(item, id)} by ${written}`];
}

/** Any document is recorded for an item; or several are. */
export function withDocument(item: string, isOneOfSeveral = false): string {
	return `${item} has ${isOneOfSeveral ? 'documents' : 'a document'}`;
}

/** What was left of an item is of another execution now, which continues with it. */
export function asTakenOver(item: string, id: string): string {
	return `${id} is no longer of ${nodeOf(item)}`;
}

/** An item is done with a document. */
export function done(id: string): string {
	return `${id} done`;
}

/**
 * A person was asked whether a document is the item's; while the node was written like this; under
 * this title.
 */
export function asNamed({ item, written, title }: Names, id: string): string[] {
	const was = `${asOwn(item, id)} was named`;
	return [was, `${was} by ${written}`, `${was} as ${title}`];
}

/** Whether a person was asked, and has given the item another title in the node since. */
export function isDenied([isNamed, isNamedBy, isNamedAs]: readonly boolean[]): boolean {
	return isNamed === true && !isNamedBy && !isNamedAs;
}
