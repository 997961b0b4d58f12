import type { Objects } from './objects';
import { Unreadable } from './source';
import { Reference, type Value } from './values';

const MOST_NODES = 50_000;
const DEEPEST = 200;

/**
 * Counts the pages by walking the page tree (ISO 32000-1, 7.7.3). `Count` is not believed, but it has to be right: some
 * readers show as many pages as it says.
 */
export async function countPages(objects: Objects): Promise<number> {
	const catalog = await objects.resolve(objects.root);
	if (!(catalog instanceof Map) || catalog.get('/Type') !== '/Catalog') throw new Unreadable('There is no catalog');
	const nodes = new Set<number>();
	let visited = 0;

	async function pagesIn(kid: Value | undefined, depth: number): Promise<number> {
		visited += 1;
		if (visited > MOST_NODES || depth > DEEPEST) throw new Unreadable('The page tree is too large');
		const node = await objects.resolve(kid);
		if (!(kid instanceof Reference && node instanceof Map))
			throw new Unreadable('A node of the page tree is no object');
		const type = node.get('/Type');
		const kids = await objects.resolve(node.get('/Kids'));
		// A page that is there twice is two pages.
		if (type === '/Page' && kids === undefined && depth > 0) return 1;
		if (type !== '/Pages' || !Array.isArray(kids) || nodes.has(kid.number)) {
			throw new Unreadable('A node of the page tree is neither page nor node, or there twice');
		}
		nodes.add(kid.number);
		let pages = 0;
		for (const one of kids) pages += await pagesIn(one, depth + 1);
		const count = await objects.resolve(node.get('/Count'));
		if (count === pages || (count === undefined && depth > 0)) return pages;
		throw new Unreadable('The page tree counts other pages than it has');
	}

	const pages = await pagesIn(catalog.get('/Pages'), 0);
	if (pages === 0) throw new Unreadable('The file has no pages');
	return pages;
}
