import { forgetOldest } from '../transport';
import type { Kind, KnownEndpoint, Members } from './members';

/** Triggers remembered in this process; the one that was silent longest is forgotten first. */
const MOST_TRIGGERS = 1_000;

/** A delivery that n8n has not answered yet, or whose sender did not wait for the answer. */
export interface StartUnderWay {
	/** The signature's time, in seconds since the epoch. */
	signedAt: number;
	/** Where n8n answers once it has started the workflow, or failed to. */
	response: { readonly writableEnded: boolean; readonly statusCode: number };
	/** Resolves when n8n has answered, or the sender has gone. */
	settled: Promise<void>;
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

/** An execution that is being woken. */
export interface Waking {
	/** The documents that have ended, as events say. */
	ended: Set<string>;
	/** Those that may have ended unnoticed. */
	missed: Set<string>;
	/** Whether one has ended since the last call. */
	again: boolean;
	/** Ends the pause before the next call. */
	pause?: AbortController;
}

/** What one trigger knows in this process, and nowhere else. */
export class TriggerMemory {
	/** The members of the set: see `Known`. */
	readonly members: { [K in Kind]: Map<string, Members[K]> } = {
		endpoint: new Map(),
		event: new Map(),
		wait: new Map(),
	};

	/** The executions that are being woken, by the key they wait under. */
	readonly waking = new Map<string, Waking>();

	/** Events whose delivery is under way, by id. */
	readonly starts = new Map<string, StartUnderWay>();

	/** What n8n's hooks have found and done at the newest activation. */
	readonly activation: Activation = { isOver: false, replaceable: [] };

	/** The newest attempt that was seen in the delivery log, by the service's clock. */
	logReadTo?: string;
}

/** The memories of all triggers in one process. */
export class Memories {
	private readonly byKey = new Map<string, TriggerMemory>();

	/** Endpoints of test listeners that listen now; any other `/webhook-test/` endpoint was left behind. */
	readonly listening = new Set<string>();

	of(key: string): TriggerMemory {
		const memory = this.byKey.get(key) ?? new TriggerMemory();
		this.byKey.delete(key);
		this.byKey.set(key, memory);
		forgetOldest(this.byKey, MOST_TRIGGERS);
		return memory;
	}
}

/** Those of this process. */
export const memories = new Memories();
