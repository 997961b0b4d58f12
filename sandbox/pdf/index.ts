/** The door to everything that reads or makes PDFs; the work is done in threads (enginePool.ts). */
import type { CertificateInput } from './certificate/buildCertificate';
import type { TemplateSheet } from './drawTemplate';
import { inThread } from './enginePool';
import type { FinishInput } from './finishDocument';
import type { SealInput, Sealed } from './sealDocument';
import type { Inspection } from './upload/inspectFile';

export { EngineGaveUp } from './enginePool';
export type { FieldType } from '../state/vocabulary';
export type { CertificateInput } from './certificate/buildCertificate';
export type { PlacedField } from './fields/placedField';
export type { Sealed } from './sealDocument';
export { buildSource } from './source/buildSource';
export { SourceBuildError } from './source/sourceBuildError';
export type { Inspection } from './upload/inspectFile';

export async function buildCertificate(input: CertificateInput): Promise<Buffer> {
	return asBuffer(await inThread('buildCertificate', input));
}

export async function drawTemplate(
	template: TemplateSheet,
): Promise<{ bytes: Buffer; pageCount: number }> {
	const { bytes, pageCount } = await inThread('drawTemplate', template);
	return { bytes: asBuffer(bytes), pageCount };
}

/**
 * A file over which its thread runs out of time or memory was made to do that: no reader opens it
 * either.
 */
export async function inspectFile(bytes: Buffer): Promise<Inspection> {
	try {
		return await inThread('inspectFile', bytes);
	} catch {
		return { ok: false, code: 'corrupt_pdf' };
	}
}

export async function finishDocument(
	input: FinishInput,
): Promise<{ sealed: Buffer; certificate: Buffer }> {
	const { sealed, certificate } = await inThread('finishDocument', input);
	return { sealed: asBuffer(sealed), certificate: asBuffer(certificate) };
}

export function pageSizes(bytes: Buffer): Promise<Array<{ width: number; height: number }>> {
	return inThread('pageSizes', bytes);
}

export async function sealDocument(
	input: SealInput,
): Promise<Omit<Sealed, 'bytes'> & { bytes: Buffer }> {
	const sealed = await inThread('sealDocument', input);
	return { ...sealed, bytes: asBuffer(sealed.bytes) };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
	return Buffer.from(buffer, byteOffset, byteLength);
}
