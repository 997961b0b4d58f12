import { checkFileOrder } from './fileOrder';
import { Objects } from './objects';
import { walkPageTree } from './pageTree';
import { Source } from './source';
import { CrossReference } from './table/crossReference';
import { Unreadable, type Work } from './work';

const HEADER = Buffer.from('%PDF-');

/** Readers look for the beginning of a PDF this far (ISO 32000-1, annex H, note 13). */
const FARTHEST_BEGINNING = 1024;

/**
 * How many pages a PDF has: what its page tree holds, if readers that go by the cross-reference table and readers that go
 * through the file come to the same.
 *
 * @param work what may be spent on it
 * @throws Unreadable, GivenUp with the reason if that cannot be said for certain
 */
export function pagesOfPdf(bytes: Buffer, work: Work): number {
	const start = bytes.subarray(0, FARTHEST_BEGINNING).indexOf(HEADER);
	if (start < 0) throw new Unreadable('This is no PDF');
	try {
		return pagesFrom(bytes.subarray(start), work);
	} catch (error) {
		const failure: unknown = error;
		if (start === 0 || !(failure instanceof Unreadable)) throw failure;
		// Offsets count from the header (ISO 32000-1, annex H, note 13), but some producers count what is before it.
		return pagesFrom(bytes, work);
	}
}

function pagesFrom(bytes: Buffer, work: Work): number {
	const source = new Source(bytes, work);
	const table = CrossReference.read(source);
	const objects = new Objects(source, table);
	const root = table.trailer.get('Root');
	if (root?.kind !== 'reference') throw new Unreadable('The trailer names no catalog');
	objects.placeOf(root.number, root.generation);
	const found = objects.find(root.number);
	const catalog = objects.dictionary(found);
	if (catalog.name('Type') !== 'Catalog') throw new Unreadable('The catalog is of another type');
	const { pages, nodes } = walkPageTree(objects, catalog);
	nodes.addOther(root.number, found.position);
	const isEncrypted = table.trailer.get('Encrypt') !== undefined;
	checkFileOrder(source, { objects: nodes.byNumber(), root, isEncrypted }, objects.resolve);
	return pages;
}
