import { BINARY_ENCODING, type IBinaryData } from 'n8n-workflow';
import { MOST_BYTES } from '../service/limits';
import { fileBuffer } from '../client';
import { unsendable } from './checks/text';
import type { Item } from './item';

/** The field in which n8n's own nodes put a file, and the default of every parameter that names one. */
export const DEFAULT_FIELD = 'data';

/** A file of an input item, ready for upload. */
export interface BinaryFile {
	name: string;
	mimeType: string;
	bytes: Buffer;
}

/**
 * Reads a file from an input item, in whatever way n8n keeps binary data. A file that is empty or larger than 25 MB is
 * refused, before it is read if its metadata tells.
 *
 * @param parameter label of the parameter that has named it
 */
export async function readBinaryFile(item: Item, named: string, parameter: string): Promise<BinaryFile> {
	const { helpers } = item.context;
	const property = fieldWithFile(item, named, parameter);
	const binary = helpers.assertBinaryData(item.index, property) as IBinaryData | null;
	// A Code node may have put anything there; and n8n finds `constructor` in every item.
	if (typeof binary?.data !== 'string') {
		return item.refuse(parameter, `"${property}" is not a file`, 'Name an input field that contains a file');
	}
	const name = String(binary.fileName ?? property);
	const refused = unsendable(name);
	if (refused) item.refuse(parameter, `the name of the file in "${property}" ${refused.what}`, refused.remedy);
	const checkSize = (size: number | undefined) => {
		const file = `the file in "${property}"`;
		if (size === 0) item.refuse(parameter, `${file} is empty`, 'Use a file that is not empty');
		if (size === undefined || size <= MOST_BYTES) return;
		const megabytes = (size / 1024 / 1024).toFixed(1);
		item.refuse(parameter, `${file} has ${megabytes} MB`, `Use files of ${MOST_BYTES / 1024 / 1024} MB at most`);
	};
	checkSize(knownSize(binary));
	const bytes = (await streamed(helpers, binary)) ?? (await helpers.getBinaryDataBuffer(item.index, property));
	checkSize(bytes.length);
	return { name, mimeType: String(binary.mimeType), bytes };
}

/**
 * The field that holds the file. Where nobody has named one, the only file of the item is meant, whatever a form calls it. A
 * field that the item does not have is told with those that it has.
 */
function fieldWithFile(item: Item, property: string, parameter: string): string {
	const files = Object.keys(item.input.binary ?? {});
	if (files.includes(property)) return property;
	const [only] = files;
	if (property === DEFAULT_FIELD && only !== undefined && files.length === 1) return only;
	if (files.length > 0) {
		const what = `the item has no file "${property}"; it has: ${files.join(', ')}`;
		return item.refuse(parameter, what, 'Name one of these fields');
	}
	const remedy = 'Connect a node that outputs a file, such as a form, an e-mail or a cloud drive';
	return item.refuse(parameter, 'the input item has no files', remedy);
}

/** The content of a file that n8n keeps outside of the item, read to where it is sent from. */
async function streamed(
	helpers: Item['context']['helpers'],
	{ id, bytes: size }: IBinaryData,
): Promise<Buffer | undefined> {
	if (!id || size === undefined || !Number.isSafeInteger(size) || size < 0) return undefined;
	const content = fileBuffer(size);
	let filled = 0;
	for await (const chunk of (await helpers.getBinaryStream(id)) as AsyncIterable<Buffer>) {
		if (filled + chunk.length > size) return undefined;
		chunk.copy(content, filled);
		filled += chunk.length;
	}
	// Metadata of other software may be wrong; n8n's own way of reading does not need it.
	return filled === size ? content : undefined;
}

/** The size in bytes as far as metadata knows it: exactly or not at all. */
function knownSize({ bytes, id, data }: IBinaryData): number | undefined {
	if (typeof bytes === 'number') return bytes;
	// Without an id the content itself is in `data`, as base64.
	return id ? undefined : Buffer.byteLength(data, BINARY_ENCODING);
}
