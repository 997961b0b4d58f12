/** The door to everything that reads or makes PDFs; the work is done in a thread (engineThread.ts). */
import type { TemplateSheet } from './drawTemplate';
import { inThread } from './engineThread';
import type { SignedDocument } from './signedDocument';
import type { Inspection } from './upload/inspectFile';

export { EngineGaveUp } from './engineThread';
export type { PlacedField } from './fields/placedField';

interface Pages<Bytes> {
	bytes: Bytes;
	pageCount: number;
}

/**
 * A file over which the thread runs out of time or memory was made to do that: no reader opens it
 * either.
 */
export async function inspectFile(bytes: Buffer): Promise<Inspection> {
	try {
		return await inThread('inspectFile', bytes);
	} catch {
		return { ok: false, code: 'corrupt_pdf' };
	}
}

/**
 * Merges files into one PDF in the listed order (docs/service.md section 4, POST /documents): the
 * pages of a PDF as they are, the text of a DOCX or DOC laid out on pages, and an image on a page
 * of its own. No `bytes` when a file, though accepted at upload, cannot be read through, or not in
 * time.
 */
export async function buildSource(
	files: Array<{ bytes: Uint8Array; mimeType: string }>,
): Promise<Pages<Buffer | null>> {
	try {
		const { bytes, pageCount } = await inThread('mergeSource', files);
		return { bytes: Buffer.from(bytes), pageCount };
	} catch {
		return { bytes: null, pageCount: 0 };
	}
}

export async function drawTemplate(template: TemplateSheet): Promise<Pages<Buffer>> {
	const { bytes, pageCount } = await inThread('drawTemplate', template);
	return { bytes: Buffer.from(bytes), pageCount };
}

/** @throws EngineGaveUp */
export async function finishDocument(
	document: SignedDocument,
): Promise<{ sealed: Buffer; certificate: Buffer }> {
	const { sealed, certificate } = await inThread('finishDocument', document);
	return { sealed: Buffer.from(sealed), certificate: Buffer.from(certificate) };
}

export function pageSizes(bytes: Buffer): Promise<Array<{ width: number; height: number }>> {
	return inThread('pageSizes', bytes);
}
