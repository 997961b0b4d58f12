import { EngineGaveUp, inThread } from '../enginePool';
import { DOC, DOCX, PDF } from '../upload/mimeTypes';
import { convertWord } from '../word/convertWord';
import { SourceBuildError } from './sourceBuildError';

interface SourceFile {
	bytes: Uint8Array;
	mimeType: string;
}

/**
 * Merges files into one PDF in the listed order (docs/service.md section 4, POST /documents): the pages of a PDF as they
 * are, the text of a DOCX or DOC laid out on pages, and an image on a page of its own.
 *
 * @throws SourceBuildError when a file, though accepted at upload, cannot be read through, or not in time.
 */
export async function buildSource(files: SourceFile[]): Promise<{ bytes: Buffer; pageCount: number }> {
	const readable: SourceFile[] = [];
	for (const [index, file] of files.entries()) {
		try {
			readable.push(await withoutWord(file));
		} catch (cause) {
			throw new SourceBuildError(index, { cause });
		}
	}
	const merged = await inThread('mergeSource', readable).catch((cause: unknown) => {
		throw cause instanceof EngineGaveUp ? new SourceBuildError(undefined, { cause }) : cause;
	});
	if ('failed' in merged) throw new SourceBuildError(merged.failed, { cause: new Error(merged.reason) });
	const { buffer, byteOffset, byteLength } = merged.bytes;
	return { bytes: Buffer.from(buffer, byteOffset, byteLength), pageCount: merged.pageCount };
}

async function withoutWord({ bytes, mimeType }: SourceFile): Promise<SourceFile> {
	if (mimeType !== DOCX && mimeType !== DOC) return { bytes, mimeType };
	return { bytes: await convertWord(Buffer.from(bytes)), mimeType: PDF };
}
