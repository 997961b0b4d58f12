import { randomUUID } from 'crypto';
import { client, type Document } from '../client';
import type { Item } from '../operation/parameters';
import type { Kept, OpenRequest } from './kept';
import type { Likeness } from './likeness';
import type { NodeMemory } from './nodeMemory';

/** What an item wants, as far as it is needed to find out what became of it. */
export interface Wanted {
	item: Item;
	kept: Kept;
	memory: NodeMemory;
	/** Stands for the item in n8n's memory. */
	claim: string;
	/** Stands there for it as begun. */
	begunEntry: string;
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

/**
 * Records in n8n's memory that the item is begun, and that the document is its own: as soon as the ID
 * is known, and before it is sent. What n8n cannot record does not stop it.
 */
export async function recordDocument(wanted: Wanted, id: string): Promise<void> {
	const { known, own, same } = entriesFor(wanted, id);
	await wanted.memory.record(wanted.begunEntry, known, own, same).catch(() => undefined);
}

/** Nothing has been sent for the item: a retry need not look. */
export async function forgetBegun({ memory, begunEntry }: Wanted): Promise<void> {
	await memory.forget(begunEntry).catch(() => undefined);
}

/** Something that the item asks for now. */
export function newRequest(
	{ claim: item, runId: run, asked }: Wanted,
	likeness: Likeness,
): OpenRequest {
	return { key: randomUUID(), item, run, asked, likeness, keptAt: client.now() };
}
