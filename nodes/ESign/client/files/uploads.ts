import { createHash } from 'crypto';
import { asThrown } from '../errors/asThrown';
import { forgetOldest } from '../recent';
import { runOf, type ApiContext } from '../run';
import type { File } from '../../service/wire';

/** Executions whose uploads are kept, and uploads kept of each: the oldest are forgotten first. */
const MOST_EXECUTIONS = 100;
const MOST_UPLOADS = 500;

/** Stands for the same bytes under the same name with the same key. */
export function uploadId(keyId: string, name: string, bytes: Buffer): string {
	return createHash('sha256').update(`${keyId}\n${name}\n`).update(bytes).digest('hex');
}

type Upload = { answer: Promise<File>; fileId?: string };

/** What each execution has uploaded, so that fifty documents from one PDF cost one upload. */
export class Uploads {
	private readonly byExecution = new Map<unknown, Map<string, Upload>>();

	/** The file of this upload: from an earlier one of this execution, or by uploading it. A failed upload is not kept. */
	async reuse(context: ApiContext, id: string, send: () => Promise<File>): Promise<File> {
		const uploads = this.of(context);
		const kept = uploads.get(id);
		if (kept) return await kept.answer;
		const upload: Upload = { answer: send() };
		uploads.set(id, upload);
		forgetOldest(uploads, MOST_UPLOADS);
		try {
			const file = await upload.answer;
			upload.fileId = file.id;
			return file;
		} catch (error) {
			if (uploads.get(id) === upload) uploads.delete(id);
			throw asThrown(error);
		}
	}

	/** The service no longer knows these files: the next upload of theirs is sent. */
	forget(context: ApiContext, fileIds: string[]): void {
		const uploads = this.of(context);
		for (const [id, { fileId }] of [...uploads]) {
			if (fileId !== undefined && fileIds.includes(fileId)) uploads.delete(id);
		}
	}

	private of(context: ApiContext): Map<string, Upload> {
		const { execution } = runOf(context);
		const kept = this.byExecution.get(execution) ?? new Map<string, Upload>();
		// The execution that uploaded last is the last to be forgotten.
		this.byExecution.delete(execution);
		this.byExecution.set(execution, kept);
		forgetOldest(this.byExecution, MOST_EXECUTIONS);
		return kept;
	}
}
