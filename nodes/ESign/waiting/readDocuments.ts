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
import { withWaitingFor } from '../operation/waitingFor';
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
export type FoundDocuments = Map<string, Document | NodeApiError>;
/** Documents to be read, by ID, with the index of an item that names each, for the failure. */
type Wanted = ReadonlyMap<string, number>;

/** One reading for all who ask while the round before it is under way. */
type Round = {
	wants: Wanted[];
	found: Promise<FoundDocuments>;
	/** When it began, by the clock that cannot be set: until then anybody may join it. */
	begunAt?: number;
};

/** The last round with each API key, of the hundred that were used last. */
const lastRounds = new RecentMap<string, Round>(100);

function planRound(context: ApiContext, before?: Round): Round {
	const wants: Wanted[] = [];
	const begin = async (): Promise<FoundDocuments> => {
		await before?.found.catch(() => undefined);
		const limit = await client.requestLimit(context).catch(() => undefined);
		const apart = Math.min(LONGEST_APART_MS, 60_000 / (limit ?? Infinity));
		const { begunAt = -Infinity } = before ?? {};
		await client.pause(begunAt + apart - client.now());
		round.begunAt = client.now();
		return await read(context, new Map(wants.flatMap((wanted) => [...wanted])));
	};
	const round: Round = { wants, found: begin() };
	return round;
}

/**
 * Reads documents, asked of the service after the call. What several executions of this process ask
 * for while a round is under way is read in the next: twenty documents that end within seconds
 * would otherwise take two minutes at ten requests a minute. One who shared a round and failed, as
 * when another was cancelled, asks alone.
 *
 * @param group whose rounds these are, where that is known without the API key
 * @returns each document, or the failure that there is no such document
 * @throws NodeApiError as `client.call` does
 */
export async function readDocuments(
	context: ApiContext,
	documents: Wanted,
	group?: string | null,
): Promise<FoundDocuments> {
	const name = group ?? (await serviceOf(context)).keyId;
	const last = lastRounds.get(name);
	const isOpen = last && last.begunAt === undefined;
	const round = isOpen ? last : planRound(context, last);
	lastRounds.set(name, round);
	round.wants.push(documents);
	const found = await round.found.catch(async (error) => {
		if (round.wants.length === 1) throw asThrown(error);
		return await read(context, documents);
	});
	return new Map([...found].filter(([id]) => documents.has(id)));
}

/** Reads pages of the newest for as long as each has some of them, and the others one by one. */
async function read(context: ApiContext, documents: Wanted): Promise<FoundDocuments> {
	const found: FoundDocuments = new Map();
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
	found: FoundDocuments,
): Promise<INodeExecutionData[]> {
	const items = new Map<string, INodeExecutionData>();
	for (const [id, one] of found) {
		// A document that was there when the wait began may have been removed since.
		const isThere = !(one instanceof NodeApiError);
		// Others share what was read, and a workflow may change what an item holds.
		const item = {
			json: isThere ? withWaitingFor(structuredClone(one)) : { id, error: one.message },
		};
		const isCompleted = isThere && one.status === 'completed';
		items.set(id, isCompleted ? await withFiles(context, item, id, files) : item);
	}
	return documents.flatMap((id) => items.get(id) ?? []);
}
