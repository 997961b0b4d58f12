import { Unreadable, type Source } from './source';
import { OTHER, Values, type Dictionary, type Value } from './values';

/** What a reference stands for. */
type Resolve = (value: Value | undefined) => Value | undefined;

const STREAM = /stream(?: ?\r\n|\r|\n)?/y;
const ENDSTREAM = /[\0\t\n\f\r ]{0,32}endstream/y;

/** In bytes, packed. The structure of a file is in smaller streams. */
const LONGEST = 8 * 1024 * 1024;

/** A stream takes as long as so many characters. */
const STEPS_OF_STREAM = 20_000;

const UNUSUAL = 'A stream is packed in an unusual way';

/**
 * The content of a stream, with its filter and predictor undone (ISO 32000-1, 7.3.8 and 7.4).
 *
 * @param at behind the dictionary of the stream
 */
export async function streamContent(
	source: Source,
	dictionary: Dictionary,
	at: number,
	resolve: Resolve,
): Promise<Buffer> {
	source.spend(STEPS_OF_STREAM);
	const values = new Values(source, at).skipSpace();
	const filter = only(dictionary.get('/Filter'), resolve);
	if (!values.take(STREAM) || dictionary.has('/F')) throw new Unreadable('There is no stream here');
	if (filter !== undefined && filter !== '/FlateDecode') throw new Unreadable(UNUSUAL);
	const from = values.position;
	const end = endOf(source, from, resolve(dictionary.get('/Length')), filter !== undefined);
	const content = source.bytes.subarray(from, end);
	if (filter === undefined) return content;
	return await withoutPredictor(source, await unpack(source, content), only(dictionary.get('/DecodeParms'), resolve));
}

/** As the length says. Packed data shows for itself whether it is whole, so it may also end where `endstream` is. */
function endOf(source: Source, from: number, length: Value | undefined, isPacked: boolean): number {
	if (typeof length === 'number' && new Values(source, from + length).take(ENDSTREAM)) return from + length;
	const found = isPacked ? source.text.slice(from, from + LONGEST).indexOf('endstream') : -1;
	if (found < 0) throw new Unreadable('The length of a stream is wrong');
	source.spend(found / 4);
	return from + found;
}

/** A filter or its parameters: in place, or the only one of a list. Undefined if there is none. */
function only(value: Value | undefined, resolve: Resolve): Value | undefined {
	const found = resolve(value);
	if (!Array.isArray(found)) return found ?? undefined;
	return found.length > 1 ? OTHER : (resolve(found[0]) ?? undefined);
}

/** Node 24 refuses the line end before `endstream`, which some lengths count; Node 20 does not. */
async function unpack(source: Source, packed: Buffer): Promise<Buffer> {
	for (let end = packed.length; end >= packed.length - 2; end--) {
		const data = await unpackAll(source, packed.subarray(0, end));
		if (data) return data;
		if (packed[end - 1] !== 0x0a && packed[end - 1] !== 0x0d) break;
	}
	throw new Unreadable('A stream is damaged');
}

async function unpackAll(source: Source, packed: Buffer): Promise<Buffer | undefined> {
	if (packed.length > LONGEST) throw new Unreadable('A stream is too long');
	const content = new Blob([new Uint8Array(packed)]).stream();
	const reader = content.pipeThrough(new DecompressionStream('deflate')).getReader();
	const chunks: Uint8Array[] = [];
	try {
		for (let next = await reader.read(); !next.done; next = await reader.read()) {
			source.unpack(next.value.length);
			chunks.push(next.value);
		}
		return Buffer.concat(chunks);
	} catch (error) {
		const failure: unknown = error;
		if (!(failure instanceof Unreadable)) return undefined;
		await reader.cancel();
		throw failure;
	}
}

/** Undoes PNG predictors (ISO 32000-1, 7.4.4.4), of which each row says its own. An incomplete last row is dropped. */
async function withoutPredictor(source: Source, data: Buffer, parameters: Value | undefined): Promise<Buffer> {
	if (parameters === undefined) return data;
	if (!(parameters instanceof Map)) throw new Unreadable(UNUSUAL);
	const number = (key: string, otherwise: number) => {
		const value = parameters.get(key) ?? otherwise;
		if (typeof value === 'number') return value;
		throw new Unreadable(UNUSUAL);
	};
	const predictor = number('/Predictor', 1);
	if (predictor === 1) return data;
	const columns = number('/Columns', 1);
	const isUsual =
		predictor >= 10 && predictor <= 15 && number('/Colors', 1) === 1 && number('/BitsPerComponent', 8) === 8;
	if (!isUsual || columns < 1 || columns > 65_536) throw new Unreadable(UNUSUAL);
	const output = Buffer.alloc(Math.floor(data.length / (columns + 1)) * columns);
	for (let row = 0; row * columns < output.length; row++) {
		source.spend(columns);
		await source.pause();
		undoRow(data, output, row * columns, columns);
	}
	return output;
}

/** @param from where the row begins in the output; before it in the data is one byte for each row so far, and its own */
function undoRow(data: Buffer, output: Buffer, from: number, columns: number): void {
	const shift = from / columns + 1;
	const kind = data[from + shift - 1] ?? 0;
	if (kind > 4) throw new Unreadable(UNUSUAL);
	for (let at = from; at < from + columns; at++) {
		const left = at === from ? 0 : (output[at - 1] ?? 0);
		const above = output[at - columns] ?? 0;
		const corner = at === from ? 0 : (output[at - columns - 1] ?? 0);
		let guess = 0;
		if (kind === 1) guess = left;
		if (kind === 2) guess = above;
		if (kind === 3) guess = (left + above) >> 1;
		if (kind === 4) guess = closest(left, above, corner);
		output[at] = (data[at + shift] ?? 0) + guess;
	}
}

/** Paeth: whichever is closest to left + above - corner. */
function closest(left: number, above: number, corner: number): number {
	const toLeft = Math.abs(above - corner);
	const toAbove = Math.abs(left - corner);
	const toCorner = Math.abs(left + above - 2 * corner);
	if (toLeft <= toAbove && toLeft <= toCorner) return left;
	return toAbove <= toCorner ? above : corner;
}
