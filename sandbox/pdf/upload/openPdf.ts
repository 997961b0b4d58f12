import {
	decodePDFRawStream,
	EncryptedPDFError,
	ParseSpeeds,
	PDFArray,
	PDFDocument,
	PDFName,
	PDFRawStream,
	type PDFPage,
} from 'pdf-lib';
import { visibleBox } from '../page/pageSpace';
import { decryptPdf } from './decryptPdf';

/** Why a PDF cannot be used, in the codes of docs/service.md section 4, Files. */
export type PdfRefusal = 'password_protected_pdf' | 'corrupt_pdf';

export class UnusablePdfError extends Error {
	constructor(
		readonly code: PdfRefusal,
		options?: ErrorOptions,
	) {
		super(code, options);
		this.name = 'UnusablePdfError';
	}
}

/** Readers look for `%%EOF` in the last kilobyte, because mail gateways append padding. */
const END_MARK_WINDOW = 1024;

/**
 * Opens a PDF and proves that it can be worked with: pdf-lib repairs what it can and reads the rest
 * as if it were not there, so a document it opened may still have no pages, or pages that lost
 * their content. `bytes` are those that were read: the file itself, or a file with an owner
 * password only without its encryption.
 *
 * @throws UnusablePdfError `password_protected_pdf` when nobody opens the file without a password;
 * `corrupt_pdf` for the rest.
 */
export async function openPdf(
	uploaded: Uint8Array,
): Promise<{ document: PDFDocument; bytes: Uint8Array }> {
	try {
		requireEndMark(uploaded);
		return { document: await load(uploaded), bytes: uploaded };
	} catch (cause) {
		if (!isEncrypted(uploaded, cause)) throw new UnusablePdfError('corrupt_pdf', { cause });
	}
	const bytes = await decryptPdf(uploaded);
	if (!bytes) throw new UnusablePdfError('password_protected_pdf');
	try {
		return { document: await load(bytes), bytes };
	} catch (cause) {
		throw new UnusablePdfError('corrupt_pdf', { cause });
	}
}

async function load(bytes: Uint8Array): Promise<PDFDocument> {
	const document = await PDFDocument.load(bytes, {
		parseSpeed: ParseSpeeds.Fastest,
		throwOnInvalidObject: true,
		updateMetadata: false,
	});
	const pages = document.getPages();
	if (pages.length === 0) throw new Error('The document has no pages');
	pages.forEach(requireReadablePage);
	return document;
}

function requireEndMark(bytes: Uint8Array): void {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let end = text.length;
	while (end > 0 && [0x00, 0x09, 0x0a, 0x0d, 0x20].includes(text[end - 1] ?? -1)) end--;
	if (!text.subarray(Math.max(0, end - END_MARK_WINDOW), end).includes('%%EOF')) {
		throw new Error('The end of the document is missing');
	}
}

/**
 * Encrypted object streams make pdf-lib fail before it reaches its own check, so the trailer, which
 * is never encrypted, is asked as well. A file without its end cannot be opened with any password:
 * that one is corrupt.
 */
function isEncrypted(bytes: Uint8Array, cause: unknown): boolean {
	if (cause instanceof EncryptedPDFError) return true;
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
	return (
		text.slice(-END_MARK_WINDOW).includes('%%EOF') && /\/Encrypt\s*(\d+\s+\d+\s+R|<<)/.test(text)
	);
}

function requireReadablePage(page: PDFPage): void {
	const { width, height } = visibleBox(page);
	if (!(width > 0 && height > 0)) throw new Error('A page has no size');

	const { node } = page;
	if (!node.has(PDFName.Contents)) return;
	const contents = node.context.lookup(node.get(PDFName.Contents));
	const streams =
		contents instanceof PDFArray
			? contents.asArray().map((entry) => node.context.lookup(entry))
			: [contents];
	for (const stream of streams) {
		if (!(stream instanceof PDFRawStream)) throw new Error('A page lost its content');
		// An empty page may have an empty stream, which pdf-lib takes for a broken one.
		if (stream.getContentsSize() > 0) decodePDFRawStream(stream).decode();
	}
}
