import type { Document } from '../client';
import type { Item } from '../operation/parameters';
import type { Kept } from './kept';
import type { Likeness } from './likeness';
import type { NodeMemory } from './nodeMemory';

/** What an item wants, as far as it is needed to find out what became of it. */
export interface Wanted {
	item: Item;
	kept: Kept;
	memory: NodeMemory;
	/** Stands for the item in n8n's memory. */
	claim: string;
	/** A hash of everything that is asked for. */
	asked: string;
	/** The run of the node. Equal rows of one run are as many contracts. */
	runId?: string;
	send: boolean;
	/** Title and people; the title of a template takes a request. */
	likeness(): Promise<Likeness>;
}

/** What is there of what an item wants: it is out, or a draft is there that is to be sent. */
export type Found = { out: Document } | { draft: Document };

/** Statuses of documents that were sent and not withdrawn. */
export const SENT_STATUSES = ['in_progress', 'completed', 'declined'];

/**
 * In n8n's memory: a document is somebody's, it is this item's, and it is what the item asks for.
 */
export const entriesFor = ({ claim, asked }: Pick<Wanted, 'claim' | 'asked'>, id: string) => ({
	known: id,
	own: `${claim} ${id}`,
	same: `${claim} ${asked} ${id}`,
});

/** Records whose a document is. Throws what n8n throws where its database is away. */
export async function recordDocument(wanted: Wanted, id: string): Promise<void> {
	const { known, own, same } = entriesFor(wanted, id);
	await wanted.memory.record(known, own, same);
}
