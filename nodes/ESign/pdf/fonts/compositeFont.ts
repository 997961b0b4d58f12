import { Dictionary, ensure, numeric, Stream } from '../objects/values';
import { CMap, Ranges, STEPS_OF_RANGE } from './cmap';
import type { Codes } from './font';

/** Reads a font whose codes have several bytes (ISO 32000-1, 9.7). */
export async function readCompositeFont(font: Dictionary): Promise<Codes> {
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
	const widths = new Ranges();
	const list = await descendant.list('/W');
	for (let at = 0; at + 1 < list.length;) {
		const first = numeric(list[at]) ?? NaN;
		const second = list[at + 1];
		descendant.source.spend(STEPS_OF_RANGE);
		if (Array.isArray(second)) widths.add(first, first + second.length - 1, second);
		else widths.add(first, numeric(second) ?? NaN, list[at + 2]);
		at += Array.isArray(second) ? 2 : 3;
	}
	return widths;
}
