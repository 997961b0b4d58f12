/**
 * The only code of this package that speaks HTTP: every call of the service, paced, retried so that its effect happens
 * once, and with every failure in words. `Client` says what each function does.
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
import type { ApiContext } from './context/context';
import { openSession } from './session/session';
import { defaultSettings, type ClientSettings } from './context/settings';
import { uploadId, Uploads } from './files/uploads';

/** One file to upload. The service detects the type from the bytes; `mimeType` is only declared. */
export type UploadInput = { name: string; mimeType: string; bytes: Buffer; itemIndex?: number };

export interface Client {
	/**
	 * Calls one endpoint, paced, and repeated where that is safe, so that its effect happens once.
	 *
	 * @returns the body of the success response (docs/service.md section 4)
	 * @throws NodeApiError with `httpCode`, and in `context` the API's `code`, `details`, `extra` and the `itemIndex`
	 * @throws NodeOperationError for a credential or id that cannot be used, and when the execution was cancelled
	 */
	apiRequest<E extends Endpoint>(context: ApiContext, endpoint: E, request?: ApiRequest): Promise<ResponseOf[E]>;

	/** All entries of a paged list that are wanted, or the first `limit` of them. Throws as `apiRequest` does. */
	apiRequestAll<E extends PagedEndpoint>(
		context: ApiContext,
		endpoint: E,
		request?: ApiRequest & { limit?: number } & Selection<ItemOf<E>>,
	): Promise<Array<ItemOf<E>>>;

	/** One page of a paged list; `cursor` is the previous page's `next_cursor`. Throws as `apiRequest` does. */
	apiRequestPage<E extends PagedEndpoint>(
		context: ApiContext,
		endpoint: E,
		request?: ApiRequest & { cursor?: string; limit?: number },
	): Promise<ResponseOf[E]>;

	/**
	 * The documents created within so many milliseconds, up to now and by the service's clock, whatever their status: one
	 * request for a hundred. Throws as `apiRequest` does.
	 */
	documentsWithin(context: ApiContext, milliseconds: number, itemIndex?: number): Promise<Document[]>;

	/** Whether an earlier try of the item, or anybody else just now, has made this call, and nobody knows what came of it. */
	isUnfinished(context: ApiContext, endpoint: LookFirstEndpoint, request: ApiRequest): Promise<boolean>;

	/** Whether a draft that was asked for like this waits to be gone on with. */
	hasDraft(context: ApiContext, itemIndex: number, asked: drafts.DraftAsked): Promise<boolean>;

	/** Makes a document out of a draft: once/drafts.ts. Throws as `apiRequest` does. */
	withDraft<Draft extends { id: string }, Result>(
		context: ApiContext,
		itemIndex: number,
		asked: drafts.DraftAsked,
		work: (draft: drafts.KeptDraft<Draft>) => Promise<Result>,
	): Promise<Result>;

	/** The limit of the key in requests a minute, as the service last named it; undefined while it has named none. */
	requestLimit(context: ApiContext): Promise<number | undefined>;

	/** POST /files. The same bytes and name again within one execution give the same file without a request. */
	uploadFile(context: ApiContext, input: UploadInput): Promise<File>;

	/** Forgets uploads that the service no longer knows (`unknown_file`), so that the next `uploadFile` sends them. */
	forgetUpload(context: ApiContext, fileIds: string[]): void;

	/**
	 * Fetches a URL that the service gave out, without the API key and outside of its rate limit, into n8n's binary
	 * store. Throws as `apiRequest` does.
	 *
	 * @param name for a file whose response names none
	 */
	downloadFile(context: IExecuteFunctions, url: string, name: string, itemIndex?: number): Promise<Download>;

	/** The time by the clock that all waiting goes by; what `ApiRequest.deadline` is compared with. */
	now(): number;

