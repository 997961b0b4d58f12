import { fileTypeFromBuffer } from 'file-type/core';
import { DOC, DOCX, JPEG, PDF, PNG } from './mimeTypes';
import { openPdf, PasswordRequired } from './openPdf';

/** What a file is, or the code of docs/service.md section 4, Files, with which it is refused. */
export type Inspection =
	| { ok: true; mimeType: string }
	| { ok: false; code: 'unsupported_file_type' | 'password_protected_pdf' | 'corrupt_pdf' };

/**
 * Says what a file is from its bytes alone, and whether it is accepted (docs/service.md section 4,
 * Files): PDF, DOCX, DOC, PNG and JPEG.
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
		const isProtected = error instanceof PasswordRequired;
		return { ok: false, code: isProtected ? 'password_protected_pdf' : 'corrupt_pdf' };
	}
}

/** Some software writes a line end before a PDF, which no reader minds. */
const PDF_HEADER = /^[\r\n]*%PDF-/;

/** DOC, XLS, PPT and MSI share one container; a Word file has a part of this name. */
const WORD_PART = Buffer.from('WordDocument', 'utf16le');

async function acceptedType(bytes: Buffer): Promise<string | undefined> {
	if (PDF_HEADER.test(bytes.toString('latin1', 0, 64))) return PDF;
	// Detection reads into the file, and a damaged archive may make it throw instead of giving up.
	const detected = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
	if (detected === 'application/x-cfb') return bytes.includes(WORD_PART) ? DOC : undefined;
	// An animated PNG is a PNG to every reader; its first frame is the picture.
	if (detected === 'image/apng') return PNG;
	return [DOCX, PNG, JPEG].find((accepted) => accepted === detected);
}
