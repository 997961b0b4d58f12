import { randomUUID } from 'crypto';
import type { FunctionsBase, IDataObject } from 'n8n-workflow';
import { forgetOldest, isObject } from '../client';
import { mergeWaits, parseWait, type WaitingExecution } from '../waiting/waitingExecution';
import { endpointIn, entryIn, eventIn, type AcceptedEvent, type Entry, type KnownEndpoint } from './entries';
import { EntrySet } from './entrySet';
import { ownerOf, type Identified } from './identity';

/** Triggers remembered in this process; the one that was silent longest is forgotten first. */
const MAX_TRIGGERS = 1_000;

/** The only entry of its set. */
const NEWEST = 'newest';

type StateContext = Identified & Pick<FunctionsBase, 'getWorkflowStaticData'>;

/** What n8n's hooks have found and done at the newest activation. */
interface Activation {
	/** Whether the hooks are through: the look of the running trigger waits for them. */
	isOver: boolean;
	/** What `checkExists` asked for. */
	wanted?: Pick<KnownEndpoint, 'url' | 'events'>;
	/** Endpoints that `checkExists` has found and `create` is to replace. */
	replaceable: string[];
	/** The endpoint that was found to fit, or made: the next look need not ask. */
	checkedId?: string;
}

/**
 * What a trigger knows in this process. The sets lie in the global static data of its workflow as well, under the ID of the
 * node: a node that was renamed finds them again.
 */
export class TriggerState {
	readonly endpoints: EntrySet<KnownEndpoint>;

	readonly events = new EntrySet<AcceptedEvent>({ parse: eventIn, max: 500 });

	readonly waits = new EntrySet<WaitingExecution>({ parse: parseWait, merge: mergeWaits, max: 2_000 });

	private readonly failures = new EntrySet<Entry>({ parse: entryIn, max: 1 });

	/** Events whose delivery is under way, by id: whether n8n has the event, once it has answered or has had seven seconds. */
	readonly starts = new Map<string, Promise<boolean>>();

	/** The waits that are being called, by key. */
	readonly waking = new Set<string>();

	activation: Activation = { isOver: false, replaceable: [] };

	/** The name of its workflow, for the message at the endpoint limit. */
	workflowName?: string;

	/** Whether the trigger runs here, and looks after its endpoint. */
	isWatched = false;

	/** Whether another process was seen to answer at the trigger's URL. */
	hasPeers = false;

	/** When what is known here is shared again; undefined if that is not planned. */
	sharedAt?: number;

	/** Requests whose state n8n has not saved yet. */
	saving = 0;

	/** The newest attempt that was seen in the delivery log, by the service's clock. */
	logReadTo?: string;

	/** @param isTest of a test listener, which shares nothing with the published trigger but the hook that deletes both */
	constructor(
		readonly process: TriggerProcess,
		isTest: boolean,
	) {
		const parse = (value: IDataObject) => {
			const endpoint = endpointIn(value);
			return endpoint?.test === isTest ? endpoint : undefined;
		};
		this.endpoints = new EntrySet<KnownEndpoint>({ parse, max: 20 });
	}

	/** All sets, by the names under which they are saved and shared. */
	private get sets(): Array<[name: string, set: EntrySet<Entry>]> {
		const sets = { endpoint: this.endpoints, event: this.events, wait: this.waits, failure: this.failures };
		return Object.entries(sets) as unknown as Array<[string, EntrySet<Entry>]>;
	}

	/** When a delivery was last seen to fail, in milliseconds since the epoch. */
	get failedAt(): number {
		return this.failures.get(NEWEST)?.at ?? 0;
	}

	noteFailure(): void {
		this.failures.keep({ id: NEWEST, at: Date.now() });
	}

	load(context: StateContext): void {
		const data = context.getWorkflowStaticData('global');
		for (const [name, set] of this.sets) set.readFrom(data, prefixOf(context, name));
	}

	/** Every save writes all that is known: n8n may save an earlier request's state over a later one's. */
	save(context: StateContext): void {
		const data = context.getWorkflowStaticData('global');
		for (const [name, set] of this.sets) set.writeTo(data, prefixOf(context, name));
	}

	/** What another process needs to know. */
	toShare(): IDataObject {
		return Object.fromEntries(this.sets.map(([name, set]) => [name, set.newest()]));
	}

	/** Takes in what another process has shared. */
	merge(shared: unknown): void {
		if (isObject(shared)) for (const [name, set] of this.sets) set.merge(shared[name]);
	}
}

const prefixOf = (context: StateContext, name: string) => `eSign/${context.getNode().id}/${name}/`;

/** One process of n8n, and what its triggers know. */
export class TriggerProcess {
	readonly id = randomUUID();

	/** Endpoints of test listeners that listen now; any other `/webhook-test/` endpoint was left behind. */
	readonly listening = new Set<string>();

	/** The calls of executions that wait, of all triggers, that are under way now. */
	readonly calls = new Set<Promise<unknown>>();

	private readonly states = new Map<string, TriggerState>();

	/** What the trigger of a context knows here, and what n8n has saved of it. */
	stateOf(context: StateContext, isTest = false): TriggerState {
		const key = `${ownerOf(context)}${isTest ? '/test' : ''}`;
		const state = this.states.get(key) ?? new TriggerState(this, isTest);
		this.states.delete(key);
		this.states.set(key, state);
		forgetOldest(this.states, MAX_TRIGGERS);
		state.load(context);
		return state;
	}

	/** Resolves when n8n has, or has not, the events that are being delivered now. */
	async delivered(): Promise<void> {
		await Promise.all([...this.states.values()].flatMap(({ starts }) => [...starts.values()]));
	}

	/** The name of the workflow that an endpoint belongs to, as far as this process knows. */
	workflowOf(endpointId: string): string | undefined {
		return [...this.states.values()].find(({ endpoints }) => endpoints.get(endpointId))?.workflowName;
	}
}

/** The process that this is. */
export const thisProcess = new TriggerProcess();
