import { scan } from '../objects/scanner';
import { ensure, fromUtf16, PdfString, type Source, type Value } from '../objects/values';

/** The operator behind a table: `endbfchar`, `endcidrange`. */
const TABLE = /^end(codespace|bf|cid)(char|range)$/;

/** In bytes. */
const LONGEST_CODE = 4;
const LONGEST_VALUE = 512;

/** A table of codes: to what they show, or to glyphs (ISO 32000-1, 9.7.5 and 9.10.3). */
export class CMap {
	/** The name of another one that this one adds to. */
	base: Value | undefined;
	private readonly texts: Ranges;
	private readonly glyphs: Ranges;
	/** For each length in bytes, which codes have it. */
	private readonly spaces: Ranges[];

	private constructor(source: Source) {
		this.texts = new Ranges(source);
		this.glyphs = new Ranges(source);
		this.spaces = Array.from({ length: LONGEST_CODE + 1 }, () => new Ranges(source));
	}

	static async read(source: Source, content: Buffer): Promise<CMap> {
		const map = new CMap(source);
		await scan(source, content, async (operator, operands) => {
			if (operator === 'usecmap') map.base = operands.at(-1);
			const [, kind, form] = TABLE.exec(operator) ?? [];
			const size = kind === 'codespace' || form === 'char' ? 2 : 3;
			for (let at = 0; kind !== undefined && at + size <= operands.length; at += size) {
				await source.pause();
				const first = bytesOf(operands[at]);
				const last = form === 'char' ? first : bytesOf(operands[at + 1]);
				const ranges = map.rangesOf(kind, first.length);
				ranges?.add(codeOf(first), codeOf(last), operands[at + size - 1]);
			}
		});
		return map;
	}

	/** What a code shows; undefined if that is not said. */
	textOf(code: number): string | undefined {
		const found = this.texts.find(code);
		if (!found) return undefined;
		const [value, offset] = found;
		const text = textIn(value);
		const last = text.charCodeAt(text.length - 1) + offset;
		return text.slice(0, -1) + String.fromCharCode(last);
	}

	/** The number of the glyph that a code stands for; 0 if there is none. */
	glyphOf(code: number): number {
		const [value = 0, offset = 0] = this.glyphs.find(code) ?? [];
		return Number(value) + offset;
	}

	/** How many bytes the code that begins at `at` has. */
	lengthAt(bytes: string, at: number): number {
		for (let length = 1; length <= LONGEST_CODE; length++)
			if (this.spaces[length]?.find(codeOf(bytes.slice(at, at + length)))) return length;
		return 2;
	}

	/** What tables of a kind are kept in, for codes of so many bytes. */
	private rangesOf(kind: string, length: number): Ranges | undefined {
		if (kind === 'codespace') return this.spaces[length];
		return kind === 'bf' ? this.texts : this.glyphs;
	}
}

/** NaN for what is no code. */
export function codeOf(bytes: string): number {
	if (bytes.length > LONGEST_CODE) return NaN;
	return Number(`0x${Buffer.from(bytes, 'latin1').toString('hex')}`);
}

const bytesOf = (value: Value | undefined): string =>
	value instanceof PdfString ? value.bytes : '';

/** Some programs leave out the first byte, which is 0. */
function textIn(value: Value | undefined): string {
	const bytes = bytesOf(value).slice(0, LONGEST_VALUE);
	return fromUtf16(bytes.length % 2 === 1 ? `\0${bytes}` : bytes);
}

/** What is said of a range of codes. */
interface Range {
	last: number;
	/** Of all codes of the range, or a list with the value of each. */
	value: Value | undefined;
}

const MOST_CODES_IN_RANGE = 65_536;

/** What begins so many ranges is sorted before others get their turn. */
const MOST_CODES = 70_000;

/** A range that is kept takes memory: as long as so many characters take. */
const STEPS_OF_RANGE = 300;

/** Values for ranges of codes. */
export class Ranges {
	/** By the first code of each. */
	private readonly ranges = new Map<number, Range>();
	/** In order; undefined until they are looked through. Numbers alone are sorted at once. */
	private firsts: Float64Array | undefined;
	private codes = 0;

	constructor(private readonly source: Source) {}

	/** Passes a range that ends before it begins, or that is too long to be meant. */
	add(first: number, last: number, value: Value | undefined): void {
		const codes = last - first + 1;
		if (!(codes > 0 && codes <= MOST_CODES_IN_RANGE)) return;
		this.source.spend(STEPS_OF_RANGE);
		this.codes += codes;
		ensure(this.codes <= MOST_CODES, 'A font has too many codes');
		this.ranges.set(first, { last, value });
		this.firsts = undefined;
	}

	/**
	 * What is said of a code, or of one before it that is so far away. Of ranges that overlap, the
	 * one that begins last, or was added last, counts.
	 */
	find(code: number): [value: Value | undefined, offset: number] | undefined {
		this.firsts ??= Float64Array.from(this.ranges.keys()).sort();
		const firsts = this.firsts;
		let low = 0;
		let high = firsts.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((firsts[middle] ?? Infinity) <= code) low = middle + 1;
			else high = middle;
		}
		const first = firsts[low - 1] ?? NaN;
		const range = this.ranges.get(first);
		if (!range || code > range.last) return undefined;
		const { value } = range;
		const offset = code - first;
		return Array.isArray(value) ? [value[offset], 0] : [value, offset];
	}
}
