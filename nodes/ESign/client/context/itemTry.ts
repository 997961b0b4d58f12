import type { ApiContext } from './context';

/** One try of an item, as far as its calls have to know it. */
export type ItemTry<Kept> = {
	/** The same in all tries of the item, in all executions that were retried from one. */
	item: string;
	/** Stands for the parameters as they are in the node. While it stays the same, another try asks for the same. */
	raw: string;
	/** What n8n saves with the execution. */
	saved: Kept[];
};

const tries = new WeakMap<ApiContext, Map<number, ItemTry<unknown>>>();

/** Says which item of which line of executions the calls for an item of this run belong to. */
export function beginTry<Kept>(context: ApiContext, itemIndex: number, one: ItemTry<Kept>): void {
	const ofContext = tries.get(context) ?? new Map<number, ItemTry<unknown>>();
	tries.set(context, ofContext.set(itemIndex, one));
}

export function tryOf<Kept>(context: ApiContext, itemIndex: number | undefined): ItemTry<Kept> | undefined {
	return itemIndex === undefined ? undefined : (tries.get(context)?.get(itemIndex) as ItemTry<Kept> | undefined);
}
