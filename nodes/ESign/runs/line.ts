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
	/** The drafts that this execution has made, or known to be made, and not sent. */
	drafts: Array<[id: string, owner: Owner]>;
	/** Requests of this execution that are not through. */
	unfinished: unknown[];
}

/** Ids of one execution, and items of all lines, that are kept: an item takes some four kilobytes. */
const MOST = 5_000;

export function lineOf(context: IExecuteFunctions): Line {
	const flow: IDataObject & { eSign?: Line } = context.getContext('flow');
	return (flow.eSign ??= { ...beginningOf(context), ids: [], drafts: [], unfinished: [] });
}

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

/** An item, and of what it has made the run and the place there, what was asked for in its line, and whether a retry has made it. */
export type Owner = { item: string; run?: string; index?: number; asked?: string; isOfRetry?: boolean };

/** Whether it was made for the very same, here or in another round of the node, to which an error output has led back. */
function isRound(other: Owner | undefined, { run, index, asked }: Partial<Owner> = {}): boolean {
	return asked !== undefined && other?.asked === asked && (other.run !== run || other.index === index);
}

/** Whether another item of this execution has put it out, but for the draft of a round of the same. */
export function isOthers({ ids, drafts }: Line, id: string, owner: Owner | undefined): boolean {
	return ids.includes(id) && !isRound(new Map(drafts).get(id), owner);
}

/**
 * What the items of all lines have done in this process. Somebody may retry an older execution again, whose saved data knows
 * nothing of what its retries have done since, and may retry it twice at once.
 */
export class Lines {
	readonly oneAtATime = new OneAtATime();

	/** What each item has put out. */
	readonly outputs = new RecentMap<string, INodeExecutionData[]>(MOST);

	/** Whose an id is that was put out. */
	readonly ownerById = new RecentMap<string, Owner>(2 * MOST);

	/** Whether what has this id may be that of an item, or of another round of it. */
	isFor(owner: Owner, id: string): boolean {
		const other = this.ownerById.get(id);
		return !other || other.item === owner.item || isRound(other, owner);
	}

	/** What was made in all rounds for the very same. */
	roundsOf(owner: Owner, { drafts }: Line): string[] {
		return [...new Map([...drafts, ...this.ownerById])].filter(([, other]) => isRound(other, owner)).map(([id]) => id);
	}

	/** Notes what the item has put out, and which drafts it has made. */
	own(context: IExecuteFunctions, item: string, output: readonly INodeExecutionData[]): void {
		const line = lineOf(context);
		for (const { json } of output) {
			const { id, status } = json;
			if (typeof id !== 'string') continue;
			const owner = this.ownerById.get(id) ?? { item };
			this.ownerById.set(id, owner);
			// Whoever has made it has not sent it.
			if (status !== 'draft' && owner.item !== item) line.drafts = line.drafts.filter(([draft]) => draft !== id);
			if (line.ids.includes(id)) continue;
			line.ids.push(id);
			if (status === 'draft' && owner.asked) line.drafts.push([id, { ...owner, isOfRetry: isRetry(context) }]);
		}
		for (const list of [line.ids, line.drafts]) list.splice(0, list.length - MOST);
	}
}

export const lines = new Lines();
