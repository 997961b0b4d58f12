import { fromUtf16, PdfString } from '../objects/pdfString';
import { scan } from '../objects/scanner';
import type { Source } from '../objects/source';
import type { Value } from '../objects/values';
import { Ranges, STEPS_OF_VALUE } from './ranges';

/** The operator behind a table: `endbfchar`, `endcidrange`. */
const TABLE = /^end(codespace|bf|cid)(char|range)$/;

const LONGEST_CODE = 4;

/** A table of codes: to what they show, or to glyphs (ISO 32000-1, 9.7.5 and 9.10.3). */
export class CMap {
	/** The name of another one that this one adds to. */
	base: Value | undefined;
	private readonly texts = new Ranges();
	private readonly glyphs = new Ranges();
	/** For each length in bytes, which codes have it. */
	private readonly spaces = Array.from({ length: LONGEST_CODE + 1 }, () => new Ranges());

	static async read(source: Source, content: Buffer): Promise<CMap> {
		const map = new CMap();
		await scan(source, content, (operator, operands) => {
			if (operator === 'usecmap') map.base = operands.at(-1);
			const [, kind, form] = TABLE.exec(operator) ?? [];
			if (kind === undefined) return;
			source.spend(STEPS_OF_VALUE * operands.length);
			map.readTable(kind, form === 'char', operands);
		});
		return map;
	}

	/** What a code shows; undefined if that is not said. */
	textOf(code: number): string | undefined {
		const found = this.texts.find(code);
		if (!found) return undefined;
		const text = textIn(found.value);
		const last = text.charCodeAt(text.length - 1) + found.offset;
		return text.slice(0, -1) + String.fromCharCode(last);
	}

	/** The number of the glyph that a code stands for; 0 if there is none. */
	glyphOf(code: number): number {
		const { value = 0, offset = 0 } = this.glyphs.find(code) ?? {};
		return Number(value) + offset;
	}

	/** How many bytes the code that begins at `at` has. */
	lengthAt(bytes: string, at: number): number {
		for (let length = 1; length <= LONGEST_CODE; length++)
			if (this.spaces[length]?.find(codeOf(bytes.slice(at, at + length)))) return length;
		return 2;
	}

	private readTable(kind: string, isSingle: boolean, values: Value[]): void {
		const isSpace = kind === 'codespace';
		const size = isSingle || isSpace ? 2 : 3;
		for (let at = 0; at + size <= values.length; at += size) {
			const first = bytesOf(values[at]);
			const last = isSingle ? first : bytesOf(values[at + 1]);
			let ranges = kind === 'bf' ? this.texts : this.glyphs;
			if (isSpace) ranges = this.spaces[first.length] ?? ranges;
			ranges.add(codeOf(first), codeOf(last), values[at + size - 1]);
		}
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
	const bytes = bytesOf(value);
	return fromUtf16(bytes.length % 2 === 1 ? `\0${bytes}` : bytes);
}
