import type { Document } from '../client';

/** Asked right before it goes out: what this throws keeps it back. */
export type Confirm = () => Promise<void>;

/** What a creating operation wants, and how it makes it. */
export interface Creation {
	/** Everything that is asked for, as resolved. */
	asked: unknown;
	/**
	 * What makes it this contract, and no other, where nodes before ours have made its files anew;
	 * left out: everything that is asked for.
	 */
	contract?: unknown;
	send: boolean;
	/** Skip If Created; undefined: no look. */
	withinHours: number | undefined;
	emails: string[];
	/** As given; undefined: the one that the service gives. */
	title: string | undefined;
	/** The title that the service gives, where that takes a request. */
	titleOf?: () => Promise<string>;
	/** Makes and sends it in one request: nobody has an ID of it before. */
	direct?(confirm: Confirm): Promise<Document>;
	/** Makes a draft. */
	draft(confirm?: Confirm): Promise<Document>;
	/**
	 * Makes a draft ready to be sent.
	 *
	 * @param isOwn whether this very run of the node has made it
	 */
	prepare?(draft: Document, isOwn: boolean): Promise<Document>;
	/** Adds to the document what belongs to the output; to a draft nothing. */
	complete?(document: Document): Promise<Document>;
}
