import type { FunctionsBase } from 'n8n-workflow';
import { RecentMap, type EventType } from '../client';
import { EntrySet, type Entry } from '../messages/entrySet';
import { Waits } from '../waiting/waits';
import { isSameUrl } from '../service/urls';
import { ownerOf, type Identified } from './identity';

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
	/**
	 * The trigger was deactivated, and the service could not be brought to delete it: what it
	 * delivers is not wanted.
	 */
	retired?: true;
	/** It is at an address that n8n has no more, and what it has missed was said. */
	isTold?: boolean;
	/** When it was made, or retired, in milliseconds since the epoch. */
	at: number;
};

/** The endpoint that an active trigger needs at the service. */
export type WantedEndpoint = Pick<KnownEndpoint, 'url' | 'events'>;

/** An event that started the workflow. */
export type AcceptedEvent = {
	id: string;
	/**
	 * The newest signature that it came with, in seconds since the epoch: those signed earlier are
	 * repetitions.
	 */
	at: number;
	/**
	 * Until then, in milliseconds since the epoch, a new signature makes no difference either. 0: n8n
	 * has failed to start the workflow after the service was told that it would, so that the service
	 * is to be asked for a replay.
	 */
	until: number;
};

type StateContext = Identified & Pick<FunctionsBase, 'getWorkflowStaticData'>;

/** What n8n's hooks have found and done at the newest activation. */
interface Activation {
	/** Whether the hooks are through: the look of the running trigger waits for them. */
	isOver: boolean;
	/** What they asked for, and for whom. */
	wanted?: WantedEndpoint;
	workflowName?: string;
	/** The endpoint that was found to fit, or made: the next look need not ask. */
	checkedId?: string;
}

/**
 * What a trigger knows in this process. The sets lie in the global static data of its workflow as
 * well, under the ID of the node: a node that was renamed finds them again.
 */
export class TriggerState {
	readonly endpoints = new EntrySet<KnownEndpoint>(20);
	readonly events = new EntrySet<AcceptedEvent>(500);
	readonly waits = new Waits();
	/**
	 * When a delivery was last seen to fail (`failure`), and since when there is no endpoint (`gap`).
	 */
	private readonly marks = new EntrySet<Entry & { since?: number }>(2);
	/**
	 * Events whose delivery is under way, by id: whether n8n has the event, once it has answered or
	 * has had seven seconds.
	 */
	readonly starts = new Map<string, Promise<boolean>>();
	activation: Activation = { isOver: false };
	/** What looks after the endpoint, where the trigger runs here. */
	watch?: { end(): void };
	/** When what is known here is shared again; undefined if that is not planned. */
	sharedAt?: number;
	/** Requests whose state n8n has not saved yet. */
	saving = 0;
	/**
	 * The newest attempt that was seen in the delivery log, by the service's clock, in milliseconds
	 * since the epoch.
	 */
	logReadTo = 0;

	/**
	 * @param isTest of a test listener, which shares nothing with the published trigger but the hook
	 * that deletes both
	 */
	constructor(
		readonly process: TriggerProcess,
		readonly isTest: boolean,
	) {}

	/** All sets, by the names under which they are saved and shared. */
	private get sets() {
		const { endpoints: endpoint, events: event, waits: wait, marks: mark } = this;
		return Object.entries({ endpoint, event, wait, mark }) as unknown as Array<
			[string, EntrySet<Entry>]
		>;
	}

	get failedAt(): number {
		return this.marks.get('failure')?.at ?? 0;
	}

	noteFailure(at = Date.now()): void {
		this.marks.keep({ id: 'failure', at });
	}

	get deafSince(): number | undefined {
		return this.marks.get('gap')?.since;
	}

	/**
	 * @param since when there was no endpoint, before there is another; undefined: there is one
	 * again, or none is wanted
	 */
	noteGap(since?: number): void {
		const { at = 0 } = this.marks.get('gap') ?? {};
		if ((since === undefined) === (this.deafSince === undefined)) return;
		this.marks.keep({ id: 'gap', at: Math.max(Date.now(), at + 1), since });
	}

	load(context: StateContext): void {
		const data = context.getWorkflowStaticData('global');
		for (const [name, set] of this.sets) set.readFrom(data, this.prefixOf(context, name));
	}

	/**
	 * Every save writes all that is known: n8n may save an earlier request's state over a later
	 * one's.
	 */
	save(context: StateContext): void {
		const data = context.getWorkflowStaticData('global');
		for (const [name, set] of this.sets) set.writeTo(data, this.prefixOf(context, name));
	}

	private prefixOf(context: StateContext, name: string): string {
		return `eSign/${context.getNode().id}/${this.isTest ? 'test/' : ''}${name}/`;
	}

	toShare(): Record<string, Entry[]> {
		return Object.fromEntries(this.sets.map(([name, set]) => [name, set.newest()]));
	}

	/** Takes in what another process has shared. */
	merge(shared: Record<string, Entry[]> = {}): void {
		for (const [name, set] of this.sets) set.merge(shared[name]);
		// Or what is over would be shared for ever, and in the end crowd out those that wait.
		this.waits.dropFinished();
	}
}

/** One process of n8n, and what its triggers know. */
export class TriggerProcess {
	/** What was delivered before may have failed unseen. */
	readonly begunAt = Date.now();
	/**
	 * Endpoints whose log has shown an arrival: those at old addresses stay, without being asked
	 * about again and again.
	 */
	readonly heard = new RecentMap<string, true>(100);
	/** The calls of executions that wait, of all triggers, that are under way now. */
	readonly calls = new Set<Promise<unknown>>();
	private readonly states = new RecentMap<string, TriggerState>(1_000);

	/** What the trigger of a context knows here, and what n8n has saved of it. */
	stateOf(context: StateContext, isTest = false): TriggerState {
		const key = `${ownerOf(context)}${isTest ? '/test' : ''}`;
		const state = this.states.get(key) ?? new TriggerState(this, isTest);
		this.states.set(key, state);
		state.load(context);
		return state;
	}

	/** Resolves when n8n has, or has not, the events that are being delivered now. */
	async delivered(): Promise<void> {
		await Promise.all([...this.states.values()].flatMap(({ starts }) => [...starts.values()]));
	}

	/**
	 * The trigger, or the test listener, to which an endpoint belongs, as far as this process knows.
	 */
	holderOf(endpointId: string): TriggerState | undefined {
		const isHeld = (one: KnownEndpoint) => one.id === endpointId && !one.retired;
		return [...this.states.values()].find(({ endpoints }) => endpoints.all().some(isHeld));
	}

	/**
	 * Whether a published trigger that runs here made an endpoint, for an address that it has no
	 * more.
	 */
	isOutdated(endpointId: string): boolean {
		const published = [...this.states.values()].filter(({ isTest }) => !isTest);
		const [one] = published.flatMap(({ endpoints }) => endpoints.get(endpointId) ?? []);
		const wanted = one && this.states.get(one.owner)?.activation.wanted;
		return one && wanted ? !isSameUrl(one.url, wanted.url) : false;
	}
}

export const thisProcess = new TriggerProcess();
