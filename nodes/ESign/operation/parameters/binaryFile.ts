import type { IBinaryData } from 'n8n-workflow';
import { MAX_BYTES } from '../../service/limits';
import { fileBuffer } from '../../client';
import { isSendable } from './checks/text';
import type { Item } from './item';

/** Where n8n's own nodes put a file. */
export const DEFAULT_FIELD = 'data';

export type BinaryFile = Awaited<ReturnType<typeof readBinaryFile>>;

/**
 * Reads a file of an item, however n8n keeps it. One whose metadata says that it is empty or too
 * large is not read first.
 */
export async function readBinaryFile(item: Item, named: string, parameter: string) {
	const { helpers } = item.context;
	const property = fieldWithFile(item, named, parameter);
	const binary = helpers.assertBinaryData(item.index, property) as IBinaryData | null;
	// A Code node may have put anything there; and n8n finds `constructor` in every item.
	if (typeof binary?.data !== 'string') {
		return item.refuse(
			parameter,
			`"${property}" is not a file`,
			'Name an input field that contains a file',
		);
	}
	const name = String(binary.fileName ?? property);
	const file = `the file in "${property}"`;
	isSendable(name, (what, remedy) => item.refuse(parameter, `the name of ${file} ${what}`, remedy));
	const checkSize = (size: unknown) => {
		if (size === 0) item.refuse(parameter, `${file} is empty`, 'Use a file that is not empty');
		if (typeof size !== 'number' || size <= MAX_BYTES) return;
		const megabytes = (size / 1024 / 1024).toFixed(1);
		item.refuse(
			parameter,
			`${file} has ${megabytes} MB`,
			`Use files of ${MAX_BYTES / 1024 / 1024} MB at most`,
		);
	};
	checkSize(binary.bytes);
	const bytes =
		(await streamed(item, binary)) ?? (await helpers.getBinaryDataBuffer(item.index, property));
	checkSize(bytes.length);
	return { name, mimeType: String(binary.mimeType), bytes };
}

/** Where nobody has named a field, the only file of the item is meant, whatever a form calls it. */
function fieldWithFile(item: Item, property: string, parameter: string): string {
	const files = Object.keys(item.input.binary ?? {});
	if (files.includes(property)) return property;
	const [only] = files;
	if (property === DEFAULT_FIELD && only !== undefined && files.length === 1) return only;
	if (files.length > 0) {
		const what = `the item has no file "${property}"; it has: ${files.join(', ')}`;
		return item.refuse(parameter, what, 'Name one of these fields');
	}
	const remedy = 'Connect a node that outputs a file, such as a form, an email or a cloud drive';
	return item.refuse(parameter, 'the input item has no files', remedy);
}

/** The content of a file that n8n keeps outside of the item, read to where it is sent from. */
async function streamed(
	{ context }: Item,
	{ id, bytes: size }: IBinaryData,
): Promise<Buffer | undefined> {
	if (!id || size === undefined || !Number.isSafeInteger(size) || size < 0) return undefined;
	const content = fileBuffer(size);
	let filled = 0;
	for await (const chunk of (await context.helpers.getBinaryStream(id)) as AsyncIterable<Buffer>) {
		if (filled + chunk.length > size) return undefined;
		chunk.copy(content, filled);
		filled += chunk.length;
	}
	// Metadata of other software may be wrong; n8n's own way of reading does not need it.
	return filled === size ? content : undefined;
}
