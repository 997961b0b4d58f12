/**
 * The only code of this package that speaks HTTP: every call paced, done once, and with every
 * failure in words.
 */
import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Endpoint, ItemOf, PagedEndpoint } from '../service/endpoints';
import type { Document, File, Page, ResponseOf } from '../service/wire';
import type { ApiRequest } from './call/address';
import { readAll, type Selection } from './call/pages';
import { asThrown, type ErrorContext } from './errors/failure';
import { cancellation } from './errors/givenUp';
import { download, DOWNLOAD, type Download } from './files/download';
import { multipartFile } from './files/multipartFile';
import { callOf, type Call, type Caller } from './once/call';
import { callOnce } from './once/callOnce';
import { begunBy, finishDraft, type DraftAsked, type KeptDraft } from './once/unfinished/pursue';
import { newestDocuments } from './once/looking/documents';
import { Memory } from './once/memory';
import { Cancelled, pause as pauseBy } from './pacing/pause';
import { Readings } from './recent';
import { runOf, serviceOf, type ApiContext } from './run';
import { defaultSettings, timestampOf, type ClientSettings } from './settings';

/** Far more than the executions of a process have under way. */
const MAX_UPLOADS = 10_000;

/** Calls the service. The nodes share one client, with one memory of keys and uploads. */
export class Client {
	/** Read at every call: a test changes those of the shared client for its file. */
	readonly settings: ClientSettings;
	private readonly memory = new Memory();
	/** So that fifty documents from one PDF cost one upload. */
	private readonly uploads = new Readings(Infinity, MAX_UPLOADS, () => this.now());

	constructor(changed: Partial<ClientSettings> = {}) {
		this.settings = { ...defaultSettings, ...changed };
	}

	/**
	 * Calls one endpoint, paced, and repeated where that is safe, so that its effect happens once.
	 *
	 * @returns the body of the success response (docs/service.md section 4)
	 * @throws NodeApiError with `httpCode`, and in `context` the API's `code`, `details`, `extra` and
	 * the `itemIndex`
	 * @throws NodeOperationError for a credential or id that cannot be used, and when the execution
	 * was cancelled
	 */
	async call<E extends Endpoint>(
		context: ApiContext,
		endpoint: E,
		request: ApiRequest = {},
	): Promise<ResponseOf[E]> {
		return (await this.open(context, endpoint, request, callOnce)) as ResponseOf[E];
	}

	/**
	 * All entries of a paged list that are wanted, or the first `limit` of them. Throws as `call`
	 * does.
	 */
	async all<E extends PagedEndpoint>(
		context: ApiContext,
		endpoint: E,
		{ limit, keep, since, ...request }: ApiRequest & Selection<ItemOf<E>> = {},
	): Promise<Array<ItemOf<E>>> {
		const readPage = async (page: { limit: number; cursor?: string }) => {
			const answer = await this.call(context, endpoint, {
				...request,
				query: { ...request.query, ...page },
			});
			return answer as Page<ItemOf<E>>;
		};
		return await readAll(context, readPage, { limit, keep, since });
	}

	/**
	 * The documents created within so many milliseconds, whatever their status: one request for a
	 * hundred. By the service's clock the time is never taken for shorter than it is, and for two
	 * seconds longer at most. Throws as `call` does.
	 */
	async documentsWithin(
		context: ApiContext,
		milliseconds: number,
		itemIndex?: number,
	): Promise<Document[]> {
		const begun = timestampOf(this.settings.clock);
		return await this.open(context, 'GET /documents', { itemIndex }, async (call) => {
			return await newestDocuments(call, () => call.key.serverClock.shown(begun) - milliseconds);
		});
	}

	/**
	 * What an earlier try of the item, or anybody else just now, has asked for like this, and is not
	 * through: the drafts that it has left, or `undefined` where nobody knows what came of it. What
	 * the item has left that asked for something else is settled first; throws as `call` does if that
	 * is out.
	 */
	async begunBy(
		context: ApiContext,
		endpoint: Endpoint,
		request: ApiRequest,
		asked?: DraftAsked,
	): Promise<Array<string | undefined>> {
		return await this.open(context, endpoint, request, async (call) => await begunBy(call, asked));
	}

	/**
	 * What anybody in this process has left, by the id of its draft, or of what it is found to have
	 * created.
	 */
	unfinished() {
		return this.memory.unfinished.byId();
	}

	/** An item has this document: what a lost answer of another one has created is not this. */
	claim(id: string): void {
		this.memory.returned.set(id, true);
	}

	/** Makes a document out of a draft: once/unfinished/pursue.ts. Throws as `call` does. */
	async withDraft<Draft extends { id: string; isSent?: boolean }, Result>(
		context: ApiContext,
		itemIndex: number,
		asked: DraftAsked,
		work: (draft: KeptDraft<Draft>) => Promise<Result>,
	): Promise<Result> {
		return await this.open(context, 'POST /documents', { itemIndex }, async (call) => {
			return await finishDraft(call, asked, work);
		});
	}

