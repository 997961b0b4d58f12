import { PdfObjects } from './pdfObjects';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PDF = Buffer.from('%PDF-');

/**
 * How many pages a file adds to a document: images one, a PDF as many as its page tree says. Undefined for anything else
 * (the pages of a Word file exist only once the service has converted it) and for a PDF that cannot be read for certain.
 */
export async function pageCount(bytes: Buffer): Promise<number | undefined> {
	if (startsWith(bytes, PNG) || startsWith(bytes, JPEG)) return 1;
	if (!startsWith(bytes, PDF)) return undefined;
	const objects = await PdfObjects.read(bytes);
	const root = objects?.trailer.reference('Root');
	const pages = root === undefined ? undefined : (await objects?.dictionary(root))?.reference('Pages');
	const tree = pages === undefined ? undefined : await objects?.dictionary(pages);
	const count = tree?.integer('Count');
	return tree?.name('Type') === 'Pages' && count !== undefined && count > 0 ? count : undefined;
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
	return bytes.subarray(0, magic.length).equals(magic);
}
