/**
 * The only code of this package that speaks HTTP: every call of the service, paced, retried so that its effect happens
 * once, and with every failure in words. `Client` says what each does.
 */
import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ruleOf, type Endpoint, type ItemOf, type LookFirstEndpoint, type PagedEndpoint } from '../service/endpoints';
import type { Document, File, Page, ResponseOf } from '../service/wire';
import { cancellation, type FailureSite } from './errors/failure';
import type { ApiRequest } from './call/address';
import { download, type Download } from './files/download';
import { prepareCall } from './call/exchange';
import { multipartFile, type EncodedBody } from './files/multipartFile';
import { readAll, type Selection } from './call/readAll';
import { KeyStates } from './session/keyState';
import { Cancelled, pause as pauseBy } from './pacing/waiting';
import { asker } from './once/asker';
import { askedBy, callOf } from './once/call';
import { callOnce } from './once/callOnce';
import * as drafts from './once/drafts';
import { readDocumentsWithin } from './once/looking/documents';
import { policyOf } from './once/policies';
import { runOf, type ApiContext } from './run';
import { openSession, type Session } from './session/session';
import { defaultSettings, type ClientSettings } from './settings';
import { uploadId, Uploads } from './files/uploads';

/** One file to upload. The service detects the type from the bytes; `mimeType` is only declared. */
export type UploadInput = { name: string; mimeType: string; bytes: Buffer; itemIndex?: number };

/** Calls the service. The nodes share one client, with one memory of keys and uploads. */
export class Client {
	/** Read at every call: a test changes those of the shared client for its file. */
	readonly settings: ClientSettings;

	private readonly states: KeyStates;

	private readonly uploads = new Uploads();

	constructor(changed: Partial<ClientSettings> = {}) {
		this.settings = { ...defaultSettings, ...changed };
		this.states = new KeyStates(this.settings);
	}

	/**
	 * Calls one endpoint, paced, and repeated where that is safe, so that its effect happens once.
	 *
	 * @returns the body of the success response (docs/service.md section 4)
	 * @throws NodeApiError with `httpCode`, and in `context` the API's `code`, `details`, `extra` and the `itemIndex`
	 * @throws NodeOperationError for a credential or id that cannot be used, and when the execution was cancelled
	 */
	async call<E extends Endpoint>(
		context: ApiContext,
		endpoint: E,
		request: ApiRequest = {},
		encoded?: EncodedBody,
	): Promise<ResponseOf[E]> {
		const { settings } = this;
		const timeoutMs = ruleOf(endpoint).upload ? settings.transferTimeoutMs : settings.requestTimeoutMs;
		const call = { ...prepareCall(context, endpoint, request, timeoutMs), ...encoded };
		const site = { context, endpoint, itemIndex: request.itemIndex, pins: [] };
		return await this.session(site, request, async (session) => {
			return (await callOnce(callOf(session, call, request, asker(session)))) as ResponseOf[E];
		});
	}

	/** All entries of a paged list that are wanted, or the first `limit` of them. Throws as `call` does. */
	async all<E extends PagedEndpoint>(
		context: ApiContext,
		endpoint: E,
		{ limit = Infinity, keep, notBefore, ...request }: ApiRequest & { limit?: number } & Selection<ItemOf<E>> = {},
	): Promise<Array<ItemOf<E>>> {
		const readPage = async (page: { limit: number; cursor?: string }) => {
			const answer = await this.call(context, endpoint, { ...request, query: { ...request.query, ...page } });
			return answer as Page<ItemOf<E>>;
		};
		return await readAll(context, limit, readPage, { keep, notBefore });
	}

	/** One page of a paged list; `cursor` is the previous page's `next_cursor`. Throws as `call` does. */
	async page<E extends PagedEndpoint>(
		context: ApiContext,
		endpoint: E,
		{ cursor, limit, ...request }: ApiRequest & { cursor?: string; limit?: number } = {},
	): Promise<ResponseOf[E]> {
		return await this.call(context, endpoint, { ...request, query: { ...request.query, limit, cursor } });
	}

	/**
	 * The documents created within so many milliseconds, up to now and by the service's clock, whatever their status: one
	 * request for a hundred. Throws as `call` does.
	 */
	async documentsWithin(context: ApiContext, milliseconds: number, itemIndex?: number): Promise<Document[]> {
		const site = { context, endpoint: 'GET /documents' as const, itemIndex, pins: [] };
		return await this.session(site, {}, async (session) => {
			return await readDocumentsWithin(session, asker(session), milliseconds, itemIndex);
		});
	}