	/** Lets so many milliseconds pass. Ends early, and without an error, when the signal fires. */
	pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A client with its own memory of keys and uploads. The nodes share one; tests make theirs. */
export function createClient(changed: Partial<ClientSettings> = {}): Client {
	return clientBy({ ...defaultSettings, ...changed });
}

/** What the client that the nodes share goes by, read at every call: a test changes it for its file. */
export const sharedSettings: ClientSettings = { ...defaultSettings };

function clientBy(settings: ClientSettings): Client {
	const states = new KeyStates(settings);
	const uploads = new Uploads();

	async function apiRequest<E extends Endpoint>(
		context: ApiContext,
		endpoint: E,
		request: ApiRequest = {},
		encoded?: EncodedBody,
	): Promise<ResponseOf[E]> {
		const timeoutMs = ruleOf(endpoint).upload ? settings.transferTimeoutMs : settings.requestTimeoutMs;
		const call = { ...prepareCall(context, endpoint, request, timeoutMs), ...encoded };
		const site = { context, endpoint, itemIndex: request.itemIndex, pins: [] };
		return await cancellationInWords(site, async () => {
			const session = await openSession(context, settings, states, request);
			return (await callOnce(callOf(session, call, request, asker(session)))) as ResponseOf[E];
		});
	}

	return {
		apiRequest: async (context, endpoint, request) => await apiRequest(context, endpoint, request),

		apiRequestPage: async (context, endpoint, { cursor, limit, ...request } = {}) =>
			await apiRequest(context, endpoint, { ...request, query: { ...request.query, limit, cursor } }),

		apiRequestAll: async <E extends PagedEndpoint>(
			context: ApiContext,
			endpoint: E,
			{ limit = Infinity, keep, notBefore, ...request }: ApiRequest & { limit?: number } & Selection<ItemOf<E>> = {},
		) =>
			await readAll(
				context,
				limit,
				async (page) => {
					const answer = await apiRequest(context, endpoint, { ...request, query: { ...request.query, ...page } });
					return answer as Page<ItemOf<E>>;
				},
				{ keep, notBefore },
			),

		documentsWithin: async (context, milliseconds, itemIndex) => {
			const site = { context, endpoint: 'GET /documents' as const, itemIndex, pins: [] };
			return await cancellationInWords(site, async () => {
				const session = await openSession(context, settings, states);
				return await readDocumentsWithin(session, asker(session), milliseconds, itemIndex);
			});
		},

		isUnfinished: async (context, endpoint, request) => {
			const session = await openSession(context, settings, states);
			const prepared = prepareCall(context, endpoint, request, settings.requestTimeoutMs);
			const call = callOf(session, prepared, request, asker(session));
			return states.effects.unfinished.has(askedBy(call, policyOf(call).alike?.(call)), settings.clock.now());
		},

		hasDraft: async (context, itemIndex, asked) =>
			drafts.hasDraft(await openSession(context, settings, states), itemIndex, asked),

		withDraft: async (context, itemIndex, asked, work) => {
			const site = { context, endpoint: 'POST /documents' as const, itemIndex, pins: [] };
			return await cancellationInWords(site, async () => {
				const session = await openSession(context, settings, states);
				return await drafts.withDraft(session, asker(session), itemIndex, asked, work);
			});
		},

		requestLimit: async (context) => (await openSession(context, settings, states)).state.pacer.limit,

		uploadFile: async (context, { name, mimeType, bytes, itemIndex }) => {
			const { service } = await openSession(context, settings, states);
			return await uploads.reuse(
				context,
				uploadId(service.keyId, name, bytes),
				async () => await apiRequest(context, 'POST /files', { itemIndex }, multipartFile(name, mimeType, bytes)),
			);
		},

		forgetUpload: (context, fileIds) => uploads.forget(context, fileIds),

		downloadFile: async (context, url, name, itemIndex) => {
			const site = { context, endpoint: 'download' as const, itemIndex, pins: [] };
			return await cancellationInWords(site, async () => {
				const session = await openSession(context, settings, states);
				return await download(session, site, url, name, context.helpers.prepareBinaryData);
			});
		},

		now: () => settings.clock.now(),

		pause: async (milliseconds, signal) => await pauseBy(settings.clock, milliseconds, signal),
	};
}

/** Puts a cancellation into words: whether the call may have had an effect is what the user has to know. */
async function cancellationInWords<T>(site: FailureSite, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const failure = error as NodeApiError | NodeOperationError | Cancelled;
		if (!(failure instanceof Cancelled)) throw failure;
		throw cancellation(site, failure.mayHaveHappened);
	}
}

export const {
	apiRequest,
	apiRequestAll,
	apiRequestPage,
	documentsWithin,
	isUnfinished,
	hasDraft,
	withDraft,
	requestLimit,
	uploadFile,
	forgetUpload,
	downloadFile,
	now,
	pause,
} = clientBy(sharedSettings);

export { fileBuffer } from './files/multipartFile';
export { ENDPOINTS, type Endpoint, type ItemOf, type PagedEndpoint } from '../service/endpoints';
export { isObject } from './context/isObject';
export { endCalls, type ApiContext } from './context/context';
export { isTestKey, keyIdOf, placeOf, sharedSecret } from './context/credentials';
export { beginTry } from './context/itemTry';
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
export { type Clock, type ClientSettings } from './context/settings';
export type * from '../service/wire';
