import {
	Client,
	type ApiRequest,
	type ClientSettings,
	type Endpoint,
} from '../../../../nodes/ESign/client';
import { scriptedItem, type Answer, type Asked } from '../../../actions/support/scriptedItem';
import { VirtualClock } from '../../support/virtualClock';

/**
 * What becomes of a request: a status, the code of a connection that broke, a body, or a status
 * with a body and headers.
 */
export type Reply =
	number | string | object | [number, object, Record<string, string>?] | ((asked: Asked) => Reply);

/** The connection broke while the service was at work. */
export const LOST = 'ECONNRESET';

export const IN_DOUBT = { context: { outcome: 'in doubt' } };

export const has = (text: string) => expect.stringContaining(text) as string;

export const refused = (status: number, code: string): Reply => [
	status,
	{ error: { code, message: '' } },
];

/** Where every path leads to, unless a request says otherwise. */
const PATH = {
	id: 'doc_1',
	linkId: 'lnk_1',
	recipientId: 'rcp_1',
	deliveryId: 'dlv_1',
	variant: 'signed',
};

/**
 * Calls of one process to a service that answers as it is set to, in the time of the settings that
 * the nodes have: hours pass within milliseconds, and the same way each time.
 */
export class Scenario {
	readonly clock = new VirtualClock();
	readonly client: Client;
	/**
	 * What the requests so far asked for, with the seconds since the scenario began: `0.5 GET
	 * /account`.
	 */
	timeline: string[] = [];
	readonly hints: string[];
	readonly log: string[];
	readonly asked: Asked[];
	readonly context;
	private readonly beganAt = this.clock.now();
	private readonly stopped = new AbortController();

	/** @param replies one after the other, or by the request; what comes after the last is a fault */
	constructor(
		public replies: Reply[] | ((asked: Asked) => Reply),
		settings: Partial<ClientSettings> = {},
	) {
		this.client = new Client({ clock: this.clock, random: () => 1, ...settings });
		const { item, asked, hints, log } = scriptedItem(
			{},
			(one) => this.answer(one),
			undefined,
			this.stopped.signal,
		);
		this.context = item.context;
		this.asked = asked;
		this.hints = hints;
		this.log = log;
	}

	/** A call for an item. */
	async call(endpoint: Endpoint, request: ApiRequest = {}) {
		const { context, client } = this;
		const { itemIndex = 0, path = PATH } = request;
		return await this.clock.run(client.call(context, endpoint, { ...request, path, itemIndex }));
	}

	/** The present moment, as the service writes it. */
	now(secondsAgo = 0): string {
		return new Date(this.clock.now() - secondsAgo * 1000).toISOString();
	}

	/** Ends the execution. */
	stop(): void {
		this.stopped.abort();
	}

	/** When the requests were made. */
	seconds(): number[] {
		return this.timeline.map(Number.parseFloat);
	}

	private answer(asked: Asked): Answer {
		const { replies } = this;
		this.timeline.push(`${(this.clock.now() - this.beganAt) / 1000} ${asked.method} ${asked.path}`);
		const reply = typeof replies === 'function' ? replies(asked) : (replies.shift() ?? 599);
		return {
			headers: { date: new Date(this.clock.now()).toUTCString() },
			...answerOf(reply, asked),
		};
	}
}

function answerOf(reply: Reply, asked: Asked): Answer {
	if (typeof reply === 'function') return answerOf((reply as (one: Asked) => Reply)(asked), asked);
	if (typeof reply === 'string') throw Object.assign(new Error(reply), { code: reply });
	if (typeof reply === 'number') return { status: reply, body: {} };
	if (!Array.isArray(reply)) return { body: reply };
	const [status, body, headers] = reply as [number, object, Record<string, string>?];
	return { status, body, ...(headers && { headers }) };
}
