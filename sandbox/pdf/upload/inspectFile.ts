import CFB from 'cfb';
import { fileTypeFromBuffer } from 'file-type/core';
import { DOC, DOCX, JPEG, PDF, PNG } from './mimeTypes';
import { openPdf, UnusablePdfError, type PdfRefusal } from './openPdf';

export type Inspection =
	{ ok: true; mimeType: string } | { ok: false; code: 'unsupported_file_type' | PdfRefusal };

/**
 * Says what a file is from its bytes alone, and whether it is accepted (docs/service.md section 4,
 * Files): PDF, DOCX, DOC, PNG and JPEG. Never throws; whatever cannot be recognised is
 * `unsupported_file_type`.
 */
export async function inspectFile(uploaded: Uint8Array): Promise<Inspection> {
	const bytes = Buffer.from(uploaded.buffer, uploaded.byteOffset, uploaded.byteLength);
	const mimeType = await acceptedType(bytes);
	if (mimeType === undefined) return { ok: false, code: 'unsupported_file_type' };
	if (mimeType !== PDF) return { ok: true, mimeType };
	try {
		await openPdf(bytes);
		return { ok: true, mimeType };
	} catch (error) {
		return { ok: false, code: error instanceof UnusablePdfError ? error.code : 'corrupt_pdf' };
	}
}

async function acceptedType(bytes: Buffer): Promise<string | undefined> {
	const detected = await detect(bytes);
	if (detected === 'application/x-cfb') return isWordDocument(bytes) ? DOC : undefined;
	// An animated PNG is a PNG to every reader; its first frame is the picture.
	if (detected === 'image/apng') return PNG;
	return [PDF, DOCX, PNG, JPEG].find((accepted) => accepted === detected);
}

/** Detection reads into the file, and a damaged archive may make it throw instead of giving up. */
async function detect(bytes: Buffer): Promise<string | undefined> {
	try {
		return (await fileTypeFromBuffer(withoutLineEnds(bytes)))?.mime;
	} catch {
		return undefined;
	}
}

/** Some software writes a line end before a PDF, which no reader minds. */
function withoutLineEnds(bytes: Buffer): Buffer {
	const begins = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
	const isPdf = bytes.subarray(begins, begins + 5).toString('latin1') === '%PDF-';
	return isPdf ? bytes.subarray(begins) : bytes;
}

/** DOC, XLS, PPT and MSI share one container; only a Word file has this stream at its root. */
function isWordDocument(bytes: Buffer): boolean {
	try {
		const container = CFB.read(bytes, { type: 'buffer' });
		return container.FullPaths.includes(`${container.FullPaths[0]}WordDocument`);
	} catch {
		return false;
	}
}
