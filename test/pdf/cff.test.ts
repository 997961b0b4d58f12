import { cffEncoding } from '../../nodes/ESign/pdf/fonts/builtIn';

const HEADER = [1, 0, 4, 1];
const CHARSET = 15;
const ENCODING = 16;

/** A list of texts, with offsets of two bytes (Adobe Technical Note 5176, section 5). */
function list(...texts: string[]): number[] {
	if (texts.length === 0) return [0, 0];
	const ends = texts.map((_, index) => 1 + texts.slice(0, index + 1).join('').length);
	const offsets = [1, ...ends].flatMap((end) => [end >> 8, end & 255]);
	return [0, texts.length, 2, ...offsets, ...Buffer.from(texts.join(''), 'latin1')];
}

interface FontProgram {
	/** Entries of the top dictionary behind that of the charset. */
	entries?: number[];
	strings?: string[];
	/** Its bytes, or the number of a predefined one. */
	charset?: number[] | number;
	encoding?: number[] | number;
	/** How the numbers of entries are written. */
	number?: (value: number) => number[];
}

/** A number of two bytes. */
const short = (value: number) => [28, value >> 8, value & 255];

/** As long as the outlines of some glyphs, which a program ends with. */
const OUTLINES = 800;

/** A font program whose outlines are nothing but zeros. */
function fontProgram({
	entries = [],
	strings = [],
	charset,
	encoding,
	number = short,
}: FontProgram): Buffer {
	const charsetBytes = Array.isArray(charset) ? charset : [];
	const encodingBytes = Array.isArray(encoding) ? encoding : [];
	const entry = (value: number, name: number) => [...number(value), name];
	const headWith = (charsetAt: number, encodingAt: number) => {
		const top = [
			...(charset === undefined ? [] : entry(charsetAt, CHARSET)),
			...(encoding === undefined ? [] : entry(encodingAt, ENCODING)),
			...entries,
		];
		const lists = [['Font'], [Buffer.from(top).toString('latin1')], strings];
		return [...HEADER, ...lists.flatMap((texts) => list(...texts))];
	};
	const charsetAt = headWith(108, 108).length;
	const encodingAt = charsetAt + charsetBytes.length;
	const head = headWith(
		typeof charset === 'number' ? charset : charsetAt,
		typeof encoding === 'number' ? encoding : encodingAt,
	);
	return Buffer.from([...head, ...charsetBytes, ...encodingBytes, ...new Uint8Array(OUTLINES)]);
}

/** Numbers of strings, as two bytes each. */
const numbers = (...all: number[]) => all.flatMap((number) => [number >> 8, number & 255]);

/** Names of a first glyph and more, as the three formats of a charset say them. */
const A_B_C = [0, ...numbers(34, 35, 36)];
const FROM_A = [1, ...numbers(34), 2];
const FROM_A_FAR = [2, ...numbers(34, 2)];

/** The code 97 for the first glyph and those behind it for more, one by one and as a range. */
const CODES = [0, 3, 97, 98, 99];
const RANGE = [1, 1, 97, 2];

describe('A compact font calls its codes', () => {
	it.each<[string, FontProgram, string]>([
		['one by one', { charset: A_B_C, encoding: CODES }, 'ABC'],
		['in another order', { charset: A_B_C, encoding: [0, 3, 99, 97, 98] }, 'BCA'],
		['in ranges', { charset: FROM_A, encoding: RANGE }, 'ABC'],
		['in two ranges', { charset: FROM_A, encoding: [1, 2, 99, 0, 97, 1] }, 'BCA'],
		['in ranges of long counts', { charset: FROM_A_FAR, encoding: RANGE }, 'ABC'],
		['with a supplement', { charset: A_B_C, encoding: [0x80, 3, 97, 98, 99] }, 'ABC'],
		['with a supplement to ranges', { charset: A_B_C, encoding: [0x81, 1, 97, 2] }, 'ABC'],
		[
			'by ligatures and the last names that all fonts share',
			{
				charset: [0, ...numbers(267, 228, 150)],
				encoding: CODES,
			},
			'ffiž¹',
		],
		['by all ligatures', { charset: [0, ...numbers(266, 268, 109)], encoding: CODES }, 'fffflﬁ'],
		[
			'by names of its own',
			{
				strings: ['Euro', 'g17', 'uni0416'],
				charset: [0, ...numbers(391, 392, 393)],
				encoding: CODES,
			},
			'€-Ж',
		],
		[
			'but not by names that are longer than any',
			{
				strings: ['Euro', `${'a_'.repeat(63)}a`, `${'a_'.repeat(64)}a`],
				charset: [0, ...numbers(391, 392, 393)],
				encoding: CODES,
			},
			`€${'a'.repeat(64)}-`,
		],
		['with a predefined charset', { charset: 0, encoding: [1, 2, 120, 33, 97, 2] }, 'BCD'],
		['not with the charset of experts', { charset: 1, encoding: CODES }, '---'],
		['nor with a part of it', { charset: 2, encoding: CODES }, '---'],
		['without a charset', { encoding: [1, 2, 120, 33, 97, 2] }, 'BCD'],
		[
			'among numbers of every form',
			{
				// 12 15 is another entry, in two bytes. The digits of 30, and the bytes of 29 and 247, would
				// be entries, too.
				entries: [141, 12, 15, 30, 16, 0x1f, 5, 29, 0, 0, 15, 16, 6, 247, 16, 7, 251, 15, 8],
				charset: A_B_C,
				encoding: CODES,
			},
			'ABC',
		],
	])('%s', (_, program, texts) => {
		const encoding = cffEncoding(fontProgram(program));
		const text = [97, 98, 99].map((code) => encoding[code] ?? '-').join('');
		expect(text).toBe(texts);
		expect(encoding[96]).toBeUndefined();
		expect(encoding[100]).toBeUndefined();
	});

	it.each<[string, (value: number) => number[], string]>([
		['one byte', (value) => [139 + value], ''],
		[
			'two bytes, far behind',
			(value) => [247 + ((value - 108) >> 8), (value - 108) & 255],
			'a'.repeat(700),
		],
		['five bytes', (value) => [29, 0, 0, value >> 8, value & 255], ''],
	])('where a number of %s says', (_, number, string) => {
		const strings = string ? [string] : [];
		const encoding = cffEncoding(fontProgram({ strings, charset: A_B_C, encoding: CODES, number }));
		expect(encoding.slice(97, 100)).toEqual(['A', 'B', 'C']);
	});

	it.each([{ encoding: 0 }, {}])('as all fonts do, if it says so or nothing: %j', (program) => {
		expect(cffEncoding(fontProgram(program))[0xae]).toBe('ﬁ');
	});

	it.each<[string, Buffer]>([
		['the encoding of experts', fontProgram({ encoding: 1 })],
		['another version', Buffer.from([2, ...fontProgram({ encoding: 0 }).subarray(1)])],
	])('in no way that is known: %s', (_, program) => {
		expect(cffEncoding(program)).toEqual([]);
	});

	it('and one that is cut off is damaged', () => {
		const program = fontProgram({ encoding: CODES });
		expect(() => cffEncoding(program.subarray(0, -OUTLINES - 1))).toThrow('damaged');
	});

	it.each([3, 4])('and one whose names come in an unknown format is damaged: %i', (format) => {
		const charset = [format, ...numbers(34), ...new Uint8Array(format - 2), ...numbers(256)];
		expect(() => cffEncoding(fontProgram({ charset, encoding: CODES }))).toThrow('damaged');
	});
});
