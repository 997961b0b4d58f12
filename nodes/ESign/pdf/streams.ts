import { Unreadable, type Source } from './source';
import { integer, OTHER, Values, type Dictionary, type Value } from './values';

/** What a reference stands for. */
type Resolve = (value: Value | undefined) => Promise<Value | undefined>;

const STREAM = /stream(?: ?\r\n|\r|\n)?/y;
const ENDING = /endstream|endobj/;
const ENDSTREAM = /[\0\t\n\f\r ]{0,32}endstream/y;

/** In bytes, packed. The structure of a file is in smaller streams. */
const LONGEST = 8 * 1024 * 1024;

/** A stream takes as long as so many characters, and so does a byte of what it unpacks to. */
const STEPS_OF_STREAM = 20_000;
const STEPS_OF_BYTE = 3;

const UNUSUAL = 'A stream is packed in an unusual way';

/**
 * The content of a stream whose dictionary ends at `at`, with its filter and predictor undone (ISO
 * 32000-1, 7.3.8 and 7.4).
 */
export async function streamContent(
	source: Source,
	dictionary: Dictionary,
	at: number,
	resolve: Resolve,
): Promise<Buffer> {
	source.spend(STEPS_OF_STREAM);
	const values = new Values(source, at).skipSpace();
	const filter = await only(dictionary.get('/Filter'), resolve);
	if (!values.take(STREAM) || dictionary.has('/F')) throw new Unreadable('There is no stream here');
	if (filter !== undefined && filter !== '/FlateDecode') throw new Unreadable(UNUSUAL);
	const from = values.position;
	const end = endOf(source, from, await resolve(dictionary.get('/Length')), filter !== undefined);
	const content = source.bytes.subarray(from, end);
	if (filter === undefined) return content;
	const parameters = await only(dictionary.get('/DecodeParms'), resolve);
	return await withoutPredictor(source, await unpack(source, content), parameters);
}

/**
 * As the length says. Packed data shows for itself whether it is whole: it may also end where its
 * object has `endstream`.
 */
function endOf(source: Source, from: number, length: Value | undefined, isPacked: boolean): number {
	if (typeof length === 'number' && new Values(source, from + length).take(ENDSTREAM))
		return from + length;
	const found = isPacked ? source.text.slice(from, from + LONGEST).search(ENDING) : -1;
	if (found < 0 || !source.text.startsWith('endstream', from + found))
		throw new Unreadable('A stream does not end');
	source.spend(found / 4);
	return from + found;
}

/** A filter or its parameters: in place, or the only one of a list. Undefined if there is none. */
async function only(value: Value | undefined, resolve: Resolve): Promise<Value | undefined> {
	const found = await resolve(value);
	if (!Array.isArray(found)) return found ?? undefined;
	return found.length > 1 ? OTHER : ((await resolve(found[0])) ?? undefined);
}

/**
 * @param spare how many bytes of a line end may be behind what is packed: Node 24 refuses them, and
 * some lengths count them
 */
async function unpack(source: Source, packed: Buffer, spare = 2): Promise<Buffer> {
	if (packed.length > LONGEST) throw new Unreadable('A stream is too long');
	const content = new Blob([new Uint8Array(packed)]).stream();
	const reader = content.pipeThrough(new DecompressionStream('deflate')).getReader();
	const chunks: Uint8Array[] = [];
	try {
		for (let next = await reader.read(); !next.done; next = await reader.read()) {
			source.spend(STEPS_OF_BYTE * next.value.length);
			chunks.push(next.value);
		}
		return Buffer.concat(chunks);
	} catch (error) {
		const failure: unknown = error;
		if (failure instanceof Unreadable) {
			await reader.cancel();
			throw failure;
		}
	}
	const isLonger = spare > 0 && /[\r\n]/.test(packed.toString('latin1', packed.length - 1));
	if (isLonger) return await unpack(source, packed.subarray(0, -1), spare - 1);
	throw new Unreadable('A stream is damaged');
}

/**
 * Undoes the PNG predictors that programs use for structure (ISO 32000-1, 7.4.4.4). An incomplete
 * last row is dropped.
 */
async function withoutPredictor(
	source: Source,
	data: Buffer,
	parameters: Value | undefined,
): Promise<Buffer> {
	if (parameters === undefined) return data;
	if (!(parameters instanceof Map)) throw new Unreadable(UNUSUAL);
	const predictor = integer(parameters, '/Predictor') ?? 1;
	if (predictor === 1) return data;
	const columns = integer(parameters, '/Columns') ?? 1;
	if (predictor < 10 || predictor > 15 || columns < 1 || columns > 65_536)
		throw new Unreadable(UNUSUAL);
	const output = Buffer.alloc(Math.floor(data.length / (columns + 1)) * columns);
	for (let row = 0; row * columns < output.length; row++) {
		source.spend(columns);
		await source.pause();
		const kind = data[row * (columns + 1)] ?? 0;
		if (kind > 2) throw new Unreadable(UNUSUAL);
		for (let column = 0; column < columns; column++) {
			const at = row * columns + column;
			let guess = 0;
			if (kind === 1 && column > 0) guess = output[at - 1] ?? 0;
			if (kind === 2) guess = output[at - columns] ?? 0;
			output[at] = (data[at + row + 1] ?? 0) + guess;
		}
	}
	return output;
}
