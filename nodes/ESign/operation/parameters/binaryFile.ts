import type { IBinaryData } from 'n8n-workflow';
import { MAX_BYTES } from '../../service/limits';
import { fileBuffer, isObject } from '../../client';
import { refusedForFormat } from './checks/fileFormat';
import { describe, onlyOf } from './checks/parameterValue';
import type { Refuse } from './checks/problems';
import { isFit } from './checks/text';
import { checkText, kind, listOf } from './declare';
import type { Item } from './item';
import type { Check } from './value';

/** Where n8n's own nodes put a file. */
export const DEFAULT_FIELD = 'data';

/**
 * A file as a parameter gives it: the name of a field of the input item, or the file itself, which
 * n8n's tip below the parameter advises for files of earlier nodes.
 */
export type GivenFile = string | IBinaryData;

/**
 * What n8n's helpers take for a file: its content, or the ID under which n8n keeps it. `$binary`
 * gives neither where n8n keeps the content within the item.
 */
function isFile(value: unknown): value is IBinaryData {
	if (!isObject(value) || !('mimeType' in value)) return false;
	const { data, id } = value;
	return typeof data === 'string' || (data === undefined && typeof id === 'string');
}

const checkFile: Check<GivenFile> = (given, ...asked) => {
	const [, refuse] = asked;
	const value = onlyOf(given);
	if (isFile(value)) return value;
	if (typeof value === 'object') {
		return refuse(
			`is ${describe(value)}, neither a file nor the name of a field`,
			"Enter the name of an input field, or a file such as {{ $('Form').item.binary.contract }}",
		);
	}
	return checkText(false)(value, ...asked);
};

/** One file. */
export const file = kind(checkFile);

/** Files as a list, or the names of their fields with commas between. */
export const files = kind(listOf(checkFile));

/** A file that was read. */
export interface BinaryFile {
	/** What it is uploaded as: the name of its field, if it has no name. */
	name: string;
	/** Its own name. */
	fileName?: string;
	bytes: Buffer;
}

/** A file and what messages call it. */
interface NamedFile {
	binary: IBinaryData;
	called: string;
	/** What it is uploaded as, if it has no name of its own. */
	field: string;
}

/**
 * Reads a file of an item, or the one that an expression gave, however n8n keeps it. One whose
 * metadata says that it is empty or too large is not read first.
 */
export async function readBinaryFile(
	item: Item,
	given: GivenFile,
	parameter: string,
): Promise<BinaryFile> {
	const { binary, called, field } =
		typeof given === 'string' ? fileInField(item, given, parameter) : fileItself(given);
	const refuse: Refuse = (what, remedy) => item.refuse(parameter, `${called} ${what}`, remedy);

	const name = String(binary.fileName || field);
	isFit(name, Infinity, (what, remedy) =>
		item.refuse(parameter, `the name of ${called} ${what}`, remedy),
	);

	checkSize(binary.bytes, refuse);
	const bytes =
		(await streamed(item, binary)) ??
		(await item.context.helpers.getBinaryDataBuffer(item.index, binary));
	checkSize(bytes.length, refuse);
	refusedForFormat(bytes, refuse);
	const fileName = binary.fileName ? name : undefined;
	return { name, fileName, bytes };
}

function checkSize(size: unknown, refuse: Refuse): void {
	if (size === 0) refuse('is empty', 'Use a file that is not empty');
	if (typeof size !== 'number' || size <= MAX_BYTES) return;
	// Rounded up: a byte more than 25 MB is not 25.0 MB.
	const megabytes = (Math.ceil((size / 1024 / 1024) * 10) / 10).toFixed(1);
	refuse(`has ${megabytes} MB`, `Use files of ${MAX_BYTES / 1024 / 1024} MB at most`);
}

function fileItself(binary: IBinaryData): NamedFile {
	const { fileName } = binary;
	const called = fileName ? `the file "${fileName}"` : 'the file that the expression gives';
	return { binary, called, field: DEFAULT_FIELD };
}

/** Where nobody has named a field, the only file of the item is meant, whatever a form calls it. */
function fileInField(item: Item, named: string, parameter: string): NamedFile {
	const fields = fieldsOf(item);
	const names = Object.keys(fields);
	const [only] = names;
	const isOnly = named === DEFAULT_FIELD && names.length === 1;
	// n8n's own nodes name a field of Execution Logic v2 with its path, `_files.data`.
	const bare = named.replace(/^_files\./, '');
	const field = [named, bare].find((one) => names.includes(one)) ?? (isOnly ? only : undefined);

	if (field === undefined) {
		if (names.length === 0) {
			return item.refuse(
				parameter,
				'the input item has no files',
				"Connect a node that outputs a file, or take that of an earlier node, such as {{ $('Form').item.binary.contract }}",
			);
		}
		return item.refuse(
			parameter,
			`the item has no file "${named}"; it has: ${names.join(', ')}`,
			'Name one of these fields, or give an expression with nothing around it',
		);
	}

	// A Code node may have put anything there.
	const binary = fields[field];
	if (isFile(binary)) return { binary, called: `the file in "${field}"`, field };
	return item.refuse(
		parameter,
		`"${field}" is not a file`,
		'Name an input field that contains a file',
	);
}

/** The fields of an item that hold its files: Execution Logic v2 keeps them within its JSON. */
function fieldsOf({ context, input }: Item): Record<string, unknown> {
	// Elsewhere anybody may have written that JSON, such as the service that an HTTP Request called.
	const isInJson =
		'getWorkflowSettings' in context && context.getWorkflowSettings().binaryMode === 'combined';
	const inJson = isInJson ? (input.json._files as Record<string, unknown>) : undefined;
	return { ...inJson, ...input.binary };
}

/** The content of a file that n8n keeps outside of the item, read to where it is sent from. */
async function streamed(
	{ context }: Item,
	{ id, bytes: size = -1 }: IBinaryData,
): Promise<Buffer | undefined> {
	if (!id || !Number.isSafeInteger(size) || size < 0) return undefined;
	const content = fileBuffer(size);
	let filled = 0;
	for await (const chunk of (await context.helpers.getBinaryStream(id)) as AsyncIterable<Buffer>) {
		chunk.copy(content, filled);
		filled += chunk.length;
	}
	// Metadata of other software may be wrong; n8n's own way of reading does not need it.
	return filled === size ? content : undefined;
}
