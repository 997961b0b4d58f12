import { checkOrder } from './order';
import { Objects } from './objects';
import { Source, Unreadable } from './source';
import { countPages } from './tree';

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
	if (start < 0) return undefined;
	// Offsets count from the header (ISO 32000-1, annex H, note 13), but some producers count what is before it.
	for (const from of new Set([start, 0])) {
		try {
			return await pagesOfPdf(new Source(bytes.subarray(from)));
		} catch (error) {
			const failure: unknown = error;
			if (!(failure instanceof Unreadable)) throw failure;
		}
	}
	return undefined;
}

async function pagesOfPdf(source: Source): Promise<number> {
	const objects = await Objects.in(source);
	const pages = await countPages(objects);
	await checkOrder(source, objects);
	return pages;
}
