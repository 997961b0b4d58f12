import type { Objects } from '../objects/objects';
import { Unreadable } from '../objects/source';
import type { Value } from '../objects/values';
import { CMap } from './cmap';
import { readCompositeFont } from './compositeFont';
import type { Font } from './font';
import { readSimpleFont } from './simpleFont';

export { isText, type Font, type Glyph } from './font';

const STEPS_OF_FONT = 5_000;

/** Some programs name this table where a table should be: codes are characters. */
const IDENTITY = Buffer.from('<0000> <FFFF> <0000> endbfrange');

/** Reads what the codes of a font show, and how wide that is (ISO 32000-1, 9.5 to 9.10). */
export async function readFont(objects: Objects, value: Value | undefined): Promise<Font> {
	const { source } = objects;
	const font = await objects.resolve(value);
	if (!(font instanceof Map)) throw new Unreadable('There is no font');
	source.spend(STEPS_OF_FONT);
	const toUnicode = await objects.resolve(font.get('/ToUnicode'));
	const table = toUnicode === '/Identity-H' ? IDENTITY : await objects.content(toUnicode);
	const texts = await CMap.read(source, table);
	if (font.get('/Subtype') === '/Type0') return await readCompositeFont(objects, font, texts);
	return await readSimpleFont(objects, font, texts);
}
