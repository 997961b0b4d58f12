import { randomUUID } from 'crypto';
import { forgetOldest } from '../client';
import type { WaitingExecution } from '../waiting/waitingExecution';
import type { AcceptedEvent, Entry, KnownEndpoint } from './entries';

/** Triggers remembered in this process; the one that was silent longest is forgotten first. */
const MAX_TRIGGERS = 1_000;

/** A delivery whose workflow n8n is starting. */
export interface Start {
	/** Whether n8n has the event: it has answered, or has had seven seconds. */
	settled: Promise<boolean>;
}

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

/** What one trigger knows in this process. */
export class TriggerMemory {
	/** The entries of the sets: see `TriggerState`. */
	readonly endpoints = new Map<string, KnownEndpoint>();

	readonly events = new Map<string, AcceptedEvent>();

	readonly waits = new Map<string, WaitingExecution>();

	readonly failures = new Map<string, Entry>();

	/** The waits that are being called, by key. */
	readonly waking = new Set<string>();

	/** Events whose delivery is under way, by id. */
	readonly starts = new Map<string, Start>();

	/** What n8n's hooks have found and done at the newest activation. */
	readonly activation: Activation = { isOver: false, replaceable: [] };

	/** The name of its workflow, for the message at the endpoint limit. */
	workflowName?: string;

	/** Whether the trigger runs here, and looks after its endpoint. */
	isWatched = false;

	/** Whether another process was seen to answer at the trigger's URL. */
	hasPeers = false;

	/** Below which address n8n calls its waiting executions. */
	waitingUrl?: string;

	/** When what is known here is shared again; undefined if that is not planned. */
	sharedAt?: number;

	/** Requests whose state n8n has not saved yet. */
	saving = 0;

	/** The newest attempt that was seen in the delivery log, by the service's clock. */
	logReadTo?: string;
}

/** The memories of all triggers in one process. */
export class Memories {
	/** Stands for the process. */
	readonly process = randomUUID();

	/** Endpoints of test listeners that listen now; any other `/webhook-test/` endpoint was left behind. */
	readonly listening = new Set<string>();

	private readonly byKey = new Map<string, TriggerMemory>();

	of(key: string): TriggerMemory {
		const memory = this.byKey.get(key) ?? new TriggerMemory();
		this.byKey.delete(key);
		this.byKey.set(key, memory);
		forgetOldest(this.byKey, MAX_TRIGGERS);
		return memory;
	}

	/** Resolves when n8n has, or has not, the events that are being delivered now. */
	async delivered(): Promise<void> {
		const starts = [...this.byKey.values()].flatMap((memory) => [...memory.starts.values()]);
		await Promise.all(starts.map(async ({ settled }) => await settled));
	}

	/** The name of the workflow that an endpoint belongs to, as far as this process knows. */
	workflowOf(endpointId: string): string | undefined {
		return [...this.byKey.values()].find(({ endpoints }) => endpoints.has(endpointId))?.workflowName;
	}
}

/** Those of this process. */
export const memories = new Memories();
