import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Endpoint, ItemOf, PagedEndpoint } from '../service/endpoints';
import { MAX_ENTRIES } from '../service/limits';
import type { Page, ResponseOf } from '../service/wire';
import type { ApiRequest, Call, Key } from './call/call';
import { hasComePast, pagesOf, type Selection } from './call/pages';
import { asThrown, cancellation } from './errors/failure';
import { download, downloadBytes, type Download } from './files/download';
import { Pacer } from './pacing/pacer';
import { Cancelled, type OneAtATime } from './pacing/pause';
import { ServerClock } from './call/serverClock';
import { RecentMap } from './recent';
import { callWithRetry } from './retry/callWithRetry';
import { waitUntilCertain } from './retry/attempts';
import { runOf, serviceOf, type ApiContext, type Service } from './run';
import { defaultSettings, timestampOf, type ClientSettings, type Timestamp } from './settings';

const FILE = 'GET /documents/{id}/files/{variant}';

const MAX_KEYS = 1_000;

/** Calls the service. The nodes share one client, with one memory of keys. */
export class Client {
	/** Read at every call: a test changes those of the shared client for its file. */
	readonly settings: ClientSettings;

	/** What is forgotten is learned anew within one request. */
	private readonly keys = new RecentMap<string, Key>(MAX_KEYS);

	constructor(changed: Partial<ClientSettings> = {}) {
		this.settings = { ...defaultSettings, ...changed };
	}

	/**
	 * Calls one endpoint, paced, and repeated where that is safe.
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
		return (await this.run(context, endpoint, request, callWithRetry)) as ResponseOf[E];
	}

	/**
	 * All entries of a paged list that are wanted, or the first `limit` of them, in as few pages as
	 * that takes. Its order is not promised (docs/service.md section 10): reading stops at `since`
	 * only while the list is seen to be newest first. Throws as `call` does.
	 */
	async all<E extends PagedEndpoint>(
		context: ApiContext,
		endpoint: E,
		{ limit = Infinity, keep, since, ...request }: ApiRequest & Selection<ItemOf<E>> = {},
	): Promise<Array<ItemOf<E>>> {
		const items: Array<ItemOf<E>> = [];
		const times: number[] = [];
		const pages = pagesOf(context, async (cursor) => {
			const size = keep ? MAX_ENTRIES : Math.min(MAX_ENTRIES, limit - items.length);
			const query = { ...request.query, limit: size, cursor };
			const answer = await this.call(context, endpoint, { ...request, query });
			return answer as Page<ItemOf<E>>;
		});
		for await (const page of pages) {
			for (const item of page) {
				times.push(Date.parse(item.created_at));
				if (!keep || keep(item)) items.push(item);
			}
			if (items.length >= limit) break;
			if (since && hasComePast(await since(), times)) break;
		}
		return items.slice(0, limit);
	}

	/**
	 * A moment by the service's clock, in milliseconds since the epoch: what was created before
	 * `possible` was there before, what was created after `certain` was not.
	 */
	async serviceTime(context: ApiContext, moment: Timestamp) {
		const { serverClock } = this.keyOf(await serviceOf(context));
		const elapsedMs = this.elapsedSince(moment);
		const { possible, certain } = serverClock.began(this.moment());
		return { possible: possible - elapsedMs, certain: certain - elapsedMs };
	}

	/** The limit of the key in requests a minute, as the service last named it, if it has. */
	async requestLimit(context: ApiContext): Promise<number | undefined> {
		return this.keyOf(await serviceOf(context)).pacer.limit;
	}

	/** Fetches a file of a document into n8n's binary store: files/download.ts. */
	async download(
		context: IExecuteFunctions | IWebhookFunctions,
		request: ApiRequest,
	): Promise<Download> {
		return await this.run(context, FILE, request, async (call) => {
			return await download(call, context.helpers.prepareBinaryData);
		});
	}

	/** As `download`, into memory. */
	async downloadBytes(context: IExecuteFunctions, request: ApiRequest): Promise<Buffer> {
		return await this.run(context, FILE, request, downloadBytes);
	}

	/**
	 * The time by the clock that all waiting goes by; what `ApiRequest.deadline` is compared with.
	 */
	now(): number {
		return this.settings.clock.now();
	}

	/** This moment, also by the computer's own clock, which other processes and n8n go by. */
	moment(): Timestamp {
		return timestampOf(this.settings.clock);
	}

	/**
	 * How long ago that was, in milliseconds. A clock that was set back, or that stood still while
	 * the computer slept, does not make it shorter.
	 */
	elapsedSince({ at, wallClock }: Timestamp): number {
		const now = this.moment();
		return Math.max(now.at - at, now.wallClock - wallClock);
	}

	/** Lets so many milliseconds pass. Ends early, and without an error, when the signal fires. */
	async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
		await this.settings.clock.sleep(milliseconds, signal);
	}

	/**
	 * Waits until nothing can come of a request any longer, and tells the user at once. One of which
	 * it is unknown when its answer was lost may be under way just now: it may have waited for the
	 * rate limit before it was sent. When the execution is cancelled meanwhile, it throws as a call
	 * does that may have been carried out.
	 *
	 * @param lostAt left out, too, of one that another process may be about to lose
	 */
	async waitUntilCertain(
		context: ApiContext,
		itemIndex: number,
		lostAt?: Timestamp,
	): Promise<void> {
		const { requestTimeoutMs, lateEffectMs } = this.settings;
		const now = this.now();
		const answerLostAt = lostAt ? now - this.elapsedSince(lostAt) : now + requestTimeoutMs;
		await this.run(context, 'POST /documents', { itemIndex }, async (call) => {
			await waitUntilCertain(call, answerLostAt + lateEffectMs, 'the service did not answer');
		});
	}

	/**
	 * Runs a task in its turn. When the execution is cancelled while it waits, it throws as a call
	 * does that was not sent.
	 */
	async inTurn<T>(
		context: ApiContext,
		turns: OneAtATime,
		name: string,
		itemIndex: number,
		task: () => Promise<T>,
	): Promise<T> {
		return await this.run(context, 'POST /documents', { itemIndex }, async ({ signal }) => {
			return await turns.run(name, task, signal);
		});
	}

	private keyOf({ keyId }: Service): Key {
		const { clock } = this.settings;
		const key = this.keys.get(keyId) ?? { pacer: new Pacer(clock), serverClock: new ServerClock() };
		this.keys.set(keyId, key);
		return key;
	}

	/**
	 * What is done for one call of an endpoint. A cancellation is put into words: whether the call
	 * may have had an effect is what the user has to know. Throws as `call` does.
	 */
	private async run<T>(
		context: ApiContext,
		endpoint: Endpoint,
		request: ApiRequest,
		work: (call: Call) => Promise<T>,
	): Promise<T> {
		const { settings } = this;
		const run = runOf(context);
		const { signal = run.signal, deadline = Infinity } = request;
		const service = await run.service();
		// Somebody looks at a form whose list is being filled.
		const isInteractive = 'getCurrentNodeParameter' in context;
		const key = this.keyOf(service);
		const patienceMs = isInteractive
			? settings.interactivePatienceMs
			: settings.rateLimitPatienceMs;
		// One literal: with a spread it would cost thirty times as much.
		const call = {
			context,
			endpoint,
			request,
			run,
			settings,
			service,
			key,
			signal,
			deadline,
			patienceMs,
		};
		try {
			return await work(call);
		} catch (error) {
			if (!(error instanceof Cancelled)) throw asThrown(error);
			throw cancellation(call, error.mayHaveHappened);
		}
	}
}

/** The client that the nodes share. */
export const client = new Client();
