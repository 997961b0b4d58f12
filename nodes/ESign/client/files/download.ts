import {
	NodeOperationError,
	type IBinaryData,
	type IN8nHttpFullResponse,
	type IWebhookFunctions,
} from 'n8n-workflow';
import type { Call } from '../call/call';
import { codeOf, outcomeOfBrokenConnection, type Outcome } from '../call/outcome';
import { TOO_LATE, within } from '../call/sendRequest';
import { asThrown, failure } from '../errors/failure';
import { Cancelled } from '../pacing/pause';
import { callWithRetry } from '../retry/callWithRetry';
import { fileNameIn } from './fileHeaders';

/** A file that n8n has stored, under the name that it has there. */
export type Download = { binary: IBinaryData; sizeBytes: number };

/** What keeps a file: n8n's helper of the context, or memory. */
type Store = IWebhookFunctions['helpers']['prepareBinaryData'];

/**
 * What is used of a Node.js `Readable`, and of its class. The module `stream` may not be imported,
 * not even for its types.
 */
type Body = AsyncIterable<Buffer> & {
	on(event: 'error', listener: () => void): unknown;
	constructor: {
		from: (chunks: AsyncIterable<Buffer>, options: { objectMode: false }) => Parameters<Store>[0];
	};
};

const MAX_REDIRECTS = 3;

/** A PDF has its marks within so many bytes of its two ends, as readers of PDFs take it. */
const EDGE_BYTES = 1_024;

/**
 * Fetches a file of a document into n8n's store, from the URL that the service gives for it
 * (docs/service.md section 4, documents, rule 6), without the API key. Each is a PDF, whatever its
 * headers say: one that breaks off, stalls or is none or not whole is fetched anew. If the store
 * refuses the URL, which lasts 10 minutes, the service is asked for another one, once.
 *
 * @param call of the endpoint that gives the URL
 * @throws NodeApiError if it cannot be had, NodeOperationError for a URL that is not to be fetched,
 * Cancelled
 */
export async function download(call: Call, store: Store): Promise<Download> {
	let url = await newUrl(call);
	let isSecondUrl = false;

	const file = await callWithRetry(call, async () => {
		let fetched = await fetchOnce(call, store, url);
		if (fetched.kind === 'refused' && !isSecondUrl) {
			isSecondUrl = true;
			url = await newUrl(call);
			fetched = await fetchOnce(call, store, url);
		}
		if (fetched.kind !== 'refused') return fetched;
		// What the store answers is not what the service answers: nothing is said of the API key.
		const { status } = fetched;
		const message = `Could not download the file: where it is stored, the URL was refused (status ${status})`;
		const description = 'A second URL was refused as well. Try again later.';
		throw failure(call, status, { message, description });
	});
	return file as unknown as Download;
}

/** As `download`, into memory: for a file of which nothing is kept. */
export async function downloadBytes(call: Call): Promise<Buffer> {
	let chunks: Buffer[] = [];
	await download(call, async (body) => {
		// What came before the connection broke comes again.
		chunks = [];
		for await (const chunk of body as unknown as Body) {
			chunks.push(chunk);
		}
		return { data: '', mimeType: '' };
	});
	return Buffer.concat(chunks);
}

async function newUrl(call: Call): Promise<string> {
	return String((await callWithRetry(call)).url);
}