	/**
	 * The limit of the key in requests a minute, as the service last named it; undefined while it has
	 * named none.
	 */
	async requestLimit(context: ApiContext): Promise<number | undefined> {
		const { keyId } = await serviceOf(context);
		return this.memory.keyOf(keyId, this.settings.clock).pacer.limit;
	}

	/**
	 * POST /files. The same bytes and name again within one execution give the same file without a
	 * request.
	 */
	async upload(
		context: ApiContext,
		{
			name,
			mimeType,
			bytes,
			itemIndex,
		}: { name: string; mimeType: string; bytes: Buffer; itemIndex?: number },
	): Promise<File> {
		const { keyId } = await serviceOf(context);
		const scope = JSON.stringify([runOf(context).execution, keyId, name]);
		const id = createHash('sha256').update(scope).update(bytes).digest('hex');
		const encoded = multipartFile(name, mimeType, bytes);
		const send = async () => await this.call(context, 'POST /files', { itemIndex, encoded });
		return await this.uploads.read(id, send);
	}

	/**
	 * Forgets uploads that the service no longer knows (`unknown_file`), so that the next `upload`
	 * sends them.
	 */
	forgetUpload(fileIds: string[]): void {
		this.uploads.expire((_, file) => file !== undefined && fileIds.includes((file as File).id));
	}

	/**
	 * Fetches a URL that the service gave out, without the API key, into n8n's binary store:
	 * files/download.ts.
	 */
	async download(
		context: IExecuteFunctions,
		url: string,
		name: string,
		itemIndex?: number,
	): Promise<Download> {
		const { helpers } = context;
		const caller = {
			...(await this.caller(context)),
			...DOWNLOAD,
			itemIndex,
			fileName: name,
			helpers,
		};
		return await cancelledInWords(caller, async () => await download(caller, url));
	}

	/**
	 * The time by the clock that all waiting goes by; what `ApiRequest.deadline` is compared with.
	 */
	now(): number {
		return this.settings.clock.now();
	}

	/** The same moment by the computer's own clock, which other processes and n8n go by. */
	wallClock(): number {
		return timestampOf(this.settings.clock).wallClock;
	}

	/** Lets so many milliseconds pass. Ends early, and without an error, when the signal fires. */
	async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
		await pauseBy(this.settings.clock, milliseconds, signal);
	}

	private async open<T>(
		context: ApiContext,
		endpoint: Endpoint,
		request: ApiRequest,
		work: (call: Call) => Promise<T>,
	): Promise<T> {
		const call = callOf(await this.caller(context, request), endpoint, request);
		return await cancelledInWords(call, async () => await work(call));
	}

	/** @throws NodeOperationError if the credential cannot be used */
	private async caller(
		context: ApiContext,
		{ deadline = Infinity, ...request }: ApiRequest = {},
	): Promise<Caller> {
		const { settings, memory } = this;
		const run = runOf(context);
		const { signal = run.signal } = request;
		const service = await run.service();
		// Somebody looks at a form whose list is being filled.
		const isInteractive = 'getCurrentNodeParameter' in context;
		const key = memory.keyOf(service.keyId, settings.clock);
		const patienceMs = isInteractive
			? settings.interactivePatienceMs
			: settings.rateLimitPatienceMs;
		const limits = { signal, deadline, attempts: settings.attempts, patienceMs };
		return { context, run, settings, service, memory, key, ...limits, carryOut: callOnce };
	}
}

/**
 * Puts a cancellation into words: whether the call may have had an effect is what the user has to
 * know.
 */
async function cancelledInWords<T>(call: ErrorContext, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof Cancelled ? cancellation(call, error.mayHaveHappened) : asThrown(error);
	}
}

/** The client that the nodes share. */
export const client = new Client();

export { fileBuffer } from './files/multipartFile';
export { ENDPOINTS, type Endpoint, type ItemOf, type PagedEndpoint } from '../service/endpoints';
export { isObject } from './isObject';
export { runOf, serviceOf, type ApiContext, type Run, type Words } from './run';
export { Readings, RecentMap } from './recent';
export type { ApiRequest } from './call/address';
export { outcomeOfBrokenConnection } from './call/outcome';
export type { Download } from './files/download';
export { pagesOf } from './call/pages';
export { OneAtATime } from './pacing/oneAtATime';
export { fingerprint } from './fingerprint';
export { CREDENTIAL_TYPE } from './credentials';
export { alreadySent } from './errors/givenUp';
export type { KeptDraft } from './once/unfinished/pursue';
export { isExactly, likenessKey, type DocumentLikeness } from './once/looking/likeness';
export { tell } from './once/telling';
export { listed } from './errors/refusal';
export { asThrown, isGone, leavesOpen, readCallFailure } from './errors/failure';
export { type Clock, type ClientSettings } from './settings';
export type * from '../service/wire';
