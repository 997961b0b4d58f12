import type { FunctionsBase, IDataObject } from 'n8n-workflow';
import { isObject } from '../client';
import { mergeWaits, parseWait, type WaitingExecution } from '../waiting/waitingExecution';
import { parseEndpoint, parseEntry, parseEvent, type AcceptedEvent, type Entry, type KnownEndpoint } from './entries';
import { ownerOf } from './identity';
import { memories, type Memories, type TriggerMemory } from './memory';
import { StateSet, type Kind } from './stateSet';

/** The only entry of its set. */
const NEWEST = 'newest';

/**
 * What a trigger knows. It lies in the global static data of its workflow, under the ID of the node: a node that was renamed
 * finds it again.
 */
export class TriggerState {
	readonly endpoints: StateSet<KnownEndpoint>;

	/** Kept in the process, and in static data once an event has come again: a delivery that starts the workflow writes nothing. */
	readonly events: StateSet<AcceptedEvent>;

	readonly waits: StateSet<WaitingExecution>;

	private readonly failures: StateSet<Entry>;

	private constructor(
		readonly memory: TriggerMemory,
		readonly processes: Memories,
		data: IDataObject,
		nodeId: string,
		isTest: boolean,
	) {
		const set = <T extends Entry>(entries: Map<string, T>, name: string, kind: Omit<Kind<T>, 'prefix'>) =>
			new StateSet(data, entries, { ...kind, prefix: `eSign/${nodeId}/${name}/` });
		// The static data of a test listener is not that of the published trigger, but n8n deletes both with the same hook.
		const parseOwn = (value: IDataObject) => {
			const endpoint = parseEndpoint(value);
			return endpoint?.test === isTest ? endpoint : undefined;
		};
		this.endpoints = set(memory.endpoints, 'endpoint', { parse: parseOwn, max: 20 });
		this.events = set(memory.events, 'event', { parse: parseEvent, max: 500 });
		this.waits = set(memory.waits, 'wait', { parse: parseWait, max: 2_000, merge: mergeWaits });
		this.failures = set(memory.failures, 'failure', { parse: parseEntry, max: 1 });
	}

	/** @param isTest the state of the test listener, which shares nothing with the published trigger's */
	static of(
		context: Pick<FunctionsBase, 'getInstanceId' | 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'>,
		isTest = false,
		processes: Memories = memories,
	): TriggerState {
		const memory = processes.of(`${ownerOf(context)}${isTest ? '/test' : ''}`);
		return new TriggerState(memory, processes, context.getWorkflowStaticData('global'), context.getNode().id, isTest);
	}

	/** When a delivery was last seen to fail, in milliseconds since the epoch. */
	get failedAt(): number {
		return this.failures.get(NEWEST)?.at ?? 0;
	}

	noteFailure(): void {
		this.failures.keep({ id: NEWEST, at: Date.now() });
	}

	/** Every save writes all that the process knows: n8n may save an earlier request's state over a later one's. */
	saveAll(): void {
		for (const set of [this.endpoints, this.waits, this.failures]) set.saveAll();
	}

	/** What another process needs to know. */
	toShare(): IDataObject {
		const { endpoints, events, waits, failures } = this;
		return {
			endpoints: endpoints.toShare(),
			events: events.toShare(),
			waits: waits.toShare(),
			failures: failures.toShare(),
		};
	}

	/** Takes in what another process has shared. */
	merge(shared: unknown): void {
		if (!isObject(shared)) return;
		this.endpoints.merge(shared.endpoints);
		this.events.merge(shared.events);
		this.waits.merge(shared.waits);
		this.failures.merge(shared.failures);
	}
}
