import { Dictionary, ifReadable, type Value } from '../objects/values';
import { cffEncoding, type1Encoding } from './builtIn';
import { MAC, STANDARD, WIN, type Encoding } from './encodings';
import type { Codes } from './font';
import { textOfName } from './glyphNames';
import { standardWidths } from './standardWidths';

const ENCODINGS = new Map<Value | undefined, Encoding>([
	['/WinAnsiEncoding', WIN],
	['/MacRomanEncoding', MAC],
	['/StandardEncoding', STANDARD],
]);

/** Fonts whose codes are no letters, whatever their encoding says. */
const SYMBOLS = /^(?:Symbol|ZapfDingbats|Wingdings|Webdings)/i;

const PROGRAMS = ['/FontFile', '/FontFile2', '/FontFile3'];

/** The flag of fonts with an encoding of their own (ISO 32000-1, table 123). */
const IS_SYMBOLIC = 4;

/** Of a glyph in the em, except in fonts that say otherwise. */
const USUAL_UNIT = 0.001;

/** Reads a font whose codes are single bytes: Type 1, TrueType, Type 3 (9.6). */
export async function readSimpleFont(font: Dictionary): Promise<Codes> {
	const descriptor = await font.dictionary('/FontDescriptor');
	const baseFont = String(await font.resolve('/BaseFont'));
	const name = baseFont.replace(/^\/(?:[A-Z]{6}\+)?/, '');
	const encoding = await encodingOf(font, descriptor, name);
	const widths = await widthsOf(font, descriptor);
	// How long the unit of widths is: Type 3 fonts have a matrix for it (9.6.5).
	const [across, turned = USUAL_UNIT] = await font.numbers('/FontMatrix');
	const unit = across || turned;
	const standard = standardWidths(name);
	const widthOf = (code: number) => unit * (widths?.(code) ?? standard(encoding[code]));
	return {
		lengthAt: () => 1,
		textOf: (code) => encoding[code],
		widthOf,
		em: unit === USUAL_UNIT ? 1 : emOf(widthOf),
	};
}

/** A matrix of its own may hold the size of a font. Glyphs are about half as wide as the em. */
function emOf(widthOf: Codes['widthOf']): number {
	const all = Array.from({ length: 256 }, (_, code) => widthOf(code));
	const widths = all.filter((width) => width > 0);
	const sum = widths.reduce((before, width) => before + width, 0);
	return (2 * sum) / widths.length || 1;
}

/** The encoding of a font with the differences that it lists (9.6.6). */
async function encodingOf(
	font: Dictionary,
	descriptor: Dictionary,
	name: string,
): Promise<Encoding> {
	const encoding = await font.resolve('/Encoding');
	const changes = encoding instanceof Dictionary ? encoding : new Dictionary(font.source);
	const base = (await changes.resolve('/BaseEncoding')) ?? encoding;
	let table = ENCODINGS.get(base);
	const isEmbedded = PROGRAMS.some((program) => descriptor.has(program));
	// Programs in China write GBK, two bytes for a character, and call that WinAnsiEncoding.
	const isForeign = /[^ -~]/.test(name) && !isEmbedded;
	if (isForeign || SYMBOLS.test(name)) table = [];
	table ??= await builtIn(font, descriptor);
	const names: string[] = [];
	let code = 0;
	for (const part of await changes.list('/Differences')) {
		if (typeof part === 'number') code = part;
		else if (typeof part === 'string') {
			names[code & 255] = part.slice(1);
			code += 1;
		}
	}
	// A code that no name is given for keeps what it has.
	return Object.assign([...table], names.map(textOfName));
}

/** What the font program calls its codes, if there is one. */
async function builtIn(font: Dictionary, descriptor: Dictionary): Promise<Encoding> {
	const type1 = descriptor.get('/FontFile');
	const compact = descriptor.get('/FontFile3');
	const encoding = await ifReadable(async () => {
		if (type1) return type1Encoding(await font.source.content(type1));
		if (compact) return cffEncoding(await font.source.content(compact));
		const [flags = 0] = await descriptor.numbers('/Flags');
		const isOwn = descriptor.has('/FontFile2') && (flags & IS_SYMBOLIC) !== 0;
		return isOwn || font.get('/Subtype') === '/Type3' ? [] : STANDARD;
	});
	return encoding ?? [];
}

/** The width of each code in the font's own units; undefined if the file does not say them. */
async function widthsOf(font: Dictionary, descriptor: Dictionary) {
	if (!font.has('/Widths')) return undefined;
	const [first = 0] = await font.numbers('/FirstChar');
	const [missing = 0] = await descriptor.numbers('/MissingWidth');
	const widths = await font.numbers('/Widths');
	return (code: number) => widths[code - first] ?? missing;
}
