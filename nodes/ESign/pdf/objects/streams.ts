import { fromAscii85 } from './filters/ascii85';
import type { Count } from './filters/decompress';
import { inflate } from './filters/flate';
import { fromLzw } from './filters/lzw';
import { undoPredictor } from './filters/predictor';
import { Scanner } from './scanner';
import { Unreadable, type Source } from './source';
import type { Dictionary, Stream, Value } from './values';

/** What a reference stands for. */
type Resolve = (value: Value | undefined) => Promise<Value | undefined>;

/** Unpacks the content of a stream. */
type Filter = (packed: Buffer, count: Count, parameters: Dictionary) => Promise<Buffer>;

/** Those that content and fonts come in (ISO 32000-1, 7.4). */
export const FILTERS = new Map<Value, Filter>([
	['/FlateDecode', inflate],
	['/LZWDecode', fromLzw],
	['/ASCII85Decode', fromAscii85],
	// What is short for them in inline images, some programs write everywhere.
	['/Fl', inflate],
	['/LZW', fromLzw],
	['/A85', fromAscii85],
]);

const STREAM = /stream(?: ?\r\n|\r|\n)?/y;
const ENDSTREAM = /[\0\t\n\f\r ]{0,32}endstream/y;

/** In bytes, packed or not: to make a buffer or a text of more holds the loop for over 20 ms. */
export const LONGEST_CONTENT = 2 * 1024 * 1024;

/** A byte that is unpacked takes as long as so many characters. */
const STEPS_OF_BYTE = 3;

const MOST_FILTERS = 4;

/** A stream takes as long as so many characters. */
const STEPS_OF_STREAM = 20_000;

/**
 * The content of a stream, with its filters and predictors undone (ISO 32000-1, 7.3.8 and 7.4).
 *
 * @throws Unreadable for one that is damaged, or packed in an unusual way
 */
export async function contentOf(
	source: Source,
	{ dictionary, at }: Stream,
	resolve: Resolve,
): Promise<Buffer> {
	source.spend(STEPS_OF_STREAM);
	const values = Scanner.at(source, at).skipSpace();
	if (!values.take(STREAM) || dictionary.has('/F')) throw new Unreadable('There is no stream here');
	const filters = await listOf(dictionary.get('/Filter'), resolve);
	const parameters = await listOf(dictionary.get('/DecodeParms'), resolve);
	const from = values.position;
	const end = endOf(source, from, await resolve(dictionary.get('/Length')), filters.length > 0);
	let content = source.bytes.subarray(from, end);
	const count: Count = (bytes, total) => {
		if (total > LONGEST_CONTENT) throw new Unreadable('A content is too long');
		source.spend(STEPS_OF_BYTE * bytes);
		return source.isDue ? source.pause() : undefined;
	};
	for (const [index, name] of filters.entries()) {
		const filter = FILTERS.get(name);
		if (!filter || content.length > LONGEST_CONTENT)
			throw new Unreadable('A stream is too long, or packed in an unusual way');
		const given = parameters[index] ?? new Map<string, Value>();
		if (!(given instanceof Map)) throw new Unreadable('Parameters are no dictionary');
		content = await undoPredictor(source, await filter(content, count, given), given);
	}
	return content;
}

/**
 * As the length says. Packed data shows for itself whether it is whole: it may also end where its
 * object has `endstream`.
 */
function endOf(source: Source, from: number, length: Value | undefined, isPacked: boolean): number {
	if (typeof length === 'number' && Scanner.at(source, from + length).take(ENDSTREAM))
		return from + length;
	const rest = source.bytes.subarray(from, isPacked ? from + LONGEST_CONTENT : from);
	source.spend(rest.length / 16);
	const end = rest.indexOf('endstream');
	if (end < 0 || rest.subarray(0, end).includes('endobj'))
		throw new Unreadable('A stream does not end');
	return from + end;
}

/** A filter or its parameters: in place, or in a list. */
async function listOf(value: Value | undefined, resolve: Resolve): Promise<Value[]> {
	const found = (await resolve(value)) ?? [];
	if (!Array.isArray(found)) return [found];
	if (found.length > MOST_FILTERS) throw new Unreadable('A stream is packed too often');
	const list: Value[] = [];
	for (const one of found) list.push((await resolve(one)) ?? null);
	return list;
}
