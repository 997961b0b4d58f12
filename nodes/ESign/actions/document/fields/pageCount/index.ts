import { pagesOfPdf } from './pagesOfPdf';
import { Source } from './source';
import { GivenUp, Unreadable } from './work';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * How many pages a file adds to a document: images one, a PDF as many as its page tree has. Undefined for anything else
 * (the pages of a Word file exist only once the service has converted it) and for a PDF that cannot be read for certain,
 * or that readers do not agree on: a guess could put a signature on the wrong page of a contract.
 *
 * The file may come from a stranger. Time and memory grow with its size and no faster, whatever it holds.
 */
export async function pageCount(bytes: Buffer): Promise<number | undefined> {
	if (startsWith(bytes, PNG) || startsWith(bytes, JPEG)) return 1;
	try {
		return pagesOfPdf(bytes, Source.workFor(bytes.length));
	} catch (error) {
		const failure: unknown = error;
		if (failure instanceof Unreadable || failure instanceof GivenUp) return undefined;
		throw failure;
	}
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
	return bytes.subarray(0, magic.length).equals(magic);
}
