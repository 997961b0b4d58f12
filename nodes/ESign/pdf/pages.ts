import type { Objects } from './objects/objects';
import { Dictionary, ensure, Reference, type Value } from './objects/values';

/** An entry that a page has from a node above it takes as long as so many characters. */
const STEPS_OF_ENTRY = 8;

/**
 * Walks the page tree (ISO 32000-1, 7.7.3) and returns how many pages it has. `Count` has to be
 * right: some readers show as many pages as it says.
 *
 * @param visit gets a page with what it has from the nodes above it (7.7.3.4)
 */
export async function walkPages(
	objects: Objects,
	visit?: (page: Dictionary) => Promise<void>,
): Promise<number> {
	// The catalog is the one that the newest trailer names.
	const catalog = await objects.sections[0]?.trailer.dictionary('/Root');
	const nodes = new Set<number>();

	async function pagesIn(kid: Value | undefined, above?: Dictionary): Promise<number> {
		const node = await objects.resolve(kid);
		ensure(kid instanceof Reference && node instanceof Dictionary, 'A node is no object');
		const type = node.get('/Type');
		const kids = await node.resolve('/Kids');
		const all = new Dictionary(objects, [...(above ?? []), ...node]);
		objects.spend(STEPS_OF_ENTRY * all.size);
		// A page that is there twice is two pages.
		if (type === '/Page' && kids === undefined && above) {
			await visit?.(all);
			return 1;
		}
		ensure(type === '/Pages' && Array.isArray(kids), 'A node is neither a page nor has any');
		ensure(!nodes.has(kid.number), 'A node is there twice');
		// Programs that delete pages leave empty nodes, one of them in several places.
		if (kids.length > 0) nodes.add(kid.number);
		let pages = 0;
		for (const one of kids) pages += await pagesIn(one, all);
		const count = await node.resolve('/Count');
		const isRight = count === pages || (count === undefined && above);
		ensure(isRight, 'The page tree counts other pages than it has');
		return pages;
	}

	const pages = await pagesIn(catalog?.get('/Pages'));
	ensure(pages > 0, 'The file has no pages');
	return pages;
}
