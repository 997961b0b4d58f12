import type { ApiContext } from './context';

/** By the context of one run of a node, then by item. */
const names = new WeakMap<ApiContext, Map<number, string>>();

/**
 * Says by what the calls of an item are remembered while nobody knows what they have done. Another try of the item gives the
 * same name, in whatever context it runs, and so goes on where the calls of the first try ended.
 */
export function nameItem(context: ApiContext, itemIndex: number, name: string): void {
	const ofContext = names.get(context) ?? new Map<number, string>();
	names.set(context, ofContext.set(itemIndex, name));
}

export function nameOfItem(context: ApiContext, itemIndex: number | undefined): string | undefined {
	return itemIndex === undefined ? undefined : names.get(context)?.get(itemIndex);
}
