import { Objects } from './objects';
import { readSections } from './sections';
import { Source, Unreadable } from './source';
import { Reference, type Value } from './values';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Readers look for the beginning of a PDF this far (ISO 32000-1, annex H, note 13). */
const FARTHEST_BEGINNING = 1024;

/**
 * How many pages a file adds to a document: an image one, a PDF as many as its page tree has. Undefined for anything else
 * (a Word file has no pages before the service converts it) and for a PDF that cannot be counted for certain: a guess
 * could put a signature on the wrong page of a contract.
 *
 * The file may come from a stranger: work and memory have limits (source.ts), and other things run in between.
 */
export async function pageCount(bytes: Buffer): Promise<number | undefined> {
	if ([PNG, JPEG].some((magic) => bytes.subarray(0, magic.length).equals(magic))) return 1;
	const start = bytes.subarray(0, FARTHEST_BEGINNING).indexOf('%PDF-');
	// Offsets count from the header (ISO 32000-1, annex H, note 13), but some producers count what is before it.
	for (const from of start < 0 ? [] : new Set([start, 0])) {
		try {
			const source = new Source(bytes.subarray(from));
			const objects = new Objects(source, await readSections(source));
			const pages = await countPages(objects);
			await objects.checkOrder();
			return pages;
		} catch (error) {
			const failure: unknown = error;
			if (!(failure instanceof Unreadable)) throw failure;
		}
	}
	return undefined;
}

/**
 * Counts the pages by walking the page tree (ISO 32000-1, 7.7.3). `Count` is not believed, but it has to be right: some
 * readers show as many pages as it says.
 */
async function countPages(objects: Objects): Promise<number> {
	const catalog = await objects.resolve(objects.root);
	if (!(catalog instanceof Map) || catalog.get('/Type') !== '/Catalog') throw new Unreadable('There is no catalog');
	const nodes = new Set<number>();

	async function pagesIn(kid: Value | undefined, isRoot = false): Promise<number> {
		const node = await objects.resolve(kid);
		if (!(kid instanceof Reference && node instanceof Map)) throw new Unreadable('A node is no object');
		const type = node.get('/Type');
		const kids = await objects.resolve(node.get('/Kids'));
		// A page that is there twice is two pages.
		if (type === '/Page' && kids === undefined && !isRoot) return 1;
		if (type !== '/Pages' || !Array.isArray(kids) || nodes.has(kid.number)) {
			throw new Unreadable('A node of the page tree is neither page nor node, or there twice');
		}
		nodes.add(kid.number);
		let pages = 0;
		for (const one of kids) pages += await pagesIn(one);
		const count = await objects.resolve(node.get('/Count'));
		if (count === pages || (count === undefined && !isRoot)) return pages;
		throw new Unreadable('The page tree counts other pages than it has');
	}

	const pages = await pagesIn(catalog.get('/Pages'), true);
	if (pages === 0) throw new Unreadable('The file has no pages');
	return pages;
}
