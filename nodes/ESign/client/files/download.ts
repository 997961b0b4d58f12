import { NodeOperationError, type IBinaryData, type IExecuteFunctions, type IN8nHttpFullResponse } from 'n8n-workflow';
import { isLoopback } from '../../service/loopback';
import { codeOf, outcomeOfBrokenConnection, type Outcome, type Unanswered } from '../call/outcome';
import { asThrown } from '../errors/asThrown';
import type { ErrorContext } from '../errors/failure';
import { exhausted } from '../errors/givenUp';
import { refusal } from '../errors/refusal';
import { isObject } from '../isObject';
import { backoffMs } from '../once/attempts';
import type { Caller } from '../once/call';
import { throwIfCancelled, wait } from '../pacing/pause';
import { fileNameIn, mimeTypeIn } from './fileHeaders';
import { Incoming, type Body } from './incoming';

/** A file that n8n has stored. */
export type Download = { binary: IBinaryData; fileName: string; mimeType: string; sizeBytes: number };

/** How n8n stores what comes, without holding it where its binary data is on disk. */
type Store = IExecuteFunctions['helpers']['prepareBinaryData'];

/** The class of any Readable: the module `stream` may not be imported. */
type ReadableMaker = {
	from: (chunks: AsyncIterable<Buffer>, options: { objectMode: false }) => Parameters<Store>[0];
};

const MAX_REDIRECTS = 3;

/** What a page of a proxy or of a sign-in comes as, with status 200; no file of a document does. */
const NO_FILE = /^(?:text\/html|application\/(?:xhtml\+xml|json|problem\+json))$/i;

type Fetched =
	| { kind: 'file'; file: Download }
	| { kind: 'redirect'; location: string }
	| Extract<Outcome, { kind: 'refused' }>
	| Unanswered;

/** What the errors say of a download. */
export const DOWNLOAD = {
	endpoint: 'GET /documents/{id}/files/{variant}',
	action: 'download the file',
	pins: [],
} satisfies Partial<ErrorContext>;

type Downloader = Caller &
	ErrorContext & {
		/** For a file whose response names none. */
		fileName: string;
		store: Store;
	};

/**
 * Fetches a URL that the service gave out (docs/service.md section 4, documents, rule 6), without the API key.
 * Redirects are followed a few times, each held to the same rules as the URL itself.
 *
 * The file goes from the connection into n8n's store. One that breaks off, stalls or is incomplete is fetched anew; what was
 * stored of it belongs to the execution and goes with it.
 *
 * @throws NodeApiError if it cannot be had, NodeOperationError for a URL that is not to be fetched, Cancelled
 */
export async function download(caller: Downloader, firstUrl: string): Promise<Download> {
	const { settings, signal } = caller;
	const beganAt = settings.clock.now();
	let url = checkedUrl(caller, firstUrl);
	for (let failures = 0, redirects = 0; ;) {
		const fetched = await fetchOnce(caller, url);
		if (fetched.kind === 'file') return fetched.file;
		if (fetched.kind === 'redirect') {
			redirects += 1;
			if (redirects > MAX_REDIRECTS) throw notToBeFetched(caller, 'The download is redirected too often');
			url = checkedUrl(caller, fetched.location, url);
			continue;
		}
		if (fetched.kind === 'refused') throw refusedDownload(caller, fetched.status, fetched.body);
		failures += 1;
		if (failures >= settings.attempts || (fetched.kind === 'notSent' && fetched.fatal)) {
			const spent = { attempts: failures, ms: settings.clock.now() - beganAt };
			throw exhausted(caller, 'not sent', fetched, spent);
		}
		await wait(settings.clock, backoffMs(settings, failures), signal);
	}
}

