import { createHmac } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions, ITriggerFunctions } from 'n8n-workflow';
import { client, type WebhookDelivery, type WebhookEndpoint } from '../../../nodes/ESign/client';
import { TriggerProcess, type TriggerState } from '../../../nodes/ESign/trigger/triggerState';
import { messageKey, seal, unseal, type Message } from '../../../nodes/ESign/waiting/message';

const API_KEY = 'sk_test_wire';
const SHARED = createHmac('sha256', API_KEY).update('n8n-nodes-esign shared secret').digest('hex');

type Answer = { statusCode: number; body: unknown };

const refusal = (statusCode: number, code: string, more: object = {}): Answer => ({
	statusCode,
	body: { error: { code, message: code, ...more } },
});

/**
 * One running trigger, and the service as the trigger sees it on the wire: a few lines in this process, so that what a trigger
 * decides is tested within milliseconds. Time passes only where somebody waits for it.
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

	/** What happens while a request is under way, or in its place. */
	during: (request: string) => Promise<Answer | void> | Answer | void = () => undefined;

	/** Whether n8n answers at its own address. */
	isReachable = true;

	/** What the trigger has on n8n's schedule. */
	readonly ticks: Array<() => unknown> = [];

	readonly staticData: IDataObject = {};

	readonly process = new TriggerProcess();

	private made = 0;

	private time = 1_000_000;

	constructor(private readonly parameters: IDataObject = {}) {
		const sleep = async (ms: number) => void (this.time += Math.max(0, ms));
		Object.assign(client.settings, { clock: { now: () => this.time, sleep } });
	}

	readonly context = this.contextOf('node-1');

	get state(): TriggerState {
		return this.process.stateOf(this.context);
	}

	/** An endpoint that the service has, and that the trigger knows unless told otherwise. */
	add(id: string, { isKnown = true, owner = 'n8n/workflow/node-1', ...given }: AddedEndpoint = {}): void {
		const events = ['document.sent' as const];
		const endpoint = { id, url: Wire.URL, events, status: 'ACTIVE', created_at: '2026-01-01T00:00:00Z', ...given };
		this.endpoints.push(endpoint as WebhookEndpoint);
		if (!isKnown) return;
		const { url } = endpoint;
		this.state.endpoints.keep({ id, url, events, owner, secret: `s_${id}`, test: false, at: 1 });
	}

	private contextOf(nodeId: string): ITriggerFunctions {
		const write = (level: string) => (text: string) => void this.logged.push(`${level}: ${text}`);
		const context = {
			getInstanceId: () => 'n8n',
			getWorkflow: () => ({ id: 'workflow', name: 'Contracts' }),
			getNode: () => ({ id: nodeId, name: 'eSign Trigger', type: 'n8n-nodes-esign.eSignTrigger', parameters: {} }),
			getWorkflowStaticData: () => this.staticData,
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			getCredentials: async () => ({ baseUrl: 'https://esign.example.com/v1', apiKey: API_KEY }),
			getExecutionId: () => undefined,
			getMode: () => 'trigger',
			logger: { debug: () => undefined, info: write('info'), warn: write('warn'), error: write('error') },
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => await this.serve(options),
				httpRequest: async (options: IHttpRequestOptions) => this.answerMessage(options),
				registerCron: (_when: unknown, tick: () => unknown) => void this.ticks.push(tick),
			},
		};
		return context as unknown as ITriggerFunctions;
	}

	private answerMessage({ body }: IHttpRequestOptions): Answer {
		if (!this.isReachable) return { statusCode: 502, body: 'Bad gateway' };
		const key = messageKey(SHARED);
		const message = unseal<Message>((body as { sealed: string }).sealed, key);
		if (message) this.messages.push(message);
		const answer = { nonce: message?.nonce ?? '', process: this.process.id, state: {} };
		return { statusCode: 200, body: seal(answer, key) };
	}

	private async serve({ method = 'GET', url, body }: IHttpRequestOptions): Promise<Answer & { headers: object }> {
		const path = new URL(url).pathname.replace('/v1', '');
		const request = `${method} ${path}`;
		this.requests.push(request);
		const answer = (await this.during(request)) ?? this.answer(method, path, body as IDataObject);
		return { headers: {}, ...answer };
	}

	private answer(method: string, path: string, body: IDataObject): Answer {
		const [, kind, id = '', more] = path.split('/');
		if (kind === 'documents') return { statusCode: 200, body: { data: [], has_more: false, next_cursor: null } };
		if (method === 'POST' && id === '') {
			if (this.endpoints.length >= this.places) {
				return refusal(402, 'webhook_endpoint_limit_reached', { cap: this.places });
			}
			const made = { ...body, id: `whk_made_${++this.made}`, status: 'ACTIVE', created_at: '2026-01-01T00:00:00Z' };
			this.endpoints.push(made as unknown as WebhookEndpoint);
			return { statusCode: 201, body: { ...made, signing_secret: 'whsec_made' } };
		}
		if (method === 'POST') return { statusCode: 200, body: { replayed: true } };
		if (id === '') return { statusCode: 200, body: { data: this.endpoints } };
		if (!this.endpoints.some((one) => one.id === id)) return refusal(404, 'not_found');
		if (more === 'deliveries') return { statusCode: 200, body: { data: this.logs[id] ?? [] } };
		this.endpoints = this.endpoints.filter((one) => one.id !== id);
		return { statusCode: 200, body: { deleted: true } };
	}
}

type AddedEndpoint = Partial<WebhookEndpoint> & { isKnown?: boolean; owner?: string };
