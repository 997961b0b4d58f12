import {
	NodeApiError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { MAX_ENTRIES } from '../service/limits';
import {
	client,
	asThrown,
	pagesOf,
	isGone,
	RecentMap,
	serviceOf,
	type ApiContext,
	type Document,
} from '../client';
import { withFiles } from '../operation/completedFiles';
import type { SavedWait } from './savedWait';

/**
 * So few are read one by one; more of them are mostly among the newest, which one request lists.
 */
const FEW = 2;
/**
 * From the beginning of one round to the next at most, if the key has a rate limit: less where it
 * allows more than 12 a minute.
 */
const LONGEST_APART_MS = 5_000;

/** What is known of each document: itself, or that there is none. */
export type Found = Map<string, Document | NodeApiError>;
/** Documents to be read, by ID, with the index of an item that names each, for the failure. */
type Wanted = ReadonlyMap<string, number>;

/** The rounds in which the service is asked with one API key. */
class Rounds {
	/** The one that has not begun, which anybody may join. */
	private next?: { wants: Wanted[]; found: Promise<Found> };
	private last: Promise<unknown> = Promise.resolve();
	private begunAt = -Infinity;

	/**
	 * Asks in the next round; one who shared it and failed, as when another was cancelled, asks
	 * alone.
	 */
	async ask(context: ApiContext, documents: Wanted): Promise<Found> {
		const round = (this.next ??= this.plan(context));
		round.wants.push(documents);
		return await round.found.catch(async (error) => {
			if (round.wants.length === 1) throw asThrown(error);
			return await read(context, documents);
		});
	}

	private plan(context: ApiContext) {
		const wants: Wanted[] = [];
		const found = this.last.then(async () => {
			const limit = await client.requestLimit(context).catch(() => undefined);
			const apart = Math.min(LONGEST_APART_MS, 60_000 / (limit ?? Infinity));
			await client.pause(this.begunAt + apart - client.now());
			Object.assign(this, { next: undefined, begunAt: client.now() });
			return await read(context, new Map(wants.flatMap((wanted) => [...wanted])));
		});
		this.last = found.catch(() => undefined);
		return { wants, found };
	}
}

/** By API key, of the hundred that were used last. */
const roundsOf = new RecentMap<string, Rounds>(100);

/**
 * Reads documents, asked of the service after the call. What several executions of this process ask
 * for while a round is under way is read in the next: twenty documents that end within seconds
 * would otherwise take two minutes at ten requests a minute.
 *
 * @param group whose rounds these are, where that is known without the API key
 * @returns each document, or the failure that there is no such document
 * @throws NodeApiError as `client.call` does
 */
export async function readDocuments(
	context: ApiContext,
	documents: Wanted,
	group?: string | null,
): Promise<Found> {
	const name = group ?? (await serviceOf(context)).keyId;
	const rounds = roundsOf.get(name) ?? new Rounds();
	roundsOf.set(name, rounds);
	const found = await rounds.ask(context, documents);
	return new Map([...found].filter(([id]) => documents.has(id)));
}

/** Reads pages of the newest for as long as each has some of them, and the others one by one. */
async function read(context: ApiContext, documents: Wanted): Promise<Found> {
	const found: Found = new Map();
	const unread = () => [...documents].filter(([id]) => !found.has(id));
	const newest = pagesOf(context, async (cursor) => {
		return await client.call(context, 'GET /documents', { query: { limit: MAX_ENTRIES, cursor } });
	});
	for (let before = Infinity; unread().length > FEW && unread().length < before;) {
		before = unread().length;
		const { value = [] } = await newest.next();
		for (const document of value) found.set(document.id, document);
	}
	for (const [id, itemIndex] of unread()) {
		try {
			found.set(id, await client.call(context, 'GET /documents/{id}', { path: { id }, itemIndex }));
		} catch (error) {
			if (!(error instanceof NodeApiError) || !isGone(error)) throw asThrown(error);
			found.set(id, error);
		}
	}
	return found;
}

/**
 * The item of each document waited for, in order: as Get puts it out, with the files that are
 * wanted of a completed one.
 */
export async function endedItems(
	context: IExecuteFunctions | IWebhookFunctions,
	{ documents, files }: SavedWait,
	found: Found,
): Promise<INodeExecutionData[]> {
	const items = new Map<string, INodeExecutionData>();
	for (const [id, one] of found) {
		// A document that was there when the wait began may have been removed since.
		const isThere = !(one instanceof NodeApiError);
		// Others share what was read, and a workflow may change what an item holds.
		const item = { json: isThere ? structuredClone(one) : { id, error: one.message } };
		const isCompleted = isThere && one.status === 'completed';
		items.set(id, isCompleted ? await withFiles(context, item, id, files) : item);
	}
	return documents.flatMap((id) => items.get(id) ?? []);
}
