import type { FunctionsBase, IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { RecentMap, type EventType, type WebhookDelivery } from '../client';
import { EntrySet, type Entry } from '../messages/entrySet';
import type { Shared } from '../messages/message';
import { isSameUrl } from '../service/urls';
import { Waits } from './waits/waits';

/**
 * Who owns an endpoint: this node of this workflow in this n8n. It survives a rename; a copied or
 * imported workflow gets another. An n8n made of a copy of the database has the same, because the
 * instance id comes from the encryption key.
 */
export function ownerOf(context: FunctionsBase): string {
	return [context.getInstanceId(), context.getWorkflow().id, context.getNode().id].join('/');
}

export const ownUrl = (context: IHookFunctions | IWebhookFunctions): string =>
	context.getNodeWebhookUrl('default') ?? '';

/** Writes a line of n8n's log, which names the trigger that it is about. */
export function log(context: FunctionsBase, level: 'info' | 'warn' | 'error', text: string): void {
	const { id: workflowId, name } = context.getWorkflow();
	const { name: nodeName } = context.getNode();
	// n8n writes what comes with a message only where it logs as JSON.
	const said = `eSign: ${text} (workflow "${name}", node "${nodeName}")`;
	context.logger[level](said, { workflowId, nodeName });
}

/**
 * An endpoint that a trigger has at the service; its secret cannot be read again (docs/service.md
 * section 6, rule 7).
 */
export type KnownEndpoint = {
	id: string;
	secret: string;
	url: string;
	events: EventType[];
	owner: string;
	/** The trigger was deactivated, and the service could not be brought to delete it. */
	retired?: true;
	/** When it was made, or retired, in milliseconds since the epoch. */
	at: number;
};

/** The endpoint that an active trigger needs at the service. */
export type WantedEndpoint = Pick<KnownEndpoint, 'url' | 'events'>;

/** An event that n8n was given in this process. */
export type GivenEvent = {
	/** Until then, in milliseconds since the epoch, another delivery is a repetition. */
	until: number;
	/** Whether n8n has started the workflow; `pending` while it takes longer than seven seconds. */
	outcome: 'pending' | 'started' | 'failed';
};

/** An attempt in a delivery log whose event no attempt has delivered. */
export type MissedEvent = WebhookDelivery & { endpointId: string };

type Mark = Entry & { since?: number };

/** What n8n's hooks have found and done at the newest activation. */
interface Activation {
	/** Whether the hooks have ended: the look of the running trigger waits for them. */
	isOver: boolean;
	/** What they asked for. */
	wanted?: WantedEndpoint;
	/** The name of the workflow; undefined once it is deactivated. */
	activeFor?: string;
	/** Whether what was missed is not to run. */
	ignoresMissed?: boolean;
	/** Whether a genuine delivery has arrived here since: the address works. */
	isProven?: true;
}

/**
 * What a trigger knows in this process. The sets lie in the global static data of its workflow as
 * well, under the ID of the node: a node that was renamed finds them again.
 */
export class TriggerState {
	readonly endpoints = new EntrySet<KnownEndpoint>(20);
	readonly waits = new Waits();
	/** Times that outlive the process, by what they are the time of. */
	private readonly marks = new EntrySet<Mark>(20);

	readonly events = new RecentMap<string, GivenEvent>(5_000);
	/** Events whose delivery is under way, by id: resolves to whether n8n has the event. */
	readonly starts = new Map<string, Promise<boolean>>();
	/** What has to run, by the id of the event, in this order. */
	readonly missed = new RecentMap<string, MissedEvent>(1_000);

	activation: Activation = { isOver: false };
	/** What looks after the endpoint, where the trigger runs here. */
	watch?: { end(): void; readLogInTime(): void };
	/** When what is known here is shared again; 0 if that is not planned. */
	sharedAt = 0;
	/** Requests whose state n8n has not saved yet. */
	saving = 0;

	/**
	 * @param isTest of a test listener, which shares nothing with the published trigger but the hook
	 * that deletes both
	 */
	constructor(
		readonly process: TriggerProcess,
		readonly isTest: boolean,
	) {}

	/** Grows whenever a delivery is seen to fail: the time of that, unless a clock was set back. */
	get failedAt(): number {
		return this.marks.get('failure')?.at ?? 0;
	}

	noteFailure(at = Math.max(Date.now(), this.failedAt + 1)): void {
		this.marks.keep({ id: 'failure', at });
	}

	get withoutEndpointSince(): number | undefined {
		return this.marks.get('gap')?.since;
	}

	/**
	 * @param since when there was no endpoint, before there is another; undefined: there is one
	 * again, or none is wanted
	 */
	markWithoutEndpoint(since?: number): void {
		const { at = 0, since: before } = this.marks.get('gap') ?? {};
		if ((since === undefined) === (before === undefined)) return;
		this.marks.keep({ id: 'gap', at: Math.max(Date.now(), at + 1), since });
	}

	/** Everything in the log of an endpoint up to this time, by the service's clock, has run. */
	logRunTo(endpointId: string): number {
		return this.marks.get(`log/${endpointId}`)?.at ?? 0;
	}

	markLogRun(endpointId: string, at: number): void {
		this.marks.keep({ id: `log/${endpointId}`, at });
	}

	load(context: FunctionsBase): void {
		this.merge(context.getWorkflowStaticData('global')[this.keyIn(context)]);
	}

	/**
	 * Every save writes all that is known: n8n may save an earlier request's state over a later
	 * one's. It all lies under one key, because n8n sees only that such a key was assigned.
	 */
	save(context: FunctionsBase): void {
		const data = context.getWorkflowStaticData('global');
		const key = this.keyIn(context);
		const known = JSON.stringify(this.toShare());
		if (JSON.stringify(data[key]) !== known) data[key] = JSON.parse(known) as IDataObject;
	}

	private keyIn(context: FunctionsBase): string {
		return `eSign/${context.getNode().id}${this.isTest ? '/test' : ''}`;
	}

	/** What is saved, and what another process needs to know. */
	toShare(): Shared {
		const { endpoints, waits, marks } = this;
		return { endpoint: endpoints.toShare(), wait: waits.toShare(), mark: marks.toShare() };
	}

	/** Takes in what was saved, or what another process has shared. */
	merge(shared: unknown): void {
		const { endpoint, wait, mark } = Object(shared) as Partial<Shared>;
		this.endpoints.merge(endpoint);
		this.waits.merge(wait);
		this.marks.merge(mark);
		this.waits.dropPast();
	}
}

/** One process of n8n, and what its triggers know. */
export class TriggerProcess {
	/** What was delivered before may have failed unseen. */
	readonly begunAt = Date.now();
	/**
	 * Endpoints whose log has shown an arrival: those at old addresses stay, and their logs are not
	 * read again and again.
	 */
	readonly receiving = new RecentMap<string, true>(100);
	/** The calls of executions that wait, of all triggers, that are under way now. */
	readonly calls = new Set<Promise<unknown>>();
	/** By the owner of their endpoints; those of test listeners by a name that owns none. */
	private readonly states = new RecentMap<string, TriggerState>(1_000);

	/** What the trigger of a context knows here, and what n8n has saved of it. */
	stateOf(context: FunctionsBase, isTest = false): TriggerState {
		const key = `${ownerOf(context)}${isTest ? '/test' : ''}`;
		const state = this.states.get(key) ?? new TriggerState(this, isTest);
		this.states.set(key, state);
		state.load(context);
		return state;
	}

	/** Whether the trigger of an execution was given an event in this process. */
	wasGiven(context: FunctionsBase, eventId: string): boolean {
		const { events, starts } = this.states.get(ownerOf(context)) ?? {};
		return (events?.has(eventId) || starts?.has(eventId)) ?? false;
	}

	/** Resolves when n8n has, or has not, the events that are being delivered now. */
	async deliveriesEnded(): Promise<void> {
		await Promise.all([...this.states.values()].flatMap(({ starts }) => [...starts.values()]));
	}

	/** The trigger running here that made an endpoint for an address that it had before. */
	leaverOf(endpointId: string): TriggerState | undefined {
		for (const [owner, state] of this.states) {
			const known = state.endpoints.get(endpointId);
			const { wanted } = state.activation;
			if (known?.owner === owner && wanted && !isSameUrl(known.url, wanted.url)) return state;
		}
		return undefined;
	}

	/** The name of the workflow whose trigger, or test listener, is active here and has a URL. */
	holderOf(url: string): string | undefined {
		for (const { activation } of this.states.values()) {
			const { wanted, activeFor } = activation;
			if (wanted && activeFor !== undefined && isSameUrl(wanted.url, url)) return activeFor;
		}
		return undefined;
	}
}

export const thisProcess = new TriggerProcess();
