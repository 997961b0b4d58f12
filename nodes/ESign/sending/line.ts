import { randomUUID } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';
import { client, fingerprint, OneAtATime, RecentMap } from '../client';

/**
 * What the executions that were retried from each other have in common, kept where n8n saves it
 * with each of them (`getContext('flow')`).
 */
export interface Line {
	id: string;
	/**
	 * By the computer's clock: the executions of a line may run on several. Undefined: of what is
	 * retried n8n has saved nothing.
	 */
	beganAt?: number;
	/** The ids of what the items of this execution have put out: none is another item's. */
	ids: string[];
	/**
	 * Whose a document is that a retry has made, where another retry may have made one of its own.
	 */
	made: Array<[id: string, owner: Owner | undefined]>;
	/** Requests of this execution that are not through. */
	unfinished: unknown[];
}

/**
 * Ids of one execution, and items of all lines, that are kept: an item takes some four kilobytes.
 */
const MAX_KEPT = 5_000;

export function lineOf(context: IExecuteFunctions): Line {
	const flow: IDataObject & { eSign?: Line } = context.getContext('flow');
	return (flow.eSign ??= { ...beginningOf(context), ids: [], made: [], unfinished: [] });
}

/** Whether this execution was retried from another. */
export function isRetry(context: IExecuteFunctions): boolean {
	return context.getMode() === 'retry';
}

/**
 * Where the first execution failed before it came to any node of ours, its retries have no saved
 * line. What they share with it is when n8n has begun it, or its first node, which they do not run
 * again. Of one that was stopped or lost on a worker n8n may have saved no node at all.
 */
function beginningOf(context: IExecuteFunctions): Pick<Line, 'id' | 'beganAt'> {
	const data =
		'runExecutionData' in context ? (context.runExecutionData as IRunExecutionData | null) : null;
	const { establishedAt, source } = data?.executionData?.runtimeData ?? {};
	// Of an execution that has crashed n8n may have saved none, and then each retry has one of its
	// own.
	const isOwn = establishedAt === undefined || source === 'retry';
	const first = isOwn ? firstRunOf(data) : { node: '', startTime: establishedAt };
	const now = client.wallClock();
	// After a crash n8n may have saved no node either: then all runs are the retry's own.
	const isOlder =
		first !== undefined && !(source === 'retry' && first.startTime >= (establishedAt ?? 0));
	if (isRetry(context) && data && !isOlder) return { id: randomUUID() };
	if (!first) return { id: randomUUID(), beganAt: now };
	const id = fingerprint([context.getWorkflow().id, first]);
	const count = (lines.begun.get(id) ?? 0) + (isRetry(context) ? 0 : 1);
	lines.begun.set(id, count);
	// Which of several that began in the same millisecond it was cannot be known.
	return { id: count > 1 ? randomUUID() : id, beganAt: isRetry(context) ? first.startTime : now };
}

function firstRunOf(data: IRunExecutionData | null) {
	const runs = Object.entries(data?.resultData.runData ?? {}).flatMap(([node, tasks]) =>
		// What n8n has recovered of an execution that has crashed is in seconds.
		tasks.map(({ startTime }) => ({
			node,
			startTime: startTime < 1e11 ? startTime * 1000 : startTime,
		})),
	);
	return runs.sort((one, other) => one.startTime - other.startTime)[0];
}

/**
 * An item, and of what it has made the run and the place there, and what was asked for in its line.
 */
export type Owner = { item: string; run?: string; index?: number; asked?: string };

/**
 * What the items of all lines have done in this process. Somebody may retry an older execution
 * again, whose saved data knows nothing of what its retries have done since, and may retry it twice
 * at once.
 */
export class Lines {
	readonly oneAtATime = new OneAtATime();

	/** How many first executions have a beginning of this name. */
	readonly begun = new RecentMap<string, number>(MAX_KEPT);

	/** What each item has put out. */
	readonly outputs = new RecentMap<string, INodeExecutionData[]>(MAX_KEPT);

	/** Whose an id is that was put out. */
	readonly ownerById = new RecentMap<string, Owner>(2 * MAX_KEPT);

	/**
	 * The items with data of their own that are in an execution, by its id: what one of them has is
	 * no other's.
	 */
	readonly rows = new RecentMap<string, Set<string>>(100);

	/**
	 * Whether what has this id may be of an item, or of a later round of it to which an error output
	 * has led back.
	 */
	isFor({ item, run, index, asked = '' }: Owner, id: string, rows?: ReadonlySet<string>): boolean {
		const owner = this.ownerById.get(id);
		if (!owner || owner.item === item) return true;
		const isSameRun = run !== undefined && owner.run === run;
		// At the same place it is this item's, however its data was made anew.
		if (isSameRun && owner.index === index) return true;
		// In a list read anew its row may stand elsewhere; an equal row that is here as well has its
		// own.
		return owner.asked === asked && !(isSameRun && rows?.has(owner.item) === true);
	}

	own(line: Line, item: string, output: readonly INodeExecutionData[]): void {
		for (const { json } of output) {
			if (typeof json.id !== 'string') continue;
			if (!this.ownerById.has(json.id)) {
				// It may have been made by another worker.
				const [, maker = { item }] = line.made.find(([id]) => id === json.id) ?? [];
				this.ownerById.set(json.id, maker);
			}
			if (!line.ids.includes(json.id)) line.ids.push(json.id);
		}
		line.ids.splice(0, line.ids.length - MAX_KEPT);
	}
}

export const lines = new Lines();
