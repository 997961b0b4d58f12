import { Unreadable } from './objects/source';
import type { Objects } from './objects/objects';
import { Reference, type Dictionary, type Value } from './objects/values';

const INHERITED = ['/Resources', '/MediaBox', '/CropBox', '/Rotate'];

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
	const catalog = await objects.resolve(objects.root);
	if (!(catalog instanceof Map)) throw new Unreadable('There is no catalog');
	// Some producers leave the type out.
	if ((catalog.get('/Type') ?? '/Catalog') !== '/Catalog')
		throw new Unreadable('The catalog is something else');
	const nodes = new Set<number>();

	async function pagesIn(kid: Value | undefined, above?: Dictionary): Promise<number> {
		const node = await objects.resolve(kid);
		if (!(kid instanceof Reference && node instanceof Map))
			throw new Unreadable('A node is no object');
		const type = node.get('/Type');
		const kids = await objects.resolve(node.get('/Kids'));
		// A page that is there twice is two pages.
		if (type === '/Page' && kids === undefined && above) {
			await visit?.(new Map([...above, ...node]));
			return 1;
		}
		if (type !== '/Pages' || !Array.isArray(kids) || nodes.has(kid.number)) {
			throw new Unreadable('A node of the page tree is neither page nor node, or there twice');
		}
		// Programs that delete pages leave empty nodes, one of them in several places.
		if (kids.length > 0) nodes.add(kid.number);
		const inherited = new Map(above);
		for (const key of INHERITED) {
			const value = node.get(key);
			if (value !== undefined) inherited.set(key, value);
		}
		let pages = 0;
		for (const one of kids) pages += await pagesIn(one, inherited);
		const count = await objects.resolve(node.get('/Count'));
		if (count === pages || (count === undefined && above)) return pages;
		throw new Unreadable('The page tree counts other pages than it has');
	}

	const pages = await pagesIn(catalog.get('/Pages'));
	if (pages === 0) throw new Unreadable('The file has no pages');
	return pages;
}
