import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forgetOldest } from '../../transport';
import { isTool, type Asked } from './asked';

/**
 * What one request of an item has come to so far, over all tries. An item whose parameters were corrected between two tries is
 * another request.
 */
export interface Progress {
	/** Under this name the transport remembers the calls of the request that are in doubt. */
	name: string;
	key: string;
	/** Base URL and mode. */
	place: string;
	/** Resource and operation. */
	operation: string;
	/** The data of the item. */
	input: string;
	asked: Asked;
	/** How many tries have failed. */
	failures: number;
	/** What a composite operation has done already, by step. */
	steps: Record<string, IDataObject>;
	/** What the steps have made, in words: it stays at the service if the item is corrected. */
	made?: string;
	/** The answer to a creating request was lost. The process that sent it knows how to look for what it has made. */
	inDoubt?: boolean;
	/** What it has done or left, in words, and the execution that was told of it. */
	told?: Told;
	output?: INodeExecutionData[];
}

export type Told = { execution: string; left: string };

/**
 * What this node keeps in the execution (`getContext('node')`), which n8n saves with it. "Retry On Fail" runs the whole
 * node again for all items in the same execution; "Retry execution" starts a new one from the saved data of the failed
 * one. Both would send the documents of the items that had succeeded a second time.
 */
export interface Memory {
	/** The same in all executions that were retried from one. */
	id: string;
	/** A node in a loop runs several times in one execution; what one run remembers is nothing to the next. */
	run: number | 'tool';
	/** An item has failed: a person may retry the execution, or others that it was retried from. */
	failed?: boolean;
	/** By item index. As a tool, each call of a model is a request: there may be several that have failed. */
	items: Record<number, Progress[]>;
}

/** Runs of the node that are remembered apart from their executions. */
const MOST_RUNS = 200;

/** Items of all these runs: each takes some four kilobytes. */
const MOST_ITEMS = 5_000;

/** So many documents that are done are named in an error. */
const MOST_NAMED = 10;

/**
 * What runs have come to that failed and were retried, by id. A person may retry an older execution again, whose saved data
 * knows nothing of what its retries have done. One process knows it.
 */
const recent = new Map<string, Memory>();

/** What is remembered of this run of the node. */
export function memoryOf(context: IExecuteFunctions, itemIndex: number): Memory {
	const kept: IDataObject & { memory?: Memory } = context.getContext('node');
	const run = isTool(context)
		? 'tool'
		: (context.evaluateExpression('{{ $runIndex }}', itemIndex) as unknown as number);
	if (kept.memory?.run !== run) return (kept.memory = { id: randomUUID(), run, items: {} });
	const known = recent.get(kept.memory.id);
	if (known && known !== kept.memory) learn(known, kept.memory);
	return (kept.memory = remember(known ?? kept.memory));
}

/** Takes over what an execution has saved: another process may have gone on since this one knew of the run. */
function learn(known: Memory, { failed, items }: Memory): void {
	known.failed ||= failed;
	for (const [index, requests] of Object.entries(items)) {
		const all = (known.items[Number(index)] ??= []);
		for (const request of requests) {
			const same = all.find(({ name }) => name === request.name);
			if (!same) all.push(request);
			else if (same.output) continue;
			// What was saved leaves out what it does not hold.
			else if (request.output ?? countOf(request.steps) > countOf(same.steps))
				Object.assign(same, { told: undefined, made: undefined, inDoubt: undefined }, request);
			else if (request.inDoubt) same.inDoubt = true;
		}
	}
}

function countOf(steps: object): number {
	return Object.keys(steps).length;
}

/** Notes that an item has failed. */
export function noteFailure(context: IExecuteFunctions): void {
	const { memory }: IDataObject & { memory?: Memory } = context.getContext('node');
	if (memory) remember(memory).failed = true;
}

/** Keeps a run, also apart from its execution. */
export function remember(memory: Memory): Memory {
	recent.delete(memory.id);
	recent.set(memory.id, memory);
	forgetOldest(recent, MOST_RUNS);
	let items = 0;
	for (const one of [...recent.values()].reverse()) {
		items += countOf(one.items);
		if (items > MOST_ITEMS && one !== memory) recent.delete(one.id);
	}
	return memory;
}

/** Forgets a run that is through, or of a tool the calls that are. */
export function forget(context: IExecuteFunctions, through: ReadonlyMap<number, Progress>): void {
	const kept: IDataObject & { memory?: Memory } = context.getContext('node');
	if (!kept.memory) return;
	const { id, items, failed } = kept.memory;
	if (isTool(context)) {
		for (const [itemIndex, { name: done }] of through) {
			items[itemIndex] = (items[itemIndex] ?? []).filter(({ name }) => name !== done);
		}
		if (Object.values(items).some((all) => all.length > 0)) return;
	}
	delete kept.memory;
	if (!failed) recent.delete(id);
}

/** What items are done, in words: all of them, so that a person is told once. */
export function tellDone({ items }: Memory, place: string, execution: string): Told {
	const done = Object.entries(items).flatMap(([index, all]) =>
		all.filter((one) => one.output !== undefined && one.place === place).map((one) => ({ index, one })),
	);
	const names = done.map(({ index, one }) => {
		const id = one.output?.[0]?.json.id;
		return typeof id === 'string' ? id : `item ${index}`;
	});
	const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
	const count = `${done.length} ${done.length === 1 ? 'item was' : 'items were'}`;
	const told = { execution, left: `${count} carried out (${names.slice(0, MOST_NAMED).join(', ')}${more}).` };
	for (const { one } of done) one.told = told;
	return told;
}
