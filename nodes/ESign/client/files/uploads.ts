import { createHash } from 'crypto';
import { asThrown } from '../errors/asThrown';
import { RecentMap } from '../recent';
import type { File } from '../../service/wire';

/** How many uploads are kept: far more than the executions of a process have under way. */
const MAX_UPLOADS = 10_000;

type Upload = { answer: Promise<File>; fileId?: string };

/** What each execution has uploaded, so that fifty documents from one PDF cost one upload. */
export class Uploads {
	private readonly kept = new RecentMap<string, Upload>(MAX_UPLOADS);

	/**
	 * The file of an upload: from an earlier one of the same bytes, or by uploading it. A failed upload is not kept.
	 *
	 * @param scope the execution, the key and the name of the file
	 */
	async reuse(scope: readonly string[], bytes: Buffer, send: () => Promise<File>): Promise<File> {
		const id = createHash('sha256').update(JSON.stringify(scope)).update(bytes).digest('hex');
		const upload: Upload = this.kept.get(id) ?? { answer: send() };
		this.kept.set(id, upload);
		try {
			const file = await upload.answer;
			upload.fileId = file.id;
			return file;
		} catch (error) {
			if (this.kept.get(id) === upload) this.kept.delete(id);
			throw asThrown(error);
		}
	}

	/** The service no longer knows these files: the next upload of theirs is sent. */
	forget(fileIds: string[]): void {
		for (const [id, { fileId }] of this.kept) {
			if (fileId !== undefined && fileIds.includes(fileId)) this.kept.delete(id);
		}
	}
}
