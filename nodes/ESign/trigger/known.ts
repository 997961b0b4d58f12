import type { FunctionsBase, IDataObject } from 'n8n-workflow';
import { isObject } from '../transport';
import { ownerOf } from './identity';
import { isTime, MOST, READ, type AcceptedEvent, type Kind, type Members } from './members';
import { memories, type Memories, type TriggerMemory } from './memory';

/** So many times more are kept in the process, which costs less. */
const MORE_IN_PROCESS = 10;

const KINDS = Object.keys(MOST) as Kind[];

const keyOf = (kind: Kind, id: string): string => `${kind}:${id}`;

/**
 * What a trigger knows: a set of members, kept in the node's static data and in the process, and read as the union of the
 * two. n8n saves static data late, or not at all, or as it was when a request began; with a set that is only added to and
 * taken from, no order of saves costs the newest member, as long as one of the two places has it. An old snapshot may bring
 * a removed endpoint back. That does no harm: nobody signs with its secret any more, and the next look removes it again.
 *
 * Each member has a top-level key of its own, because n8n saves static data only when such a key was assigned.
 *
 * A further kind takes three lines in members.ts: its type in `Members`, its reader in `READ` and its bound in `MOST`. Every
 * member has an `id` and an `at`; of two with the same id the one with the later `at` counts.
 */
export class Known {
	private constructor(
		private readonly data: IDataObject,
		readonly memory: TriggerMemory,
		private readonly isTest: boolean,
	) {}

	/** @param isTest the set of the test listener, which shares nothing with the published trigger's */
	static of(
		context: Pick<FunctionsBase, 'getInstanceId' | 'getWorkflow' | 'getNode' | 'getWorkflowStaticData'>,
		isTest = false,
		processes: Memories = memories,
	): Known {
		const memory = processes.of(`${ownerOf(context)}${isTest ? '/test' : ''}`);
		return new Known(context.getWorkflowStaticData('node'), memory, isTest);
	}

	get<K extends Kind>(kind: K, id: string): Members[K] | undefined {
		const stored = this.data[keyOf(kind, id)];
		const read = isObject(stored) ? (READ[kind] as (value: IDataObject) => Members[K] | undefined)(stored) : undefined;
		if (read && this.belongs(read)) this.keep(kind, read);
		return this.memory.members[kind].get(id) as Members[K] | undefined;
	}

	/** All members of a kind, the newest first. */
	all<K extends Kind>(kind: K): Array<Members[K]> {
		for (const key of Object.keys(this.data)) {
			if (key.startsWith(`${kind}:`)) this.get(kind, key.slice(kind.length + 1));
		}
		const members = [...this.memory.members[kind].values()] as Array<Members[K]>;
		return members.sort((one, other) => other.at - one.at);
	}

	/** Keeps a member in the process only. */
	keep<K extends Kind>(kind: K, member: Members[K]): void {
		const members = this.memory.members[kind] as Map<string, Members[K]>;
		const earlier = members.get(member.id);
		if (earlier && earlier.at >= member.at) return;
		members.delete(member.id);
		members.set(member.id, member);
		for (const id of members.keys()) {
			if (members.size <= MOST[kind] * MORE_IN_PROCESS) return;
			members.delete(id);
		}
	}

	/** Keeps a member in the process and in static data, if it is not there yet. The process may know a later one. */
	add<K extends Kind>(kind: K, member: Members[K]): void {
		this.keep(kind, member);
		const latest = this.memory.members[kind].get(member.id) ?? member;
		if (this.isStored(kind, latest)) return;
		this.data[keyOf(kind, latest.id)] = { ...latest };
		// Sorting all of them for each one that is added would hold n8n up for seconds when two processes share full sets.
		const count = Object.keys(this.data).filter((key) => key.startsWith(`${kind}:`)).length;
		if (count <= MOST[kind]) return;
		for (const { id } of this.stored(kind).slice(MOST[kind])) delete this.data[keyOf(kind, id)];
	}

	/** Whether static data holds a member, or a later one of the same id: n8n has saved what an earlier request wrote. */
	isStored(kind: Kind, { id, at }: { id: string; at: number }): boolean {
		const stored = this.data[keyOf(kind, id)];
		return isObject(stored) && isTime(stored.at) && stored.at >= at;
	}

	remove(kind: Kind, id: string): void {
		this.memory.members[kind].delete(id);
		const key = keyOf(kind, id);
		if (this.data[key] !== undefined) delete this.data[key];
	}

	/** What another process needs to know of this set. */
	toShare(): IDataObject {
		const shared = KINDS.flatMap((kind) =>
			this.all(kind)
				.slice(0, MOST[kind])
				.map((member): [string, IDataObject] => [keyOf(kind, member.id), member]),
		);
		return Object.fromEntries(shared);
	}

	/** Takes in what another process has shared. Events stay in the process: they are many, and soon past. */
	merge(shared: unknown): void {
		if (!isObject(shared)) return;
		for (const kind of KINDS) {
			for (const [key, value] of Object.entries(shared)) {
				const member = key.startsWith(`${kind}:`) && isObject(value) ? READ[kind](value) : undefined;
				if (!member || key !== keyOf(kind, member.id)) continue;
				if (kind === 'event') this.keep(kind, member as AcceptedEvent);
				else this.add(kind, member as Members[typeof kind]);
			}
		}
	}

	/** The static data of a test listener is not that of the published trigger, but n8n deletes both with the same hook. */
	private belongs(member: Members[Kind]): boolean {
		return !('test' in member) || member.test === this.isTest;
	}

	private stored(kind: Kind): Array<{ id: string; at: number }> {
		return Object.entries(this.data)
			.filter(([key]) => key.startsWith(`${kind}:`))
			.map(([key, value]) => ({ id: key.slice(kind.length + 1), at: isObject(value) ? Number(value.at) || 0 : 0 }))
			.sort((one, other) => other.at - one.at);
	}
}
