import { fromUtf16, PdfString } from '../objects/pdfString';
import { scan } from '../objects/scanner';
import type { Source } from '../objects/source';
import type { Value } from '../objects/values';
import { certain } from './font';
import { Ranges } from './ranges';

/** Which codes have how many bytes. */
interface CodeSpace {
	bytes: number;
	first: number;
	last: number;
}

/** Reads an entry of a table: a code, or a range of them, and what it stands for. */
type Put = (map: CMap, entry: Value[]) => void;

/** By the operator behind a table, how many operands an entry has. */
const TABLES: Record<string, { operands: number; put: Put } | undefined> = {
	endcodespacerange: {
		operands: 2,
		put: (map, [first, last]) =>
			map.spaces.push({ bytes: bytesOf(first).length, first: codeOf(first), last: codeOf(last) }),
	},
	endbfchar: {
		operands: 2,
		put: (map, [code, text]) => map.texts.add(codeOf(code), codeOf(code), text),
	},
	endbfrange: {
		operands: 3,
		put: (map, [first, last, text]) => map.texts.add(codeOf(first), codeOf(last), text),
	},
	endcidchar: {
		operands: 2,
		put: (map, [code, cid]) => map.cids.add(codeOf(code), codeOf(code), Number(cid)),
	},
	endcidrange: {
		operands: 3,
		put: (map, [first, last, cid]) => map.cids.add(codeOf(first), codeOf(last), Number(cid)),
	},
};

const MOST_SPACES = 100;

/** A table of codes: to what they show, or to glyphs (ISO 32000-1, 9.7.5 and 9.10.3). */
export class CMap {
	readonly spaces: CodeSpace[] = [];
	readonly texts: Ranges<Value | undefined>;
	readonly cids: Ranges<number>;
	/** The name of another one that this one adds to. */
	base: Value | undefined;

	private constructor(source: Source) {
		this.texts = new Ranges(source);
		this.cids = new Ranges(source);
	}

	static async read(source: Source, pieces: AsyncIterable<Buffer>): Promise<CMap> {
		const map = new CMap(source);
		await scan(source, pieces, (operator, operands) => {
			if (operator === 'usecmap') map.base = operands.at(-1);
			const table = TABLES[operator];
			return table && map.readTable(source, operands, table);
		});
		return map;
	}

	/** What a code shows, where that is certain. */
	textOf(code: number): string | undefined {
		const range = this.texts.find(code);
		if (!range) return undefined;
		const { first, value } = range;
		if (Array.isArray(value)) return certain(textIn(value[code - first]));
		const text = textIn(value);
		const last = text.charCodeAt(text.length - 1) + code - first;
		return certain(text.slice(0, -1) + String.fromCharCode(last));
	}

	/** How many bytes the code that begins at `at` has, if the code spaces say so. */
	lengthAt(bytes: string, at: number): number | undefined {
		let code = 0;
		for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
			code = code * 256 + bytes.charCodeAt(at + length - 1);
			for (const space of this.spaces) {
				const isInside = code >= space.first && code <= space.last;
				if (space.bytes === length && isInside) return length;
			}
		}
		return undefined;
	}

	private async readTable(
		source: Source,
		values: Value[],
		{ operands, put }: { operands: number; put: Put },
	): Promise<void> {
		for (let at = 0; at + operands <= values.length; at += operands) {
			put(this, values.slice(at, at + operands));
			if (source.isDue) await source.pause();
		}
		if (this.spaces.length > MOST_SPACES) this.spaces.length = MOST_SPACES;
	}
}

const bytesOf = (value: Value | undefined): string =>
	value instanceof PdfString ? value.bytes : '';

/** NaN for what is no code. */
function codeOf(value: Value | undefined): number {
	const bytes = bytesOf(value);
	if (bytes === '' || bytes.length > 4) return NaN;
	let code = 0;
	for (let at = 0; at < bytes.length; at++) code = code * 256 + bytes.charCodeAt(at);
	return code;
}

/** Some programs leave out the first byte, which is 0. */
function textIn(value: Value | undefined): string {
	const bytes = bytesOf(value);
	return fromUtf16(bytes.length % 2 === 1 ? `\0${bytes}` : bytes);
}
