import type { IExecuteFunctions } from 'n8n-workflow';
import {
	client,
	isGone,
	RecentMap,
	runOf,
	serviceOf,
	type Document,
	type Timestamp,
} from '../../client';
import type { Item } from '../../operation/parameters';

/** What is known for longer is read again before it counts. */
export const FRESH_MS = 60_000;

/**
 * Executions whose lists are kept: what a loop reads in one round, it need not read in the next.
 */
const MAX_LISTS = 10;

/** A document, and when it was known to be like this. */
type Known = { document: Document; at: Timestamp };

/**
 * The documents of the service as one execution knows them: read once, and then only what is newer.
 * One list serves all items of a run, and all rounds of a loop.
 */
class DocumentList {
	private readonly known = new Map<string, Known>();

	/** Since when the documents are known, by the computer's clock, and how far. */
	private since = Infinity;

	private readAt: Timestamp | undefined;

	/** The run of the node that has read last. */
	private reader: IExecuteFunctions | undefined;

	/** Reads what is not known since that moment. Throws as a call does. */
	async read(item: Item, since: Timestamp, readSince: number): Promise<void> {
		const { context, index } = item;
		const begun = client.moment();
		const readAt = this.since <= since.wallClock ? this.readAt : undefined;
		if (readAt && readAt.at >= readSince) {
			// In one run of the node the list serves all items; what others make meanwhile, they record.
			const isFresh = this.reader === context || client.elapsedSince(readAt) <= FRESH_MS;
			if (isFresh) return;
		}

		const from = readAt ?? since;
		const earliest = async () => (await client.serviceTime(context, from)).possible;
		const request = { since: earliest, itemIndex: index };
		// Those of before, too, that are on the same page: they may have been sent since.
		const documents = await client.all(context, 'GET /documents', request);
		for (const document of documents) this.note(document, begun);
		if (!readAt) this.since = since.wallClock;
		this.readAt = begun;
		this.reader = context;
	}

	note(document: Document, at: Timestamp): void {
		this.known.set(document.id, { document, at });
	}

	/** The newest last. */
	all(): Known[] {
		const createdAt = ({ document }: Known) => Date.parse(document.created_at);
		return [...this.known.values()].sort((one, other) => createdAt(one) - createdAt(other));
	}
}

const lists = new RecentMap<string, DocumentList>(MAX_LISTS);

/** What this process has made counts from then on, whenever a list was read with that key. */
export function noteMade(keyId: string, document: Document): void {
	for (const [name, list] of lists) {
		if (name.endsWith(keyId)) list.note(document, client.moment());
	}
}

/**
 * The documents created since a moment, the newest last, and whatever else was listed.
 *
 * @param readSince reads what is newer, unless the list was read since then, by the client's clock
 * @throws NodeApiError as a call does
 */
export async function documentsSince(
	item: Item,
	since: Timestamp,
	readSince: number,
): Promise<Known[]> {
	const name = await nameOf(item.context);
	const list = lists.get(name) ?? new DocumentList();
	lists.set(name, list);
	await list.read(item, since, readSince);
	return list.all();
}

/** Whether the execution has read its list. */
export async function isListed(context: IExecuteFunctions): Promise<boolean> {
	return lists.has(await nameOf(context));
}

async function nameOf(context: IExecuteFunctions): Promise<string> {
	// Another key may be that of another workspace.
	const { keyId } = await serviceOf(context);
	return `${runOf(context).execution} ${keyId}`;
}

/** Of the documents those created since a moment, by the service's clock. */
export async function createdSince(
	item: Item,
	documents: readonly Known[],
	since: Timestamp,
	toleranceMs: number,
): Promise<Known[]> {
	const { possible } = await client.serviceTime(item.context, since);
	return documents.filter(({ document }) => {
		return Date.parse(document.created_at) >= possible - toleranceMs;
	});
}

/**
 * The document as it is now. Throws every error of a call but one that says that there is no such
 * document.
 */
export async function readIfThere(item: Item, id: string): Promise<Document | undefined> {
	return await item.call('GET /documents/{id}', { path: { id } }).catch((error: Error) => {
		if (isGone(error)) return undefined;
		throw error;
	});
}

/**
 * A moment by the computer's clock, in milliseconds since the epoch. That clock may be set before
 * the moment is compared with something: so this is called before anything is waited for.
 */
export function momentOf(wallClock: number): Timestamp {
	const now = client.moment();
	return { at: now.at - (now.wallClock - wallClock), wallClock };
}
