import { asThrown, readCallFailure } from '../../../client';
import {
	choice,
	DEFAULT_FIELD,
	files,
	ids,
	readBinaryFile,
	type BinaryFile,
	type Item,
} from '../../../operation';
import { forgetUploads, uploadFile } from '../../file/uploads';
import { MAX_FILES } from '../../../service/limits';

const fileSource = choice('fileSource', 'File Source', {
	options: {
		binary: ['Input Binary Fields', 'Upload files of the input item'],
		fileIds: ['Uploaded Files', 'Use files that were uploaded before, by ID'],
	},
	default: 'binary',
	description: 'Where the files of the document come from',
});

const binaryFields = files('binaryPropertyNames', 'Input Binary Fields', {
	required: true,
	items: MAX_FILES,
	default: DEFAULT_FIELD,
	placeholder: 'e.g. data',
	hint: 'The name of the input field containing the file; separate several with commas. The only file of an item is found anyway.',
	displayOptions: { show: { fileSource: ['binary'] } },
	description:
		'Up to ten binary fields with PDF, DOCX, DOC, PNG or JPEG files of 25 MB at most, merged in this order. An expression may give files of earlier nodes.',
});

const fileIdsField = ids('fileIds', 'File IDs', {
	required: true,
	items: MAX_FILES,
	placeholder: 'e.g. file_5d1c9e, file_8a0b3f',
	displayOptions: { show: { fileSource: ['fileIds'] } },
	description:
		'Comma-separated IDs of one to ten uploaded files, or a list from an expression, merged in this order',
});

export const filesDescription = [fileSource, binaryFields, fileIdsField];

/**
 * What a document is made of: the content of files of the item, or ids of files uploaded before.
 */
export type DocumentFiles = { binary: BinaryFile[] } | { fileIds: string[] };

/**
 * One to ten files, in the order in which they are merged; that is no request to the service. Files
 * are large: they are not read for an item that is refused anyway, so this comes after everything
 * else is read.
 */
export async function readFiles(item: Item): Promise<DocumentFiles> {
	if (item.read(fileSource) === 'fileIds') return { fileIds: item.read(fileIdsField) ?? [] };
	const given = item.read(binaryFields) ?? [];
	// Of files that are not read nothing is known, as of those given by ID.
	if (item.problems.any) return { fileIds: [] };

	const binary: BinaryFile[] = [];
	for (const one of given) binary.push(await readBinaryFile(item, one, binaryFields.label));
	return { binary };
}

async function uploadedIds(item: Item, files: DocumentFiles): Promise<string[]> {
	if ('fileIds' in files) return files.fileIds;
	const ids: string[] = [];
	for (const file of files.binary) {
		const { id } = await uploadFile(item, file);
		ids.push(id);
	}
	return ids;
}

/**
 * Uploads are reused within an execution: if the service no longer knows one, they are sent again,
 * and so is the request.
 */
export async function withUploads<Result>(
	item: Item,
	files: DocumentFiles,
	request: (fileIds: string[]) => Promise<Result>,
): Promise<Result> {
	const fileIds = await uploadedIds(item, files);
	try {
		return await request(fileIds);
	} catch (error) {
		if (readCallFailure(error).code !== 'unknown_file' || 'fileIds' in files) throw asThrown(error);
		forgetUploads(fileIds);
	}
	return await request(await uploadedIds(item, files));
}
