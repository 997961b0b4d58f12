import type { Objects } from '../objects/objects';
import { Unreadable } from '../objects/source';
import type { Value } from '../objects/values';
import { CMap } from './cmap';
import { readCompositeFont } from './compositeFont';
import type { Font } from './font';
import { readSimpleFont } from './simpleFont';

export { isText, type Font, type Glyph } from './font';

const STEPS_OF_FONT = 5_000;

/** Some programs only name this table: codes of two bytes are characters. */
const IDENTITY = Buffer.from('<0000> <FFFF> <0000> endbfrange');

/** Reads what the codes of a font show, and how wide that is (ISO 32000-1, 9.5 to 9.10). */
export async function readFont(objects: Objects, value: Value | undefined): Promise<Font> {
	const { source } = objects;
	const font = await objects.resolve(value);
	if (!(font instanceof Map)) throw new Unreadable('There is no font');
	source.spend(STEPS_OF_FONT);
	const isComposite = font.get('/Subtype') === '/Type0';
	const toUnicode = await objects.resolve(font.get('/ToUnicode'));
	const isNamed = isComposite && toUnicode === '/Identity-H';
	const texts = await CMap.read(source, isNamed ? IDENTITY : await objects.content(toUnicode));
	return await (isComposite ? readCompositeFont : readSimpleFont)(objects, font, texts);
}
