import type { ApiContext } from './context';

export type ItemName = {
	/**
	 * By this the calls of an item are remembered while nobody knows what they have done. Another try of the item gives the same
	 * name, in whatever context it runs, and so goes on where the calls of the first try ended.
	 */
	name: string;
	/**
	 * Stands for what a person can correct between two tries. Where it is the same, only expressions such as `$now` can have made
	 * another request of it.
	 */
	asked: string;
};

/** By the context of one run of a node, then by item. */
const names = new WeakMap<ApiContext, Map<number, ItemName>>();

/** Says how the calls of an item are remembered. */
export function nameItem(context: ApiContext, itemIndex: number, name: ItemName): void {
	const ofContext = names.get(context) ?? new Map<number, ItemName>();
	names.set(context, ofContext.set(itemIndex, name));
}

export function nameOfItem(context: ApiContext, itemIndex: number | undefined): ItemName | undefined {
	return itemIndex === undefined ? undefined : names.get(context)?.get(itemIndex);
}