/** @returns the file as the body of what is done */
async function fetchOnce(call: Call, store: Store, firstUrl: string): Promise<Outcome> {
	const { signal } = call;
	const over = new AbortController();
	// Not joined with `any`: the signal of a long run would keep what was joined to it.
	signal.addEventListener('abort', () => over.abort(), { signal: over.signal });
	let status: number | undefined;
	try {
		let url = checkedUrl(call, firstUrl);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			status = undefined;
			const response = await request(call, url, over.signal);
			status = response.statusCode;
			const { location } = response.headers;
			if (status < 300) return await stored(call, store, response);
			const reason = `the service answered with status ${status}`;
			if (status === 429 || status >= 500) return incomplete(reason, status);
			if (status >= 400 || typeof location !== 'string')
				return { kind: 'refused', status, body: {} };
			url = checkedUrl(call, location, url);
		}
		throw notToBeFetched(call, 'The download is redirected too often');
	} catch (error) {
		if (signal.aborted) throw asThrown(new Cancelled());
		if (error instanceof NodeOperationError) throw asThrown(error);
		if (status === undefined) return outcomeOfBrokenConnection(error);
		const isStalled = codeOf(error) === TOO_LATE;
		const broken = 'the connection broke before the file was complete';
		return incomplete(isStalled ? 'the file stopped coming' : broken, status);
	} finally {
		over.abort();
	}
}

async function request({ context, settings }: Call, url: string, abortSignal: AbortSignal) {
	const response = (await context.helpers.httpRequest({
		method: 'GET',
		url,
		// A PDF is packed already; only what comes as it is can be held against its length.
		headers: { 'Accept-Encoding': 'identity' },
		encoding: 'stream',
		timeout: settings.transferTimeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		abortSignal,
	})) as IN8nHttpFullResponse;
	// An error before somebody reads would end n8n's process.
	(response.body as unknown as Body).on('error', () => undefined);
	return response;
}

async function stored(call: Call, store: Store, response: IN8nHttpFullResponse): Promise<Outcome> {
	const { id, variant } = call.request.path ?? {};
	const fileName = fileNameIn(response.headers) ?? `${id}-${variant}.pdf`;
	const body = response.body as unknown as Body;
	let sizeBytes = 0;
	let start = Buffer.of();
	let end = start;
	let failure: unknown;
	async function* chunks(): AsyncGenerator<Buffer> {
		try {
			const reader = body[Symbol.asyncIterator]();
			for (;;) {
				// While nobody wants more of it, it is not the connection that is slow.
				const read = await within(call.settings.stallMs, reader.next());
				if (read.done) return;
				sizeBytes += read.value.length;
				start = Buffer.concat([start, read.value.subarray(0, EDGE_BYTES)]).subarray(0, EDGE_BYTES);
				end = Buffer.concat([end, read.value.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
				yield read.value;
			}
		} catch (error) {
			failure = error;
			throw asThrown(error);
		}
	}
	// Not held in memory where binary data is on disk. n8n takes a Readable only, and each kind of it
	// has the function that makes one.
	const stream = body.constructor.from(chunks(), { objectMode: false });
	const binary = await store(stream, fileName, 'application/pdf').catch((error: unknown) => {
		if (failure) throw asThrown(failure);
		// Another try would end the same.
		const remedy = 'Check the storage of binary data in n8n, then try again.';
		const why = error instanceof Error ? error.message : String(error);
		throw notToBeFetched(call, `n8n could not store the file: ${why}`, remedy);
	});
	// What cuts a file off may end the connection as if all had come; and a proxy or a sign-in may
	// answer with a page of its own.
	const isWhole = start.includes('%PDF-') && end.includes('%%EOF');
	if (!isWhole) return incomplete('what arrived is not a whole PDF', response.statusCode);
	return { kind: 'done', body: { binary, sizeBytes } };
}

const incomplete = (reason: string, status: number): Outcome => ({
	kind: 'unknown',
	reason,
	status,
});

/**
 * Https only, so that a signed contract does not travel in the clear; a sandbox on this machine
 * excepted.
 */
function checkedUrl(call: Call, text: string, base?: string): string {
	const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
	// A base URL with http is on this machine (service/credential.ts).
	const own = new URL(call.service.baseUrl);
	const isLocal = url?.protocol === own.protocol && url.hostname === own.hostname;
	if (url?.protocol === 'https:' || isLocal) return url.href;
	throw notToBeFetched(call, 'The download URL is not an https address');
}

function notToBeFetched(
	{ context, request }: Call,
	message: string,
	description = 'The file was not fetched. Get a new download URL and try again.',
): NodeOperationError {
	const { itemIndex } = request;
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}
