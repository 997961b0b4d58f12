import { scan } from '../objects/scanner';
import { fromUtf16, PdfString, type Source, type Value } from '../objects/values';
import { Ranges } from './ranges';

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
