import type { Objects } from '../objects/objects';
import { Unreadable } from '../objects/source';
import { numeric, Stream, type Dictionary, type Value } from '../objects/values';
import { CMap, codeOf } from './cmap';
import { certain, type Font, type Glyph } from './font';
import { Ranges } from './ranges';

/** A glyph that is kept takes memory: as long as so many characters take. */
const STEPS_OF_GLYPH = 200;

/** Reads a font whose codes have several bytes (ISO 32000-1, 9.7). */
export async function readCompositeFont(
	objects: Objects,
	font: Dictionary,
	toUnicode: CMap,
): Promise<Font> {
	const [descendant] = await objects.list(font.get('/DescendantFonts'));
	if (!(descendant instanceof Map)) throw new Unreadable('A font has no descendant');
	const codes = await codesOf(objects, font);
	const widths = await widthsOf(objects, descendant);
	const preset = (await objects.number(descendant.get('/DW'))) ?? 1000;
	const known = new Map<string, Glyph>();
	const read = (bytes: string): Glyph => {
		objects.source.spend(STEPS_OF_GLYPH);
		const code = codeOf(bytes);
		const width = widthOf(widths, codes ? codes.glyphOf(code) : code) ?? preset;
		const isSpace = bytes === ' ';
		return { text: certain(toUnicode.textOf(code)), width: width / 1000, isSpace };
	};
	const glyphsOf = (bytes: string) => {
		const found: Glyph[] = [];
		for (let at = 0, length = 2; at < bytes.length; at += length) {
			if (codes) length = codes.lengthAt(bytes, at);
			const code = bytes.slice(at, at + length);
			const glyph = known.get(code) ?? read(code);
			known.set(code, glyph);
			found.push(glyph);
		}
		return found;
	};
	return { glyphsOf, em: 1 };
}

/**
 * The table that says which glyph a code stands for; undefined if each code of two bytes is the
 * number of its glyph. Predefined tables are not known here, and neither is vertical text.
 */
async function codesOf(objects: Objects, font: Dictionary): Promise<CMap | undefined> {
	const encoding = await objects.resolve(font.get('/Encoding'));
	if (encoding === '/Identity-H') return undefined;
	if (!(encoding instanceof Stream) || encoding.dictionary.get('/WMode') === 1)
		throw new Unreadable('A font is vertical, or has a predefined CMap');
	const codes = await CMap.read(objects.source, await objects.content(encoding));
	return codes.base === '/Identity-H' ? undefined : codes;
}

/** A list of `first [width width ...]` and `first last width` (9.7.4.3). */
async function widthsOf(objects: Objects, descendant: Dictionary): Promise<Ranges<Value>> {
	const widths = new Ranges<Value>(objects.source);
	const list = await objects.list(descendant.get('/W'));
	for (let at = 0; at + 1 < list.length;) {
		const first = numeric(list[at]) ?? NaN;
		const second = list[at + 1];
		if (Array.isArray(second)) widths.add(first, first + second.length - 1, second);
		else widths.add(first, numeric(second) ?? NaN, list[at + 2] ?? null);
		at += Array.isArray(second) ? 2 : 3;
	}
	return widths;
}

function widthOf(widths: Ranges<Value>, glyph: number): number | undefined {
	const range = widths.find(glyph);
	if (!range) return undefined;
	const { first, value } = range;
	return numeric(Array.isArray(value) ? value[glyph - first] : value);
}
