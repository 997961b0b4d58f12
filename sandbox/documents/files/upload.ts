import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../http/errors';
import { inspectFile } from '../../pdf';
import type { StoredFile } from '../../state/entities';
import { newId } from '../../state/ids';
import type { Mode } from '../../state/vocabulary';
import type { World } from '../../state/world';

/** 25 MB (docs/service.md section 10, 24). */
const MAX_FILE_BYTES = 25 * 1024 * 1024;
const PART = 'file';
const UNNAMED = 'file';

/** Reads a part to its end; undefined when it is larger than a file may be. */
async function bytesOf(part: MultipartFile): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of part.file as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= MAX_FILE_BYTES) chunks.push(chunk);
	}
	return size > MAX_FILE_BYTES || part.file.truncated ? undefined : Buffer.concat(chunks);
}

/** The single part named `file` of a multipart request. */
async function readPart(request: FastifyRequest): Promise<{ name: string; bytes: Buffer }> {
	let found: { name: string; bytes: Buffer | undefined } | undefined;
	const strangers: string[] = [];
	for await (const part of request.parts({
		limits: { fileSize: MAX_FILE_BYTES + 1, parts: 100 },
	})) {
		const bytes = part.type === 'file' ? await bytesOf(part) : undefined;
		if (part.type !== 'file' || part.fieldname !== PART || found)
			strangers.push(part.fieldname || PART);
		else found = { name: part.filename || UNNAMED, bytes };
	}
	if (!found) throw new ApiError('file_missing');
	if (strangers.length > 0) {
		const details = strangers.map((field) => ({ field, message: 'is not a known part' }));
		throw new ApiError('validation_error', { details });
	}
	if (!found.bytes) throw new ApiError('file_too_large');
	return { name: found.name, bytes: found.bytes };
}

/**
 * POST /files: what is stored is what the bytes are, whatever was declared (docs/service.md section
 * 4).
 */
export async function storeUpload(
	world: World,
	mode: Mode,
	request: FastifyRequest,
): Promise<StoredFile> {
	const { name, bytes } = await readPart(request).catch((error: unknown) => {
		if (error instanceof ApiError) throw error;
		throw invalid('body', 'must be well-formed multipart/form-data');
	});
	if (bytes.length === 0) throw new ApiError('file_empty');
	const inspection = await inspectFile(bytes);
	if (!inspection.ok) throw new ApiError(inspection.code);
	const file = {
		id: newId('file'),
		mode,
		name,
		mimeType: inspection.mimeType,
		bytes,
		createdAt: world.timeline.date(),
	};
	world.state.files.set(file.id, file);
	return file;
}
