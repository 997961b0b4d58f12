import { Dictionary, ensure, numeric, Stream, type Source, type Value } from '../objects/values';
import { CMap, codeOf, Ranges } from './cmap';
import { certain, type Codes, type Font, type Glyph } from './font';
import { readSimpleFont } from './simpleFont';

export { isText, type Font } from './font';

/** A glyph that is kept takes memory: as long as so many characters take. */
const STEPS_OF_GLYPH = 200;

/** Some programs only name this table: codes of two bytes are characters. */
const IDENTITY = Buffer.from('<0000> <FFFF> <0000> endbfrange');

/** Reads what the codes of a font show, and how wide that is (ISO 32000-1, 9.5 to 9.10). */
export async function readFont(source: Source, value: Value | undefined): Promise<Font> {
	const font = await source.resolve(value);
	ensure(font instanceof Dictionary, 'There is no font');
	const isComposite = font.get('/Subtype') === '/Type0';
	const toUnicode = await font.resolve('/ToUnicode');
	const isNamed = isComposite && toUnicode === '/Identity-H';
	const texts = await CMap.read(source, isNamed ? IDENTITY : await source.content(toUnicode));
	const codes = await (isComposite ? readCompositeFont : readSimpleFont)(font);
	const known = new Map<string, Glyph>();

	function glyphAt(string: string, at: number): Glyph {
		const bytes = string.slice(at, at + codes.lengthAt(string, at));
		let glyph = known.get(bytes);
		if (!glyph) {
			source.spend(STEPS_OF_GLYPH);
			const code = codeOf(bytes);
			const text = certain(texts.textOf(code) ?? codes.textOf?.(code));
			const { length } = bytes;
			glyph = { text, length, width: codes.widthOf(code), isSpace: bytes === ' ' };
			known.set(bytes, glyph);
		}
		return glyph;
	}

	return { glyphAt, em: codes.em };
}

/** Reads a font whose codes have several bytes (ISO 32000-1, 9.7). */
async function readCompositeFont(font: Dictionary): Promise<Codes> {
	const [descendant] = await font.list('/DescendantFonts');
	ensure(descendant instanceof Dictionary, 'A font has no descendant');
	const codes = await codesOf(font);
	const widths = await widthsOf(descendant);
	const [preset = 1000] = await descendant.numbers('/DW');
	return {
		lengthAt: (bytes, at) => codes?.lengthAt(bytes, at) ?? 2,
		widthOf: (code) => {
			const glyph = codes ? codes.glyphOf(code) : code;
			const [width] = widths.find(glyph) ?? [];
			return (numeric(width) ?? preset) / 1000;
		},
		em: 1,
	};
}

/**
 * The table that says which glyph a code stands for; undefined if each code of two bytes is the
 * number of its glyph. Predefined tables are not known here, and neither is vertical text.
 */
async function codesOf(font: Dictionary): Promise<CMap | undefined> {
	const encoding = await font.resolve('/Encoding');
	if (encoding === '/Identity-H') return undefined;
	const isHorizontal = encoding instanceof Stream && encoding.dictionary.get('/WMode') !== 1;
	ensure(isHorizontal, 'A font is vertical, or has a predefined CMap');
	const codes = await CMap.read(font.source, await font.source.content(encoding));
	return codes.base === '/Identity-H' ? undefined : codes;
}

/** A list of `first [width width ...]` and `first last width` (9.7.4.3). */
async function widthsOf(descendant: Dictionary): Promise<Ranges> {
	const widths = new Ranges(descendant.source);
	const list = await descendant.list('/W');
	for (let at = 0; at + 1 < list.length;) {
		const first = numeric(list[at]) ?? NaN;
		const second = list[at + 1];
		if (Array.isArray(second)) widths.add(first, first + second.length - 1, second);
		else widths.add(first, numeric(second) ?? NaN, list[at + 2]);
		at += Array.isArray(second) ? 2 : 3;
	}
	return widths;
}
