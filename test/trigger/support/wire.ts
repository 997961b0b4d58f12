import { createHmac } from 'node:crypto';
import type {
	IDataObject,
	IHookFunctions,
	IHttpRequestOptions,
	ITriggerFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { client, type WebhookDelivery, type WebhookEndpoint } from '../../../nodes/ESign/client';
import { receiveDelivery } from '../../../nodes/ESign/trigger/delivery/receive';
import { Watch } from '../../../nodes/ESign/trigger/endpoint/watch';
import {
	TriggerProcess,
	type KnownEndpoint,
	type TriggerState,
} from '../../../nodes/ESign/trigger/triggerState';
import { type Message, messageKey, seal, unseal } from '../../../nodes/ESign/messages/message';
import { BEING_WOKEN } from '../../../nodes/ESign/waiting/wakeUrl';
import { signatureOf, type SignedBy } from './deliveries';
import type { WebResponse } from './webResponse';

const API_KEY = 'sk_test_wire';
let began = 0;
const SHARED = createHmac('sha256', API_KEY).update('n8n-nodes-esign shared secret').digest('hex');

type Answer = { statusCode: number; body: unknown };
/** What n8n gives a hook, a running trigger and a webhook. */
type Context = IHookFunctions & ITriggerFunctions & IWebhookFunctions;

/** The service refuses. */
export const refusal = (statusCode: number, code = 'forbidden', more: object = {}): Answer => ({
	statusCode,
	body: { error: { code, message: code, ...more } },
});

/**
 * A request to the webhook whose body is signed. The header with an ID is not, and tells no two
 * events apart.
 */
export const signedRequest = (body: string, signedBy: SignedBy) => ({
	rawBody: Buffer.from(body),
	headers: { 'x-esign-signature': signatureOf(body, signedBy), 'x-esign-event-id': 'evt_header' },
});

/** Lets what is under way in the background continue until it waits for something. */
export const turns = async () => {
	for (let n = 0; n < 20; n++) await new Promise(setImmediate);
};
export const WATCH = { end: () => undefined, readLogInTime: () => undefined };

/**
 * One running trigger, and the service as the trigger sees it on the wire: a few lines in this
 * process, so that what a trigger decides is tested within milliseconds.
 */
export class Wire {
	static readonly URL = 'https://n8n.example.com/webhook/hook-1/webhook';
	endpoints: WebhookEndpoint[] = [];
	logs: Record<string, WebhookDelivery[]> = {};
	/** Places that the mode of the key has. */
	places = 5;
	/** `METHOD /path` of every request of the service. */
	readonly requests: string[] = [];
	readonly logged: string[] = [];
	/** Messages that the trigger has sent to its own URL. */
	readonly messages: Message[] = [];
	/** The ids of the events that it has given itself; those that n8n does not take are refused. */
	readonly given: string[] = [];
	refused: string[] = [];
	onGiven: () => void = () => undefined;
	/** The waits whose executions were called. */
	readonly woken: string[] = [];
	/** What happens while a request is under way, or in its place, and for how long that may take. */
	during: (request: string, timeout: number) => Promise<Answer | void> | Answer | void = () =>
		undefined;
	/** The documents that an execution says it waits for, when it is called. */
	open?: string[];
	/** How often it says before that it is being woken, as n8n 1.x has it. */
	timesBusy = 0;
	/** Whether n8n answers at its own address; of the next calls alone; and after how long. */
	isReachable = true;
	readonly nextAnswers: boolean[] = [];
	answersAfterMs = 0;
	/**
	 * The trigger's URL; n8n's mode, which is `manual` for a test listener; and why it is activated.
	 */
	url = Wire.URL;
	mode = 'trigger';
	activation = 'activate';
	nodeName = 'eSign Trigger';
	/** What the trigger has on n8n's schedule. */
	readonly ticks: Array<{ expression: string; tick: () => unknown }> = [];
	readonly staticData: IDataObject = {};
	process = new TriggerProcess();
	/**
	 * By the client's clock, later in each test. Time passes where somebody waits for it, unless a
	 * test has stopped the clock.
	 */
	time = (began += 10_000_000);
	private isStopped = false;
	private wake = () => {};
	private made = 0;
	readonly context = this.makeContext();

	constructor(private readonly parameters: IDataObject = {}) {
		Object.assign(client.settings, {
			clock: { now: () => this.time, sleep: this.sleep.bind(this) },
		});
	}

	/**
	 * Whoever waits does so from now on until the time passes. @returns what lets that of the one who
	 * came last pass
	 */
	stopClock(): () => void {
		this.isStopped = true;
		return () => this.wake();
	}

	private async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (this.isStopped) {
			await new Promise<void>((wake) => {
				this.wake = wake;
				signal?.addEventListener('abort', () => wake());
			});
		}
		if (!signal?.aborted) this.time += Math.max(0, ms);
	}

	get state(): TriggerState {
		return this.process.stateOf(this.context);
	}

	/** An endpoint that the service has, and that the trigger knows unless told otherwise. */
	add(id: string, { isKnown = true, owner, ...given }: AddedEndpoint = {}): void {
		const events = ['document.sent' as const];
		const endpoint = {
			id,
			url: Wire.URL,
			events,
			status: 'ACTIVE',
			created_at: '2026-01-01T00:00:00Z',
			...given,
		};
		this.endpoints.push(endpoint as WebhookEndpoint);
		if (isKnown) this.know(id, { url: endpoint.url, ...(owner && { owner }) });
	}

	/** Makes the trigger know an endpoint, which the service need not have. */
	know(id: string, given: Partial<KnownEndpoint> = {}, { endpoints } = this.state): void {
		const known = {
			id,
			url: Wire.URL,
			events: ['document.sent' as const],
			owner: 'n8n/workflow/node-1',
		};
		endpoints.keep({ ...known, secret: `s_${id}`, at: 1, ...given });
	}

	/**
	 * Makes the trigger know an execution that waits for these documents, as `k7` for execution 7.
	 */
	waitFor(execution: string, ...documents: string[]): void {
		const wait = {
			id: `k${execution}`,
			execution,
			resumeUrl: `/webhook-waiting/${execution}`,
			documents,
		};
		this.state.waits.keep({ ...wait, until: Date.now() + 1e6, at: 1 });
	}

	/** The running trigger looks once after its endpoint. @returns whether all is well then */
	async look(): Promise<boolean> {
		const watch = new Watch(this.context, this.state);
		await watch.lookOnce();
		watch.end();
		return watch.isWell;
	}

	/** What the trigger makes of a request to its webhook. */
	async receive(request: object, response: WebResponse): Promise<IWebhookResponseData> {
		const webhook = {
			getRequestObject: () => ({ headers: {}, ...request }),
			getResponseObject: () => response,
		};
		return await receiveDelivery(
			{ ...this.context, ...webhook } as unknown as Context,
			this.process,
		);
	}

	/** The same with a payload that was signed for `whk_1`. */
	async deliver(payload: unknown, response: WebResponse, signedBy: Partial<SignedBy> = {}) {
		const body = JSON.stringify(payload);
		return await this.receive(signedRequest(body, { secret: 's_whk_1', ...signedBy }), response);
	}

	private makeContext(): Context {
		const write = (level: string) => (text: string) => void this.logged.push(`${level}: ${text}`);
		const context = {
			getInstanceId: () => 'n8n',
			getWorkflow: () => ({ id: 'workflow', name: 'Contracts' }),
			getNode: () => ({
				id: 'node-1',
				name: this.nodeName,
				type: 'n8n-nodes-esign.eSignTrigger',
				parameters: {},
			}),
			getNodeWebhookUrl: () => this.url,
			getWorkflowStaticData: () => this.staticData,
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			getCredentials: async () => ({ baseUrl: 'https://esign.example.com/v1', apiKey: API_KEY }),
			getExecutionId: () => undefined,
			getMode: () => this.mode,
			getActivationMode: () => this.activation,
			logger: {
				debug: () => undefined,
				info: write('info'),
				warn: write('warn'),
				error: write('error'),
			},
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await this.serve(options),
				httpRequest: async (options: IHttpRequestOptions) => this.answerMessage(options),
				registerCron: ({ expression }: { expression: string }, tick: () => unknown) =>
					void this.ticks.push({ expression, tick }),
			},
		};
		return context as unknown as Context;
	}

	private answerMessage({ body, abortSignal, timeout = 0 }: IHttpRequestOptions): Answer {
		(abortSignal as AbortSignal | undefined)?.throwIfAborted();
		const isReachable = this.nextAnswers.shift() ?? this.isReachable;
		if (!isReachable) return { statusCode: 502, body: 'Bad gateway' };
		this.time += Math.min(timeout, this.answersAfterMs);
		if (this.answersAfterMs > timeout) throw new Error('timeout exceeded');
		const { sealed } = body as { sealed: string };
		const wait = this.state.waits.all().find((one) => unseal(sealed, messageKey(one.id)));
		const key = messageKey(wait?.id ?? SHARED);
		const message = unseal<Message>(sealed, key);
		const eventId = String(message?.event?.id ?? '');
		if (this.refused.includes(eventId)) return { statusCode: 500, body: 'No' };
		if (eventId) this.given.push(eventId);
		if (eventId) this.onGiven();
		if (wait) this.woken.push(wait.id);
		else if (message) this.messages.push(message);
		if (wait && this.timesBusy-- > 0)
			return { statusCode: 200, body: { code: 409, message: BEING_WOKEN } };
		const answer = { answerTo: message?.nonce ?? '', state: {}, open: this.open };
		return { statusCode: 200, body: seal(answer, key) };
	}

	private async serve({
		method = 'GET',
		url,
		body,
		timeout = 0,
	}: IHttpRequestOptions): Promise<Answer & { headers: object }> {
		const path = new URL(url).pathname.replace('/v1', '');
		const request = `${method} ${path}`;
		this.requests.push(request);
		const answer =
			(await this.during(request, timeout)) ?? this.answer(method, path, body as IDataObject);
		return { headers: {}, ...answer };
	}

	private answer(method: string, path: string, body: IDataObject): Answer {
		const [, kind, id = '', more] = path.split('/');
		if (kind === 'documents')
			return { statusCode: 200, body: { data: [], has_more: false, next_cursor: null } };
		if (method === 'POST' && id === '') {
			if (this.endpoints.length >= this.places) {
				return refusal(402, 'webhook_endpoint_limit_reached', { cap: this.places });
			}
			const made = {
				...body,
				id: `whk_made_${++this.made}`,
				status: 'ACTIVE',
				created_at: '2026-01-01T00:00:00Z',
			};
			this.endpoints.push(made as unknown as WebhookEndpoint);
			return { statusCode: 201, body: { ...made, signing_secret: 'whsec_made' } };
		}
		if (method === 'POST') return { statusCode: 200, body: { replayed: true } };
		if (id === '') return { statusCode: 200, body: { data: this.endpoints } };
		if (!this.endpoints.some((one) => one.id === id))
			return refusal(404, 'webhook_endpoint_not_found');
		if (more === 'deliveries') return { statusCode: 200, body: { data: this.logs[id] ?? [] } };
		this.endpoints = this.endpoints.filter((one) => one.id !== id);
		return { statusCode: 200, body: { deleted: true } };
	}
}

type AddedEndpoint = Partial<WebhookEndpoint> & { isKnown?: boolean; owner?: string };
