import type { Objects } from '../objects/objects';
import { Unreadable } from '../objects/source';
import { numeric, Stream, type Dictionary, type Value } from '../objects/values';
import { CMap } from './cmap';
import { certain, type Font, type Glyph } from './font';
import { Ranges } from './ranges';

const IDENTITY = /^\/Identity-[HV]$/;
/** Tables whose codes are UTF-16. */
const UNICODE = /^\/Uni.*(?:UCS2|UTF16)/;

/** A glyph that is kept takes memory: as long as so many characters take. */
const STEPS_OF_GLYPH = 200;

/** What the codes of a font are, and which glyphs they stand for (ISO 32000-1, 9.7.5). */
interface Codes {
	cmap?: CMap;
	isUnicode: boolean;
	isVertical: boolean;
}

/** Widths of consecutive glyphs: one for all of them, or one for each. */
type Widths = Ranges<number | Value[]>;

/** Reads a font whose codes have several bytes (9.7). */
export async function readCompositeFont(
	objects: Objects,
	font: Dictionary,
	toUnicode: CMap | undefined,
): Promise<Font> {
	const { source } = objects;
	const [first] = await objects.list(font.get('/DescendantFonts'));
	if (!(first instanceof Map)) throw new Unreadable('A font has no descendant');
	const codes = await codesOf(objects, font);
	const widths = await widthsOf(objects, first.get('/W'));
	const preset = (await objects.number(first.get('/DW'))) ?? 1000;
	const { cmap } = codes;
	const known = [0, 1, 2, 3, 4].map(() => new Map<number, Glyph>());
	const glyphOf = (code: number, length: number): Glyph => {
		source.spend(STEPS_OF_GLYPH);
		const range = cmap?.cids.find(code);
		const glyph = cmap ? (range ? range.value + code - range.first : 0) : code;
		const direct = codes.isUnicode ? certain(String.fromCharCode(code)) : undefined;
		return {
			text: toUnicode?.textOf(code) ?? direct,
			width: (widthOf(widths, glyph) ?? preset) / 1000,
			isSpace: length === 1 && code === 32,
		};
	};
	const glyphsOf = (bytes: string) => {
		const found: Glyph[] = [];
		for (let at = 0, length = 2; at < bytes.length; at += length) {
			if (cmap) length = cmap.lengthAt(bytes, at) ?? 2;
			let code = 0;
			for (let byte = at; byte < at + length; byte++)
				code = code * 256 + (bytes.charCodeAt(byte) || 0);
			let glyph = known[length]?.get(code);
			if (!glyph) {
				glyph = glyphOf(code, length);
				known[length]?.set(code, glyph);
			}
			found.push(glyph);
		}
		return found;
	};
	return { em: 1, isVertical: codes.isVertical, glyphsOf };
}

async function codesOf(objects: Objects, font: Dictionary): Promise<Codes> {
	const encoding = await objects.resolve(font.get('/Encoding'));
	if (encoding instanceof Stream) {
		const cmap = await CMap.read(objects.source, objects.pieces(encoding));
		const isVertical = encoding.dictionary.get('/WMode') === 1;
		const isIdentity = typeof cmap.base === 'string' && IDENTITY.test(cmap.base);
		return { ...(!isIdentity && { cmap }), isUnicode: false, isVertical };
	}
	const name = typeof encoding === 'string' ? encoding : '';
	const isUnicode = UNICODE.test(name);
	if (!isUnicode && !IDENTITY.test(name)) throw new Unreadable('A font has a predefined CMap');
	return { isUnicode, isVertical: name.endsWith('V') };
}

/** A list of `first [width width ...]` and `first last width` (9.7.4.3). */
async function widthsOf(objects: Objects, value: Value | undefined): Promise<Widths> {
	const widths: Widths = new Ranges(objects.source);
	const list = await objects.list(value);
	for (let at = 0; at + 1 < list.length;) {
		const [first, second, third] = list.slice(at, at + 3).map((one) => numeric(one ?? undefined));
		const each = list[at + 1];
		if (Array.isArray(each)) widths.add(first ?? NaN, (first ?? NaN) + each.length - 1, each);
		else widths.add(first ?? NaN, second ?? NaN, third ?? 0);
		at += Array.isArray(each) ? 2 : 3;
	}
	return widths;
}

function widthOf(widths: Widths, glyph: number): number | undefined {
	const range = widths.find(glyph);
	if (!range) return undefined;
	const { first, value } = range;
	return Array.isArray(value) ? numeric(value[glyph - first]) : value;
}
