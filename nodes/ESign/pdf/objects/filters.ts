import { ensure, LONGEST_CONTENT, Unreadable, type Dictionary, type Value } from './values';

/** The formats of RFC 1950 and RFC 1951. */
type Format = 'deflate' | 'deflate-raw';

/**
 * Learns how many bytes a piece has. It throws if there are too many.
 *
 * @returns what to wait for, if it is time for a pause: to wait after each byte would be felt
 */
export type Count = (bytes: number) => Promise<void> | undefined | void;

/**
 * Unpacks data piece by piece, so that other things run in between.
 *
 * @throws for what is damaged
 */
export async function decompress(data: Buffer, format: Format, count: Count): Promise<Buffer> {
	const content = new Blob([new Uint8Array(data)]).stream();
	const unpacked = content.pipeThrough(new DecompressionStream(format));
	const pieces: Uint8Array[] = [];
	// Whoever has enough just stops reading. In Node 20, one that is cancelled ends the process:
	// what it unpacks at that moment is an error that nobody can catch.
	for await (const piece of unpacked.values({ preventCancel: true })) {
		await count(piece.length);
		pieces.push(piece);
	}
	return Buffer.concat(pieces);
}

/** What a writer leaves that ends by a flush, and what the last block would be instead. */
const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);
const LAST_BLOCK = Buffer.from([3, 0]);

const LINE_END = /[\r\n]/;
const MOST_LINE_ENDS = 2;

/** Undoes Flate (ISO 32000-1, 7.4.4). */
async function inflate(packed: Buffer, count: Count): Promise<Buffer> {
	for (const [data, format] of readings(packed)) {
		try {
			return await decompress(data, format, count);
		} catch (error) {
			const failure: unknown = error;
			if (failure instanceof Unreadable) throw failure;
		}
	}
	throw new Unreadable('A stream is damaged');
}

/**
 * What data may mean, the likeliest first. Lengths may count a line end behind the data, which Node
 * 24 refuses. An Adobe reader ends by a flush, without a last block and a checksum.
 */
function* readings(packed: Buffer): Generator<[Buffer, Format]> {
	let data = packed;
	for (let lineEnds = 0; lineEnds <= MOST_LINE_ENDS; lineEnds++) {
		yield [data, 'deflate'];
		if (data.subarray(-FLUSHED.length).equals(FLUSHED))
			yield [Buffer.concat([data.subarray(2), LAST_BLOCK]), 'deflate-raw'];
		if (!LINE_END.test(data.toString('latin1', data.length - 1))) return;
		data = data.subarray(0, -1);
	}
}

const CLEAR = 256;
const END_CODE = 257;
const FIRST_TEXT = 258;
const LONGEST_CODE = 12;

/** Undoes LZW (ISO 32000-1, 7.4.4.2). */
async function fromLzw(packed: Buffer, count: Count, parameters: Dictionary): Promise<Buffer> {
	// Codes become longer one early, unless a file says otherwise.
	const early = parameters.integer('/EarlyChange') ?? 1;
	const bytes = Buffer.allocUnsafe(LONGEST_CONTENT);
	let length = 0;
	// Where what each code has shown begins. A code of a text stands for that, and the byte behind.
	const begins: number[] = [];
	let held = 0;
	let bits = 0;
	for (const byte of packed) {
		held = ((held << 8) | byte) & 0xffffff;
		bits += 8;
		const codes = FIRST_TEXT + begins.length - 1;
		const width = Math.min(LONGEST_CODE, 1 + Math.floor(Math.log2(codes + early)));
		if (bits < width) continue;
		bits -= width;
		const code = (held >> bits) & ((1 << width) - 1);
		if (code === END_CODE) break;
		ensure(code <= codes, 'A stream is damaged');
		if (code === CLEAR) begins.length = 0;
		else begins.push(length);
		const first = begins[code - FIRST_TEXT] ?? length;
		const last = begins[code - FIRST_TEXT + 1] ?? length;
		const end = code === CLEAR ? first : last + 1;
		const pause = count(1 + end - first);
		if (pause) await pause;
		// A code of a byte stands for itself. A text may reach into what is written here.
		bytes[length] = code;
		for (let from = first; from < end; from++) bytes[length++] = bytes[from] ?? 0;
	}
	return bytes.subarray(0, length);
}

const FIRST_DIGIT = '!'.charCodeAt(0);
const ZEROS = 'z'.charCodeAt(0);
const END = '~'.charCodeAt(0);

/** Undoes ASCII85: five digits stand for four bytes, `z` for four zeros (ISO 32000-1, 7.4.3). */
async function fromAscii85(packed: Buffer, count: Count): Promise<Buffer> {
	// To fill so much with zeros would hold the loop. What is returned has all been written.
	const bytes = Buffer.allocUnsafe(4 * packed.length + 4);
	let length = 0;
	let number = 0;
	let digits = 0;
	for (const byte of packed) {
		// White space, too, takes its time.
		const pause = count(byte === ZEROS ? 4 : 1);
		if (pause) await pause;
		const digit = byte - FIRST_DIGIT;
		if (byte === END) {
			// One digit alone is the beginning of <~, which some programs write.
			if (digits !== 1) break;
			number = 0;
			digits = 0;
		} else if (byte === ZEROS) digits = 5;
		else if (digit >= 0 && digit < 85) {
			number = number * 85 + digit;
			digits += 1;
		}
		if (digits < 5) continue;
		length = bytes.writeUInt32BE(number % 2 ** 32, length);
		number = 0;
		digits = 0;
	}
	for (let missing = digits; missing < 5; missing++) number = number * 85 + 84;
	bytes.writeUInt32BE(number % 2 ** 32, length);
	return bytes.subarray(0, length + Math.max(0, digits - 1));
}

/**
 * Undoes the PNG predictors that programs use for structure (ISO 32000-1, 7.4.4.4). An incomplete
 * last row is dropped.
 */
export async function undoPredictor(
	data: Buffer,
	count: Count,
	parameters: Dictionary,
): Promise<Buffer> {
	const predictor = parameters.integer('/Predictor') ?? 1;
	if (predictor === 1) return data;
	const columns = parameters.integer('/Columns') ?? 1;
	const isUsual = predictor >= 10 && predictor <= 15 && columns >= 1 && columns <= 65_536;
	ensure(isUsual, 'A stream is packed in an unusual way');
	const output = Buffer.alloc(Math.floor(data.length / (columns + 1)) * columns);
	for (let row = 0; row * columns < output.length; row++) {
		await count(columns);
		const kind = data[row * (columns + 1)] ?? 0;
		ensure(kind <= 2, 'A row has an unusual predictor');
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
