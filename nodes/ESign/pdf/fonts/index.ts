import { Dictionary, ensure, type Source, type Value } from '../objects/values';
import { CMap, codeOf } from './cmap';
import { readCompositeFont } from './compositeFont';
import { certain, type Font, type Glyph } from './font';
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
