import { NodeApiError } from 'n8n-workflow';
import { MOST_ENTRIES } from '../service/limits';
import { client, asThrown, forgetOldest, keyIdOf, readCallFailure, type ApiContext, type Document } from '../client';

/** So few are read one by one; more of them are mostly among the newest, which one request lists. */
const FEW = 2;

/**
 * From the beginning of one reading to the next, if the key has a rate limit: what is asked for meanwhile is read in one go.
 */
const APART_MS = 2_000;

/** API keys of which readings are remembered. */
const MAX_KEYS = 100;

/** What is known of each document: itself, or that there is none. */
export type Found = Map<string, Document | NodeApiError>;

/** Documents to be read, by ID, with the index of an item that names each, for the failure. */
type Wanted = ReadonlyMap<string, number>;

interface Reading {
	wanted: Map<string, number>;
	found: Found;
	/** How many executions ask. */
	askers: number;
	failure?: Error;
	/** Resolves, never rejects, when everything was read that could be. */
	over: Promise<void>;
}

/** Of each API key the reading that has not begun, and the end of the last one that was planned. */
const readings = new Map<string, { next?: Reading; last: Promise<void>; begunAt: number }>();

/**
 * Reads documents, asked of the service after the call. What several executions of this process ask for while a reading of
 * the same API key is under way is read in one go: twenty documents that end within seconds would otherwise take two minutes
 * at ten requests a minute (docs/service.md section 8).
 *
 * @returns each document, or the failure that there is no such document
 * @throws NodeApiError as `apiRequest` does
 */
export async function readDocuments(context: ApiContext, documents: Wanted): Promise<Found> {
	const reading = await nextReading(context);
	for (const [id, itemIndex] of documents) reading.wanted.set(id, itemIndex);
	reading.askers++;
	await reading.over;
	if (reading.failure && reading.askers === 1) throw reading.failure;
	const found: Found = new Map();
	for (const id of documents.keys()) {
		const one = reading.found.get(id);
		// A workflow may change what an item holds.
		if (one) found.set(id, one instanceof NodeApiError ? one : structuredClone(one));
	}
	// The other execution was cancelled, or its document failed: this failure is our own.
	await read(context, documents, found);
	return found;
}

async function nextReading(context: ApiContext): Promise<Reading> {
	const keyId = await keyIdOf(context);
	const ofKey = readings.get(keyId) ?? { last: Promise.resolve(), begunAt: -Infinity };
	readings.set(keyId, ofKey);
	forgetOldest(readings, MAX_KEYS);
	if (!ofKey.next) {
		const reading: Reading = { wanted: new Map(), found: new Map(), askers: 0, over: Promise.resolve() };
		reading.over = ofKey.last.then(async () => {
			const limit = await client.requestLimit(context).catch(() => undefined);
			if (limit) await client.pause(Math.min(APART_MS, ofKey.begunAt + APART_MS - client.now()));
			Object.assign(ofKey, { next: undefined, begunAt: client.now() });
			await read(context, reading.wanted, reading.found).catch((failure: Error) => {
				reading.failure = failure;
			});
		});
		ofKey.next = reading;
		ofKey.last = reading.over;
	}
	return ofKey.next;
}

/** Reads what is not found yet: pages of the newest for as long as each has some of them, and the others one by one. */
async function read(context: ApiContext, documents: Wanted, found: Found): Promise<void> {
	const unread = () => [...documents].filter(([id]) => !found.has(id));
	let cursor: string | undefined;
	for (let before = Infinity; unread().length > FEW && unread().length < before;) {
		before = unread().length;
		const page = await client.page(context, 'GET /documents', { limit: MOST_ENTRIES, cursor });
		for (const document of page.data) found.set(document.id, document);
		if (!page.has_more || !page.next_cursor) break;
		cursor = page.next_cursor;
	}
	for (const [id, itemIndex] of unread()) {
		try {
			found.set(id, await client.call(context, 'GET /documents/{id}', { path: { id }, itemIndex }));
		} catch (error) {
			if (!(error instanceof NodeApiError) || readCallFailure(error).status !== 404) throw asThrown(error);
			found.set(id, error);
		}
	}
}
