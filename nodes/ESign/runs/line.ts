import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { client, fingerprint, OneAtATime, RecentMap } from '../client';

/**
 * What the executions that were retried from each other have in common, kept where n8n saves it with each of them
 * (`getContext('flow')`).
 */
export interface Line {
	id: string;
	/** By the clock of `now()`. */
	beganAt: number;
	/** The ids of what the items of this execution have put out: none is another item's. */
	ids: string[];
	/** Requests of this execution that are not through. */
	unfinished: unknown[];
}

/** So many ids are kept of one execution. */
const MOST_IDS = 5_000;

export function lineOf(context: IExecuteFunctions): Line {
	const flow: IDataObject & { eSign?: Line } = context.getContext('flow');
	return (flow.eSign ??= { ...beginningOf(context), ids: [], unfinished: [] });
}

/** Whether this execution was retried from another. */
export function isRetry(context: IExecuteFunctions): boolean {
	return context.getMode() === 'retry';
}

/**
 * An execution that was retried from one that failed before it came to any node of ours knows no line. What all retries of
 * that one share is when n8n has begun it, or its first node, which they do not run again. Of one that was stopped or lost
 * on a worker n8n may have saved no node at all.
 */
function beginningOf(context: IExecuteFunctions): Pick<Line, 'id' | 'beganAt'> {
	const data = 'runExecutionData' in context ? (context.runExecutionData as IRunExecutionData | null) : null;
	const runs = Object.entries(data?.resultData.runData ?? {}).flatMap(([node, tasks]) =>
		tasks.map(({ startTime }) => ({ node, startTime })),
	);
	const begunAt = data?.executionData?.runtimeData?.establishedAt;
	if (begunAt !== undefined) runs.push({ node: '', startTime: begunAt });
	const [first] = runs.sort((one, other) => one.startTime - other.startTime);
	if (!isRetry(context) || !first) return { id: randomUUID(), beganAt: client.now() };
	return { id: fingerprint([context.getWorkflow().id, first]), beganAt: first.startTime };
}

/** An item, and of what it has made the run and what was asked for in its line. */
export type Owner = { item: string; run?: string; asked?: string };

/** Items of all lines of executions: each takes some four kilobytes. */
const MOST_ITEMS = 5_000;

/**
 * What the items of all lines have done in this process. Somebody may retry an older execution again, whose saved data knows
 * nothing of what its retries have done since, and may retry it twice at once.
 */
export class Lines {
	readonly oneAtATime = new OneAtATime();

	/** What each item has put out. */
	readonly outputs = new RecentMap<string, INodeExecutionData[]>(MOST_ITEMS);

	/** Whose an id is that was put out. */
	readonly ownerById = new RecentMap<string, Owner>(2 * MOST_IDS);

	/** Whether what has this id may be of an item, or of a later round of it to which an error output has led back. */
	isFor({ item, run, asked }: Owner, id: string): boolean {
		const owner = this.ownerById.get(id);
		return !owner || owner.item === item || (owner.asked === asked && owner.run !== run);
	}

	own(line: Line, item: string, output: readonly INodeExecutionData[]): void {
		for (const { json } of output) {
			if (typeof json.id !== 'string') continue;
			if (this.ownerById.get(json.id)?.item !== item) this.ownerById.set(json.id, { item });
			if (!line.ids.includes(json.id)) line.ids.push(json.id);
		}
		line.ids.splice(0, line.ids.length - MOST_IDS);
	}
}

export const lines = new Lines();
