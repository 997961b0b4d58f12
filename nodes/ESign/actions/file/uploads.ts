import { createHash } from 'crypto';
import { multipartFile, runOf, serviceOf, type File } from '../../client';
import { Readings, type BinaryFile, type Item } from '../../operation';

/** Far more than the executions of a process have under way. */
const MAX_UPLOADS = 10_000;

/** So that fifty documents from one PDF cost one upload. */
const uploads = new Readings(Infinity, MAX_UPLOADS);

/**
 * POST /files. The same bytes and name again within one execution give the same file without a
 * request. Throws as `item.call` does.
 */
export async function uploadFile(item: Item, file: BinaryFile): Promise<File> {
	const { name, bytes } = file;
	const { keyId } = await serviceOf(item.context);
	const scope = JSON.stringify([runOf(item.context).execution, keyId, name]);
	const id = createHash('sha256').update(scope).update(bytes).digest('hex');
	return await uploads.read(id, async () => {
		const encoded = multipartFile(name, bytes);
		return await item.call('POST /files', { encoded });
	});
}

/**
 * Forgets uploads that the service no longer knows (`unknown_file`), so that the next `uploadFile`
 * sends them.
 */
export function forgetUploads(fileIds: string[]): void {
	uploads.expire((_, file) => file !== undefined && fileIds.includes((file as File).id));
}