	/** Whether an earlier try of the item, or anybody else just now, has made this call, and nobody knows what came of it. */
	async isUnfinished(context: ApiContext, endpoint: LookFirstEndpoint, request: ApiRequest): Promise<boolean> {
		const { settings, states } = this;
		const session = await openSession(context, settings, states);
		const prepared = prepareCall(context, endpoint, request, settings.requestTimeoutMs);
		const call = callOf(session, prepared, request, asker(session));
		return states.effects.unfinished.has(askedBy(call, policyOf(call).alike?.(call)), settings.clock.now());
	}

	/** Whether a draft that was asked for like this waits to be gone on with. */
	async hasDraft(context: ApiContext, itemIndex: number, asked: drafts.DraftAsked): Promise<boolean> {
		return drafts.hasDraft(await openSession(context, this.settings, this.states), itemIndex, asked);
	}

	/** Makes a document out of a draft: once/drafts.ts. Throws as `call` does. */
	async withDraft<Draft extends { id: string }, Result>(
		context: ApiContext,
		itemIndex: number,
		asked: drafts.DraftAsked,
		work: (draft: drafts.KeptDraft<Draft>) => Promise<Result>,
	): Promise<Result> {
		const site = { context, endpoint: 'POST /documents' as const, itemIndex, pins: [] };
		return await this.session(site, {}, async (session) => {
			return await drafts.withDraft(session, asker(session), itemIndex, asked, work);
		});
	}

	/** The limit of the key in requests a minute, as the service last named it; undefined while it has named none. */
	async requestLimit(context: ApiContext): Promise<number | undefined> {
		return (await openSession(context, this.settings, this.states)).state.pacer.limit;
	}

	/** POST /files. The same bytes and name again within one execution give the same file without a request. */
	async upload(context: ApiContext, { name, mimeType, bytes, itemIndex }: UploadInput): Promise<File> {
		const { keyId } = await runOf(context).service();
		return await this.uploads.reuse(
			context,
			uploadId(keyId, name, bytes),
			async () => await this.call(context, 'POST /files', { itemIndex }, multipartFile(name, mimeType, bytes)),
		);
	}

	/** Forgets uploads that the service no longer knows (`unknown_file`), so that the next `upload` sends them. */
	forgetUpload(context: ApiContext, fileIds: string[]): void {
		this.uploads.forget(context, fileIds);
	}

	/**
	 * Fetches a URL that the service gave out, without the API key and outside of its rate limit, into n8n's binary
	 * store. Throws as `call` does.
	 *
	 * @param name for a file whose response names none
	 */
	async download(context: IExecuteFunctions, url: string, name: string, itemIndex?: number): Promise<Download> {
		const site = { context, endpoint: 'download' as const, itemIndex, pins: [] };
		return await this.session(site, {}, async (session) => {
			return await download(session, site, url, name, context.helpers.prepareBinaryData);
		});
	}

	/** The time by the clock that all waiting goes by; what `ApiRequest.deadline` is compared with. */
	now(): number {
		return this.settings.clock.now();
	}

	/** Lets so many milliseconds pass. Ends early, and without an error, when the signal fires. */
	async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
		await pauseBy(this.settings.clock, milliseconds, signal);
	}

	/** Puts a cancellation into words: whether the call may have had an effect is what the user has to know. */
	private async session<T>(site: FailureSite, request: ApiRequest, work: (session: Session) => Promise<T>): Promise<T> {
		try {
			return await work(await openSession(site.context, this.settings, this.states, request));
		} catch (error) {
			const failure = error as NodeApiError | NodeOperationError | Cancelled;
			if (!(failure instanceof Cancelled)) throw failure;
			throw cancellation(site, failure.mayHaveHappened);
		}
	}
}

/** The client that the nodes share. */
export const client = new Client();

export { fileBuffer } from './files/multipartFile';
export { ENDPOINTS, type Endpoint, type ItemOf, type PagedEndpoint } from '../service/endpoints';
export { isObject } from './isObject';
export { runOf, serviceOf, type ApiContext, type Run, type Words } from './run';
export { forgetOldest } from './session/forgetOldest';
export type { ApiRequest } from './call/address';
export type { Download } from './files/download';
export { pagesOf } from './call/pages';
export { OneAtATime } from './pacing/oneAtATime';
export type { Unfinished } from './session/unfinished';
export { fingerprint } from './once/call';
export type { KeptDraft } from './once/drafts';
export { isExactly, likenessKey, type DocumentLikeness } from './once/looking/documents';
export { tell } from './once/telling';
export { asThrown } from './errors/asThrown';
export { readCallFailure } from './errors/callFailure';
export { type Clock, type ClientSettings } from './settings';
export type * from '../service/wire';
