import { STANDARD, type Encoding } from '../encodings';
import { textOfName } from '../glyphNames';
import { Cursor } from './cursor';

/** Entries of the top dictionary (Adobe Technical Note 5176, table 9). */
const CHARSET = 15;
const ENCODING = 16;
const CHAR_STRINGS = 17;
const ROS = 0x0c1e;

/** Charsets below are predefined. */
const FIRST_CHARSET = 3;
const FIRST_ENCODING = 2;
const HAS_SUPPLEMENT = 0x80;

const FIRST_STRING = 391;

/** The standard strings (appendix A) that show text: those of the standard encoding come first. */
const STRINGS: ReadonlyMap<number, string> = new Map([
	...STANDARD.filter((sign) => sign !== undefined).map((sign, at) => [at + 1, sign] as const),
	...[...'¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž'].map(
		(sign, at) => [at + 150, sign] as const,
	),
	[266, 'ff'],
	[267, 'ffi'],
	[268, 'ffl'],
]);

/** What a compact font calls its codes (sections 12 and 13). */
export function cffEncoding(program: Buffer): Encoding {
	const cursor = new Cursor(program);
	cursor.at = program[2] ?? 0;
	cursor.index();
	const [topAt, topEnd] = cursor.index()(0);
	const stringAt = cursor.index();
	const top = topDictionary(new Cursor(program.subarray(0, topEnd), topAt));
	const encodingAt = top.get(ENCODING) ?? 0;
	if (encodingAt === 0 && !top.has(ROS)) return STANDARD;
	if (encodingAt < FIRST_ENCODING || top.has(ROS)) return [];
	const names = charset(program, top);
	const textOf = (string = 0) => {
		if (string < FIRST_STRING) return STRINGS.get(string);
		const [from, to] = stringAt(string - FIRST_STRING);
		return textOfName(program.toString('latin1', from, to));
	};
	return encodingTable(new Cursor(program, encodingAt), names, textOf);
}

/** The last operand of each entry. */
function topDictionary(cursor: Cursor): Map<number, number> {
	const entries = new Map<number, number>();
	let operand = 0;
	while (cursor.isInside) {
		const byte = cursor.take(1);
		if (byte === 12) entries.set(byte * 256 + cursor.take(1), operand);
		else if (byte < 22) entries.set(byte, operand);
		else operand = operandAt(cursor, byte);
	}
	return entries;
}

/** Table 3. A real number does not count here: it is passed. */
function operandAt(cursor: Cursor, first: number): number {
	if (first === 28) return cursor.take(2);
	if (first === 29) return cursor.take(4);
	if (first < 247 && first > 31) return first - 139;
	if (first < 251 && first > 31) return (first - 247) * 256 + cursor.take(1) + 108;
	if (first !== 30) return -cursor.take(1);
	let pair = 0;
	while ((pair & 15) !== 15) pair = cursor.take(1);
	return 0;
}

/** The number of the name of each glyph. */
function charset(program: Buffer, top: Map<number, number>): number[] {
	const count = new Cursor(program, top.get(CHAR_STRINGS)).take(2);
	const at = top.get(CHARSET) ?? 0;
	const names = [0];
	if (at < FIRST_CHARSET) {
		while (names.length < count) names.push(names.length);
		return names;
	}
	const cursor = new Cursor(program, at);
	const format = cursor.take(1);
	while (names.length < count) {
		const first = cursor.take(2);
		const more = format === 0 ? 0 : cursor.take(format);
		for (let next = 0; next <= more && names.length < count; next++) names.push(first + next);
	}
	return names;
}

function encodingTable(
	cursor: Cursor,
	names: readonly number[],
	textOf: (string?: number) => string | undefined,
): Encoding {
	const table: Array<string | undefined> = [];
	const format = cursor.take(1);
	const isInRanges = (format & ~HAS_SUPPLEMENT) !== 0;
	let glyph = 1;
	for (let left = cursor.take(1); left > 0; left--) {
		const first = cursor.take(1);
		const more = isInRanges ? cursor.take(1) : 0;
		for (let next = 0; next <= more; next++) table[first + next] = textOf(names[glyph++]);
	}
	if ((format & HAS_SUPPLEMENT) === 0) return table;
	for (let left = cursor.take(1); left > 0; left--) {
		const code = cursor.take(1);
		table[code] = textOf(cursor.take(2));
	}
	return table;
}
