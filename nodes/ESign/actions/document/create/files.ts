import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { asThrown, client } from '../../../client';
import {
	choice,
	DEFAULT_FIELD,
	describe,
	hasInvisible,
	isNothing,
	readBinaryFile,
	refusedForNothing,
	text,
	unsendable,
	withoutInvisibleEnds,
	type BinaryFile,
	type Item,
	type Problems,
} from '../../../parameters';
import { MOST_FILES } from '../../../service/limits';

export const fileSource = choice('fileSource', 'File Source', {
	options: [
		{ name: 'Input Binary Fields', value: 'binary', description: 'Upload files of the input item' },
		{ name: 'Uploaded Files', value: 'fileIds', description: 'Use files that were uploaded before, by ID' },
	],
	default: 'binary',
	description: 'Where the files of the document come from',
});

export const binaryFields = text('binaryPropertyNames', 'Input Binary Fields', {
	required: true,
	default: DEFAULT_FIELD,
	placeholder: 'e.g. data',
	hint: 'The name of the input field containing the file; separate several with commas',
	displayOptions: { show: { fileSource: ['binary'] } },
	description:
		'One to ten binary fields with PDF, DOCX, DOC, PNG or JPEG files of up to 25 MB each, merged into one document in this order. While this is data, the only file of an item is used, whatever its field is called.',
});

const fileIdsField = text('fileIds', 'File IDs', {
	required: true,
	placeholder: 'e.g. file_5d1c9e, file_8a0b3f',
	displayOptions: { show: { fileSource: ['fileIds'] } },
	description: 'Comma-separated IDs of one to ten uploaded files, or a list from an expression, merged in this order',
});

export const filesDescription = [fileSource, binaryFields, fileIdsField];

/** Which files a document is made of, before they are read: names of binary fields, or ids of files uploaded before. */
export type FileChoice = { binaryFields: string[] } | { fileIds: string[] };

/** The same, with the content of the files of the item. */
export type DocumentFiles = { binary: BinaryFile[] } | { fileIds: string[] };

/** One to ten files, in the order in which they are merged. */
export function readFileChoice(item: Item): FileChoice {
	const ids = item.read(fileSource) === 'fileIds';
	const { property, label } = ids ? fileIdsField : binaryFields;
	const given = item.given(property);
	const refuse = item.problems.at(label);
	const names = namesIn(given.value, label, ids, item.problems);
	if (names.length === 0 && !refusedForNothing(given, refuse, true)) refuse('is empty', 'Name at least one file');
	if (names.length > MOST_FILES) {
		item.problems.add(label, `names ${names.length} files`, `Use ${MOST_FILES} at most`);
	}
	return ids ? { fileIds: names } : { binaryFields: names };
}

/** Reads and checks the files of the item; that is no request to the service. */
export async function readDocumentFiles(item: Item, choice: FileChoice): Promise<DocumentFiles> {
	if ('fileIds' in choice) return choice;
	const binary: BinaryFile[] = [];
	for (const name of choice.binaryFields) binary.push(await readBinaryFile(item, name, binaryFields.label));
	return { binary };
}

/** The ids of the files, uploading what is not at the service yet. */
async function uploadedIds({ context, index }: Item, files: DocumentFiles): Promise<string[]> {
	if ('fileIds' in files) return files.fileIds;
	const ids: string[] = [];
	for (const file of files.binary) ids.push((await client.upload(context, { ...file, itemIndex: index })).id);
	return ids;
}

/**
 * Runs a request that names uploaded files. Uploads are reused within an execution: if the service no longer knows one
 * (`unknown_file`), they are sent again and the request is repeated once.
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
		const code = error instanceof NodeApiError ? (error.context as IDataObject).code : undefined;
		if (code !== 'unknown_file' || 'fileIds' in files) throw asThrown(error);
		client.forgetUpload(fileIds);
	}
	return await request(await uploadedIds(item, files));
}

function namesIn(value: unknown, label: string, ids: boolean, problems: Problems): string[] {
	const list: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
	if (list.some((name) => name !== null && ['object', 'function', 'symbol'].includes(typeof name))) {
		problems.add(label, 'contains something that is not text', 'Enter a list of texts');
	}
	const spelt = ids ? withoutInvisibleEnds : (name: string) => name.trim();
	const names = list.map((name) => (isNothing(name) ? '' : typeof name === 'string' ? spelt(name) : describe(name)));
	const refused = names.map(unsendable).find((one) => one !== undefined);
	if (refused) problems.add(label, refused.what, refused.remedy);
	else if (ids && names.some(hasInvisible))
		problems.add(label, 'contains an invisible character', 'Type the IDs again');
	return names.filter((name) => name !== '');
}
