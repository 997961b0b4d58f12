import type { Objects } from '../objects/objects';
import { numeric, type Dictionary, type Value } from '../objects/values';
import { cffEncoding, type1Encoding } from './builtIn';
import type { CMap } from './cmap';
import { MAC, STANDARD, WIN, type Encoding } from './encodings';
import { certain, type Font, type Glyph } from './font';
import { textOfName } from './glyphNames';
import { standardWidth } from './standardWidths';

const ENCODINGS = new Map<Value | undefined, Encoding>([
	['/WinAnsiEncoding', WIN],
	['/MacRomanEncoding', MAC],
	['/StandardEncoding', STANDARD],
]);

/** Fonts whose codes are no letters, whatever their encoding says. */
const SYMBOLS = /^(?:Symbol|ZapfDingbats|Wingdings|Webdings)/i;

/** The flag of fonts with an encoding of their own (ISO 32000-1, table 123). */
const IS_SYMBOLIC = 4;

/** Where a font program is, by its kind (table 126). */
const PROGRAMS = ['/FontFile', '/FontFile2', '/FontFile3'];

/** What the dictionaries of a font say of it. */
interface Description {
	font: Dictionary;
	descriptor: Dictionary;
	/** Without the mark of a subset. */
	name: string;
	isType3: boolean;
}

/** Reads a font whose codes are single bytes: Type 1, TrueType, Type 3 (9.6). */
export async function readSimpleFont(
	objects: Objects,
	font: Dictionary,
	toUnicode: CMap | undefined,
): Promise<Font> {
	const description: Description = {
		font,
		descriptor: await objects.dictionary(font.get('/FontDescriptor')),
		name: String(await objects.resolve(font.get('/BaseFont'))).replace(/^\/(?:[A-Z]{6}\+)?/, ''),
		isType3: font.get('/Subtype') === '/Type3',
	};
	const encoding = await encodingOf(objects, description);
	const texts = Array.from(
		{ length: 256 },
		(_, code) => toUnicode?.textOf(code) ?? certain(encoding[code]),
	);
	const { em, unit } = await scaleOf(objects, description);
	const widths = await widthsOf(objects, description, texts);
	const glyphs = texts.map((text, code): Glyph => ({
		text,
		width: (widths[code] ?? 0) * unit,
		isSpace: code === 32,
	}));
	const glyphsOf = (bytes: string) => {
		const found: Glyph[] = [];
		for (let at = 0; at < bytes.length; at++) {
			const glyph = glyphs[bytes.charCodeAt(at)];
			if (glyph) found.push(glyph);
		}
		return found;
	};
	return { em, isVertical: false, glyphsOf };
}

/** The encoding of a font with the differences that it lists (9.6.6). */
async function encodingOf(objects: Objects, description: Description): Promise<Encoding> {
	const encoding = await objects.resolve(description.font.get('/Encoding'));
	if (!(encoding instanceof Map)) return await baseOf(objects, description, encoding);
	const base = await objects.resolve(encoding.get('/BaseEncoding'));
	const table = [...(await baseOf(objects, description, base))];
	let code = 0;
	for (const part of await objects.list(encoding.get('/Differences'))) {
		if (typeof part === 'number') code = part;
		else if (typeof part === 'string') {
			table[code & 255] = textOfName(part.slice(1));
			code += 1;
		}
	}
	return table;
}

async function baseOf(
	objects: Objects,
	{ descriptor, name, isType3 }: Description,
	base: Value | undefined,
): Promise<Encoding> {
	const isEmbedded = PROGRAMS.some((key) => descriptor.has(key));
	if (SYMBOLS.test(name)) return [];
	const named = ENCODINGS.get(base);
	if (named) return named;
	if (isType3) return [];
	if (!isEmbedded) return STANDARD;
	const type1 = await objects.content(descriptor.get('/FontFile'));
	if (type1) return type1Encoding(type1);
	const compact = await objects.content(descriptor.get('/FontFile3'));
	if (compact) return cffEncoding(compact);
	const flags = (await objects.number(descriptor.get('/Flags'))) ?? 0;
	return (flags & IS_SYMBOLIC) === 0 ? STANDARD : [];
}

/** The width of each code in the font's own units. */
async function widthsOf(
	objects: Objects,
	{ font, descriptor, name }: Description,
	texts: ReadonlyArray<string | undefined>,
): Promise<number[]> {
	const listed = await objects.resolve(font.get('/Widths'));
	if (!Array.isArray(listed))
		return texts.map((text) => (text === undefined ? 0 : standardWidth(name, text)));
	const first = (await objects.number(font.get('/FirstChar'))) ?? 0;
	const missing = (await objects.number(descriptor.get('/MissingWidth'))) ?? 0;
	const widths = await objects.list(listed);
	return texts.map((_, code) => numeric(widths[code - first]) ?? missing);
}

/**
 * The height of the em, and how long the unit of widths is. Type 3 fonts have a matrix for it, and
 * the em of one that was drawn to another measure is as high as its box (9.6.5).
 */
async function scaleOf(
	objects: Objects,
	{ font, isType3 }: Description,
): Promise<{ em: number; unit: number }> {
	const usual = { em: 1, unit: 0.001 };
	if (!isType3) return usual;
	const matrix = (await objects.list(font.get('/FontMatrix'))).map(numeric);
	const [across = 0, turned = 0, , up = 0] = matrix;
	const unit = across === 0 ? turned : across;
	if (unit === 0 || unit === usual.unit) return usual;
	const [, bottom = 0, , top = 0] = (await objects.list(font.get('/FontBBox'))).map(numeric);
	const height = (top - bottom) * up;
	return { em: height === 0 ? 1 : height, unit };
}
