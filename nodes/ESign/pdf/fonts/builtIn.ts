import { ensure } from '../objects/values';
import { STANDARD, type Encoding } from './encodings';
import { textOfName } from './glyphNames';

/** Entries of the top dictionary (Adobe Technical Note 5176, table 9). */
const CHARSET = 15;
const ENCODING = 16;

/** Charsets and encodings below are predefined. Those of experts show no common text. */
const FIRST_CHARSET = 3;
const FIRST_ENCODING = 2;

/** The charset whose names have the numbers of their glyphs. */
const ISO_ADOBE = 0;

/** Of a charset: one by one, or in ranges whose numbers have one byte or two (section 13). */
const LAST_FORMAT = 2;

const HAS_SUPPLEMENT = 0x80;

/** An encoding has this many codes, so that only as many glyphs count. */
const MOST_CODES = 256;

/** In bytes: no name, and no dictionary of a font, is as long. */
const LONGEST_ITEM = 4096;

/** Strings with lower numbers are the same in all fonts. */
const FIRST_STRING = 391;

/** Of those, the ones that show text (appendix A): the standard encoding comes first. */
const STRINGS: Array<string | undefined> = [
	undefined,
	...STANDARD.filter((sign) => sign !== undefined),
	...'¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž',
];

STRINGS[266] = 'ff';
STRINGS[267] = 'ffi';
STRINGS[268] = 'ffl';

/** What a compact font calls its codes (sections 12 and 13). */
export function cffEncoding(program: Buffer): Encoding {
	// The first byte is the version: a font in another wrapping has other tables.
	if (program[0] !== 1) return [];
	const cursor = new Cursor(program, program[2]);
	cursor.list();
	const tops = cursor.list();
	const strings = cursor.list();
	const top = entriesOf(new Cursor(tops(0)));
	const encodingAt = top.get(ENCODING) ?? 0;
	if (encodingAt === 0) return STANDARD;
	if (encodingAt < FIRST_ENCODING) return [];
	const names = charset(program, top.get(CHARSET) ?? 0);
	const textOf = (string = 0) => {
		if (string < FIRST_STRING) return STRINGS[string];
		return textOfName(strings(string - FIRST_STRING).toString('latin1'));
	};
	return namesByCode(new Cursor(program, encodingAt), names).map(textOf);
}

/** The last operand of each entry; entries with two bytes do not count here (table 3). */
function entriesOf(cursor: Cursor): Map<number, number> {
	const entries = new Map<number, number>();
	let operand = 0;
	while (cursor.isInside) {
		const byte = cursor.take(1);
		if (byte === 12) cursor.take(1);
		else if (byte < 22) entries.set(byte, operand);
		else if (byte === 30) {
			// A number that is written digit by digit, two to a byte.
			for (let pair = 0; (pair & 15) !== 15;) pair = cursor.take(1);
		} else if (byte < 30) operand = cursor.take(byte === 28 ? 2 : 4);
		else if (byte < 247) operand = byte - 139;
		else operand = (byte - 247) * 256 + cursor.take(1) + 108;
	}
	return entries;
}

/** The number of the name of each glyph. */
function charset(program: Buffer, at: number): number[] {
	const names = [0];
	if (at === ISO_ADOBE) return Array.from({ length: MOST_CODES }, (_, glyph) => glyph);
	if (at < FIRST_CHARSET) return [];
	const cursor = new Cursor(program, at);
	const format = cursor.take(1);
	// A longer number could ask for more names than memory has.
	ensure(format <= LAST_FORMAT, 'A font program is damaged');
	while (names.length < MOST_CODES && cursor.isInside) names.push(...cursor.range(2, format));
	return names;
}

/** The number of the name of each code. */
function namesByCode(cursor: Cursor, names: readonly number[]): Array<number | undefined> {
	const table: Array<number | undefined> = [];
	const format = cursor.take(1);
	// What a supplement says of more codes is not read: those show nothing.
	const isInRanges = (format & ~HAS_SUPPLEMENT) !== 0;
	let glyph = 1;
	for (let left = cursor.take(1); left > 0; left--)
		for (const code of cursor.range(1, isInRanges ? 1 : 0)) table[code] = names[glyph++];
	return table;
}

/** Reads numbers of a font program, one after the other. */
class Cursor {
	constructor(
		private readonly data: Buffer,
		private at = 0,
	) {}

	get isInside(): boolean {
		return this.at < this.data.length;
	}

	/**
	 * The next number, big-endian.
	 * @throws Unreadable at the end
	 */
	take(bytes: number): number {
		const { at } = this;
		this.at += bytes;
		const isThere = bytes >= 1 && bytes <= 4 && this.at <= this.data.length;
		ensure(isThere, 'A font program is damaged');
		return this.data.readUIntBE(at, bytes);
	}

	/** A number and the next ones: how many, a second number says, if that has any bytes. */
	range(bytes: number, bytesOfMore: number): number[] {
		const first = this.take(bytes);
		const more = bytesOfMore === 0 ? 0 : this.take(bytesOfMore);
		return Array.from({ length: more + 1 }, (_, next) => first + next);
	}

	/**
	 * Passes a list of things of different length (Adobe Technical Note 5176, section 5). Returns
	 * the beginning of one of them; nothing if there is no such one.
	 */
	list(): (item: number) => Buffer {
		const count = this.take(2);
		if (count === 0) return () => Buffer.of();
		const width = this.take(1);
		const offsets = this.at;
		const edge = (item: number) =>
			offsets + (count + 1) * width - 1 + new Cursor(this.data, offsets + item * width).take(width);
		this.at = edge(count);
		return (item) =>
			item < count
				? this.data.subarray(edge(item), edge(item + 1)).subarray(0, LONGEST_ITEM)
				: Buffer.of();
	}
}

/** In bytes: the encoding stands in the part that is not encrypted, which is some kilobytes. */
const LONGEST_HEAD = 64 * 1024;

const STANDARD_ENCODING = /\/Encoding\s{1,9}StandardEncoding/;
const ENTRY = /dup\s{1,9}(\d{1,3})\s{0,9}\/([^\s/<>[\](){}%]{1,99})\s{1,9}put/g;

/** What a Type 1 font calls its codes: as lines like `dup 65 /A put` say. */
export function type1Encoding(program: Buffer): Encoding {
	const [head = ''] = program.toString('latin1', 0, LONGEST_HEAD).split('eexec', 1);
	if (STANDARD_ENCODING.test(head)) return STANDARD;
	const table: Array<string | undefined> = [];
	for (const [, code, name = ''] of head.matchAll(ENTRY)) table[Number(code)] = textOfName(name);
	return table;
}
