import { EngineGaveUp, inThread } from '../enginePool';
import { SourceBuildError } from './sourceBuildError';

/**
 * Merges files into one PDF in the listed order (docs/service.md section 4, POST /documents): the
 * pages of a PDF as they are, the text of a DOCX or DOC laid out on pages, and an image on a page
 * of its own.
 *
 * @throws SourceBuildError when a file, though accepted at upload, cannot be read through, or not
 * in time.
 */
export async function buildSource(
	files: Array<{ bytes: Uint8Array; mimeType: string }>,
): Promise<{ bytes: Buffer; pageCount: number }> {
	const merged = await inThread('mergeSource', files).catch((cause: unknown) => {
		throw cause instanceof EngineGaveUp ? new SourceBuildError(undefined, { cause }) : cause;
	});
	if ('failed' in merged)
		throw new SourceBuildError(merged.failed, { cause: new Error(merged.reason) });
	const { buffer, byteOffset, byteLength } = merged.bytes;
	return { bytes: Buffer.from(buffer, byteOffset, byteLength), pageCount: merged.pageCount };
}
