import { ParseSpeeds, PDFDocument } from 'pdf-lib';
import { seenSize, type Size } from '../page/pageSpace';
import { rewrite } from './qpdf';

/** Nobody opens the file without a password. */
export class PasswordRequired extends Error {}

/** pdf-lib fails in several ways at an encrypted file, whose trailer is never encrypted. */
const ENCRYPTED = /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/;

/**
 * Opens a PDF and proves that it can be worked with. `bytes` are those that were read: the file
 * itself, or one with an owner password only without its encryption: that password only asks
 * readers not to print or change the file.
 *
 * @throws PasswordRequired, or whatever is wrong with a damaged file
 */
export async function openPdf(
	uploaded: Uint8Array,
): Promise<{ document: PDFDocument; bytes: Uint8Array }> {
	const text = Buffer.from(uploaded).toString('latin1');
	requireEndMark(text);
	try {
		return { document: await load(uploaded), bytes: uploaded };
	} catch (cause) {
		if (!ENCRYPTED.test(text)) throw cause;
	}
	const bytes = await rewrite(uploaded, '--decrypt').catch((cause: unknown) => {
		throw new PasswordRequired('A password is required', { cause });
	});
	return { document: await load(bytes), bytes };
}

/** Sizes of all pages in points, as a person sees them. */
export async function pageSizes(bytes: Uint8Array): Promise<Size[]> {
	return (await openPdf(bytes)).document.getPages().map(seenSize);
}

async function load(bytes: Uint8Array): Promise<PDFDocument> {
	const document = await PDFDocument.load(bytes, {
		parseSpeed: ParseSpeeds.Fastest,
		throwOnInvalidObject: true,
		updateMetadata: false,
	});
	const sizes = document.getPages().map(seenSize);
	if (sizes.length === 0) throw new Error('The document has no pages');
	if (sizes.some(({ width, height }) => !(width > 0 && height > 0)))
		throw new Error('A page has no size');
	return document;
}

/** Readers look for it in the last kilobyte, because mail gateways append padding. */
function requireEndMark(text: string): void {
	const unpadded = text.replaceAll('\0', ' ').trimEnd();
	if (!unpadded.slice(-1024).includes('%%EOF'))
		throw new Error('The end of the document is missing');
}
