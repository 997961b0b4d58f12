import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/**
 * n8n's memory of its nodes, as the server keeps it: one row of the database for each node, a list of
 * MD5 hashes, read and written whole and without a lock. Two calls at the same moment can lose an
 * entry, and two first ones collide.
 */
export class NodeMemories implements IDataDeduplicator {
	private readonly rows = new Map<string, string[]>();

	/** Thrown by every call, as where the database is away. */
	failure: Error | undefined;

	/** How long lies between reading a row and writing it. */
	pause: () => Promise<unknown> = setImmediate;

	/** How often it was asked. */
	calls = 0;

	clear(): void {
		this.rows.clear();
		this.calls = 0;
		this.failure = undefined;
		this.pause = setImmediate;
	}

	/** How many entries are kept of all nodes. */
	get size(): number {
		return [...this.rows.values()].reduce((sum, row) => sum + row.length, 0);
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const key = this.begin(scope, context);
		const before = this.rows.get(key);
		await this.pause();
		if (!before && this.rows.has(key)) throw new Error('UNIQUE constraint failed: processed_data');
		const known = new Set(before);
		const isKnown = (item: DeduplicationItemTypes) => known.has(hash(item));
		const fresh = items.filter((item) => !isKnown(item));
		const row = [...known, ...fresh.map(hash)];
		this.rows.set(key, maxEntries ? row.slice(-maxEntries) : row);
		return { new: fresh, processed: items.filter(isKnown) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const key = this.begin(scope, context);
		const before = this.rows.get(key);
		await this.pause();
		if (!before) return;
		const gone = new Set(items.map(hash));
		this.rows.set(
			key,
			before.filter((entry) => !gone.has(entry)),
		);
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		this.rows.delete(this.begin(scope, context));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		return this.rows.get(this.begin(scope, context))?.length ?? 0;
	}

	private begin(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
		this.calls += 1;
		if (this.failure) throw this.failure;
		return `${workflow.id}:${scope === 'node' ? node?.id : ''}`;
	}
}

const hash = (item: DeduplicationItemTypes) => createHash('md5').update(`${item}`).digest('hex');

/**
 * The memory of the process: n8n-core takes one for good. Packages are loaded once for several test
 * files, which then replace it with their own.
 */
export function nodeMemories(): NodeMemories {
	try {
		void DataDeduplicationService.init(memories).catch(replace);
	} catch {
		replace();
	}
	return memories;
}

const memories = new NodeMemories();

/** What the context of a node has of it as `helpers`. */
export function memoryHelpers(context: ICheckProcessedContextData) {
	const memory = nodeMemories();
	return {
		checkProcessedAndRecord: async (
			items: DeduplicationItemTypes[],
			scope: DeduplicationScope,
			options: ICheckProcessedOptions,
		) => await memory.checkProcessedAndRecord(items, scope, context, options),

		removeProcessed: async (items: DeduplicationItemTypes[], scope: DeduplicationScope) =>
			await memory.removeProcessed(items, scope, context),
	};
}

function replace(): void {
	Object.assign(DataDeduplicationService.getInstance(), { deduplicator: memories });
}
