import { keyIdOf, now, pause, requestLimit, type ApiContext, type ApiRequest, type Document } from '../../../transport';
import { EndedDocuments } from './endedDocuments';
import { readDocuments } from './readDocuments';

/**
 * From the beginning of one reading to the next with the same API key, if that has a rate limit. Twenty documents that end
 * within some seconds then cost a few of the ten requests a minute (docs/service.md section 8), and nobody waits for the next
 * minute.
 */
const APART_MS = 2_000;

/** A reading that the rate limit holds up for longer is given up, and each asks for his own. */
const LONGEST_MS = 60_000;

/** Documents that executions ask for, to be read at once. */
interface Reading {
	/** With an index of an item that names each, for the failure. */
	wanted: Map<string, number>;
	found: Map<string, Document>;
	/** How many executions ask. */
	askers: number;
	/** Resolves, never rejects, when everything was read that could be: with why some could not. */
	over: Promise<{ failure?: Error }>;
}

/** Of one API key in this process. */
interface Readings {
	/** When the newest one began. */
	begunAt: number;
	/** Resolves, never rejects, when the last one that was planned is over: one at a time. */
	last: Promise<unknown>;
	/** Has not begun: whoever asks now is served by it, with what the service says from now on. */
	next?: Reading;
}

const byKey = new Map<string, Readings>();

/**
 * Reads documents as `readDocuments` does, together with those that other executions of this process ask for: the first is
 * served at once, and what is asked for meanwhile is read in one go. All of it is asked of the service after the call.
 *
 * @param found where they are put
 * @throws NodeApiError as `readDocuments` does; what others asked for does not fail this
 */
export async function readTogether(
	context: ApiContext,
	documents: ReadonlyMap<string, number>,
	limits: Pick<ApiRequest, 'deadline'>,
	found: Map<string, Document>,
): Promise<void> {
	const keyId = await keyIdOf(context);
	const readings = byKey.get(keyId) ?? { begunAt: now() - APART_MS, last: Promise.resolve() };
	byKey.set(keyId, readings);
	readings.next ??= begin(context, readings);
	const reading = readings.next;
	reading.askers++;
	for (const [id, itemIndex] of documents) reading.wanted.set(id, itemIndex);
	const { failure } = await overOrLate(reading, context, limits);
	if (failure && reading.askers === 1) throw failure;
	const unread = new Map(documents);
	for (const id of documents.keys()) {
		const document = reading.found.get(id);
		if (document && unread.delete(id)) found.set(id, structuredClone(document));
	}
	// A document of somebody else may have failed, or his execution was cancelled: this failure is our own.
	if (unread.size > 0) await readDocuments(context, unread, limits, found);
}

/** Waits for a reading for as long as the caller has time, and as his execution goes on: then he asks for himself, or fails. */
async function overOrLate(
	{ over }: Reading,
	context: ApiContext,
	{ deadline = now() + 2 * LONGEST_MS }: Pick<ApiRequest, 'deadline'>,
): Promise<{ failure?: Error }> {
	const isOver = new AbortController();
	const stop = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const signal = stop ? AbortSignal.any([isOver.signal, stop]) : isOver.signal;
	try {
		return await Promise.race([over, pause(deadline - now(), signal).then(() => ({}))]);
	} finally {
		isOver.abort();
	}
}

function begin(context: ApiContext, readings: Readings): Reading {
	const wanted = new Map<string, number>();
	const found = new Map<string, Document>();
	const read = async (): Promise<void> => {
		try {
			if (await requestLimit(context)) await pause(readings.begunAt + APART_MS - now());
		} finally {
			readings.next = undefined;
			readings.begunAt = now();
		}
		try {
			await readDocuments(context, wanted, { deadline: now() + LONGEST_MS }, found);
		} finally {
			(await EndedDocuments.of(context)).add(found.values());
		}
	};
	const over = readings.last.then(read).then(
		() => ({}),
		(failure: Error) => ({ failure }),
	);
	readings.last = over;
	return { wanted, found, askers: 0, over };
}