async function fetchOnce(caller: Downloader, url: string): Promise<Fetched> {
	const { context, settings, signal } = caller;
	throwIfCancelled(signal);
	const over = new AbortController();
	// Not joined with `any`: the signal of a long run would keep what was joined to it.
	signal.addEventListener('abort', () => over.abort(), { signal: over.signal });
	let status: number | undefined;
	try {
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
			abortSignal: over.signal,
		})) as IN8nHttpFullResponse;
		status = response.statusCode;
		const incoming = new Incoming(response.body as unknown as Body, settings.stallMs, over);
		if (status < 300) return await stored(caller, response, incoming);
		const { location } = response.headers;
		if (status < 400 && typeof location === 'string') return { kind: 'redirect', location };
		const body = await incoming.json();
		if (status === 429) return { kind: 'unknown', reason: 'the service is asked too often', status, body };
		if (status >= 500) return { kind: 'unknown', reason: `the service answered with status ${status}`, status, body };
		return { kind: 'refused', status, body };
	} catch (error) {
		throwIfCancelled(signal);
		if (error instanceof NodeOperationError) throw asThrown(error);
		if (status === undefined) return outcomeOfBrokenConnection(error);
		const code = codeOf(error);
		const broken = `the connection broke before the file was complete${code === '' ? '' : ` (${code})`}`;
		return { kind: 'unknown', reason: over.signal.aborted ? String(over.signal.reason) : broken, status };
	} finally {
		over.abort();
	}
}

async function stored(
	caller: Downloader,
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	incoming: Incoming,
): Promise<Fetched> {
	const mimeType = mimeTypeIn(headers);
	if (NO_FILE.test(mimeType)) return { kind: 'unknown', reason: `${mimeType} came instead of the file`, status };
	const fileName = fileNameIn(headers) ?? caller.fileName;
	const { maxDownloadBytes } = caller.settings;
	const megabytes = Math.floor(maxDownloadBytes / 1024 / 1024);
	const refused = () => notToBeFetched(caller, `The file was not fetched: the file has more than ${megabytes} MB`);
	// n8n takes a Readable only, and every kind of Readable has the function that makes one.
	const { from } = (body as unknown as Body & { constructor: ReadableMaker }).constructor;
	const stream = from(incoming.chunks(maxDownloadBytes, refused), { objectMode: false });
	const binary = await caller.store(stream, fileName, mimeType).catch((error: unknown) => {
		if (incoming.failure) throw incoming.failure;
		// Another try would end the same.
		const remedy = 'Check the storage of binary data in n8n, then try again.';
		const why = error instanceof Error ? error.message : String(error);
		throw notToBeFetched(caller, `n8n could not store the file: ${why}`, remedy);
	});
	if (incoming.size === 0) return { kind: 'unknown', reason: 'the file arrived incomplete', status };
	return { kind: 'file', file: { binary, fileName, mimeType, sizeBytes: incoming.size } };
}

/** Https only, so that a signed contract does not travel in the clear; a sandbox on this machine excepted. */
function checkedUrl(caller: Downloader, text: string, base?: string): string {
	if (!URL.canParse(text, base)) throw notToBeFetched(caller, 'The service gave a download URL that is not a URL');
	const url = new URL(text, base);
	const own = new URL(caller.service.baseUrl);
	const isLocal = url.protocol === 'http:' && isLoopback(url.hostname) && url.hostname === own.hostname;
	if (url.protocol !== 'https:' && !isLocal) {
		throw notToBeFetched(caller, 'The download URL does not start with https://');
	}
	url.username = '';
	url.password = '';
	return url.href;
}

function notToBeFetched(
	{ context, itemIndex }: ErrorContext,
	message: string,
	description = 'The file was not fetched. Get a new download URL and try again.',
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

/** A URL that is too old is refused by whoever stores the file, in whatever form that has. */
function refusedDownload(site: ErrorContext, status: number, body: unknown) {
	if (isObject(body) && isObject(body.error)) return refusal(site, status, body);
	const message = 'The download URL is not valid any more: it lasts 10 minutes. Get a new one and try again.';
	return refusal(site, status, { error: { code: '', message } });
}
