import { BRACKET_CLOSE } from './syntax/characters';
import type { Dictionary } from './syntax/dictionary';
import type { Value } from './syntax/lexer';
import type { Key } from './syntax/words';
import type { Found, Objects } from './objects';
import { Column } from './column';
import { Nodes, PAGE, UNKNOWN } from './nodes';
import { Unreadable } from './work';

const NO_REFERENCE = 'A node of the page tree is not a reference';
const DIFFERENT = 'The page tree counts other pages than it has';

/** No page tree is deeper; readers that recurse give up at some depth. */
const DEEPEST = 1_000;

/**
 * Counts the pages by walking the page tree (ISO 32000-1, 7.7.3) level by level, so that each object stream is unpacked
 * once per level. `Count` is not believed, but it has to be right: some readers show as many pages as it says.
 *
 * @returns the number of pages, and the objects that say so
 */
export function walkPageTree(objects: Objects, catalog: Dictionary): { pages: number; nodes: Nodes } {
	return new PageTree(objects).walk(catalog);
}

/** Far above what a file can have; a number that a column can hold. */
const MOST_PAGES = 2 ** 30;

class PageTree {
	private readonly nodes: Nodes;

	constructor(private readonly objects: Objects) {
		this.nodes = new Nodes(objects.source);
	}

	walk(catalog: Dictionary): { pages: number; nodes: Nodes } {
		const { nodes } = this;
		const root = catalog.get('Pages');
		if (root?.kind !== 'reference') throw new Unreadable(NO_REFERENCE);
		this.add(root.number, root.generation, 0);
		for (let from = 0, depth = 0; from < nodes.length; depth++) {
			if (depth > DEEPEST) throw new Unreadable('The page tree is too deep');
			const end = nodes.length;
			this.readLevel(from, end);
			from = end;
		}
		const all = nodes.declared.get(0);
		if (all === 0 || all === UNKNOWN) throw new Unreadable('The file has no page tree');
		return { pages: this.count(), nodes };
	}

	private add(number: number, generation: number, parent: number): void {
		this.nodes.add(number, parent, this.objects.placeOf(number, generation));
	}

	/** Reads the nodes of one level in the order in which they are in the file; their kids make up the next level. */
	private readLevel(from: number, end: number): void {
		const { nodes } = this;
		let before = -1;
		for (const node of nodes.inFileOrder(from, end)) {
			const number = nodes.numbers.get(node);
			// A page that is there twice is two pages.
			if (before >= 0 && nodes.numbers.get(before) === number) {
				nodes.declared.set(node, nodes.declared.get(before));
				nodes.positions.set(node, nodes.positions.get(before));
				if (nodes.declared.get(node) !== PAGE) throw new Unreadable('A node of the page tree is in it twice');
				continue;
			}
			before = node;
			const found = this.objects.find(number);
			nodes.positions.set(node, found.position);
			nodes.declared.set(node, this.readNode(found, node));
		}
	}

	/** PAGE for a page; else what its `Count` says, or UNKNOWN. */
	private readNode(found: Found, node: number): number {
		const dictionary = this.objects.dictionary(found);
		const type = dictionary.name('Type');
		const kids = dictionary.get('Kids');
		if (type === 'Page' && kids === undefined && node > 0) return PAGE;
		if (type !== 'Pages' || kids === undefined)
			throw new Unreadable('A node of the page tree is neither page nor node');
		// First the kids: another object may be in another object stream, and this one is gone when that is read.
		this.addKids(found, dictionary, node);
		const count = this.entry(dictionary, 'Count');
		if (count === undefined) return UNKNOWN;
		if (count.value.kind !== 'integer' || count.value.value > MOST_PAGES) throw new Unreadable(DIFFERENT);
		return count.value.value;
	}

	private addKids(found: Found, dictionary: Dictionary, node: number): void {
		const kids = this.entry(dictionary, 'Kids');
		if (kids?.value.kind !== 'array') throw new Unreadable('The kids of a node are not a list');
		const lexer = (kids.found ?? found).lexer;
		lexer.at = kids.value.at + 1;
		for (lexer.skipSpace(); lexer.peek() !== BRACKET_CLOSE; lexer.skipSpace()) {
			// Without an object for each: there may be one for each few bytes.
			if (!lexer.reference()) throw new Unreadable(NO_REFERENCE);
			this.add(lexer.first, lexer.second, node);
		}
	}

	/** An entry, and the object that it is in if it is one of its own. */
	private entry(dictionary: Dictionary, key: Key): { value: Value; found?: Found } | undefined {
		const value = dictionary.get(key);
		if (value?.kind !== 'reference') return value && { value };
		this.objects.placeOf(value.number, value.generation);
		const found = this.objects.find(value.number);
		this.nodes.addOther(value.number, found.position);
		return { value: found.lexer.value(), found };
	}

	/** Adds the pages up from the leaves, and holds the sums against what the nodes say. */
	private count(): number {
		const { length, parents, declared } = this.nodes;
		const pages = new Column();
		for (let node = length - 1; node >= 0; node--) {
			const said = declared.get(node);
			if (said === PAGE) pages.set(node, 1);
			else if (said !== UNKNOWN && said !== pages.get(node)) throw new Unreadable(DIFFERENT);
			if (node > 0) pages.set(parents.get(node), pages.get(parents.get(node)) + pages.get(node));
		}
		return pages.get(0);
	}
}
