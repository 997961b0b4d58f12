import { PDFDocument, StandardFonts } from 'pdf-lib';
import { standardWidths } from '../../nodes/ESign/pdf/fonts/standardWidths';

/**
 * What people write, and whatever else the encoding of these fonts has, but for Ÿ, which pdf-lib
 * takes for ÿ.
 */
const CHARACTERS = [
	...Array.from({ length: 0x7e - 0x20 + 1 }, (_, at) => String.fromCharCode(0x20 + at)),
	...Array.from({ length: 0xff - 0xa1 + 1 }, (_, at) => String.fromCharCode(0xa1 + at)),
	...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œž',
].filter((character) => character !== '\u00ad');

const FONTS = Object.values(StandardFonts).filter((name) => !/Symbol|Dingbats/.test(name));

describe('The widths of a standard font', () => {
	it.each(FONTS)('%s are those of its metrics', async (name) => {
		const document = await PDFDocument.create();
		const font = await document.embedFont(name);
		const widthOf = standardWidths(name);
		const ours = CHARACTERS.map((character) => [character, widthOf(character)]);
		const theirs = CHARACTERS.map((one) => [one, Math.round(font.widthOfTextAtSize(one, 1_000))]);
		expect(ours).toEqual(theirs);
	});

	it.each([
		['TimesNewRoman,BoldItalic', 'Times-BoldItalic'],
		['ABCDEF+TimesNewRomanPS-ItalicMT', 'Times-Italic'],
		['LiberationSerif', 'Times-Roman'],
		['ArialMT', 'Helvetica'],
		['Arial-BoldItalicMT', 'Helvetica-Bold'],
		['CourierNewPSMT', 'Courier'],
	])('%s takes the place of %s', (name, standard) => {
		const [ours, theirs] = [name, standard].map((font) => CHARACTERS.map(standardWidths(font)));
		expect(ours).toEqual(theirs);
	});
});
