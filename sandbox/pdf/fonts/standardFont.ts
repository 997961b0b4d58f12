import { StandardFonts, type PDFFont } from 'pdf-lib';
import type { FontFamily } from '../../state/vocabulary';
import { CodePoints } from './codePoints';
import type { Cluster, DocumentFont } from './glyphs';
import type { FontLook } from './typefaces';

type Styles = readonly [regular: string, bold: string, italic: string, boldItalic: string];

/** The fonts every reader has. They cover Western European text and nothing else. */
const STANDARD: Record<FontFamily, Styles> = {
	HELVETICA: [
		StandardFonts.Helvetica,
		StandardFonts.HelveticaBold,
		StandardFonts.HelveticaOblique,
		StandardFonts.HelveticaBoldOblique,
	],
	TIMES: [
		StandardFonts.TimesRoman,
		StandardFonts.TimesRomanBold,
		StandardFonts.TimesRomanItalic,
		StandardFonts.TimesRomanBoldItalic,
	],
	COURIER: [
		StandardFonts.Courier,
		StandardFonts.CourierBold,
		StandardFonts.CourierOblique,
		StandardFonts.CourierBoldOblique,
	],
};

export function standardName({ family, bold, italic }: FontLook): string {
	const style = (bold ? 1 : 0) + (italic ? 2 : 0);
	return STANDARD[family === 'SCRIPT' ? 'TIMES' : family][style] ?? StandardFonts.Helvetica;
}

/** One of the fonts every reader has; nothing of it is embedded. */
export class StandardFont implements DocumentFont {
	private readonly characters: CodePoints;
	private readonly clusters = new Map<string, Cluster>();

	constructor(private readonly font: PDFFont) {
		this.characters = new CodePoints(font.getCharacterSet());
	}

	has(codePoint: number): boolean {
		return this.characters.has(codePoint);
	}

	simple(character: string): Cluster {
		const known = this.clusters.get(character);
		if (known) return known;
		const width = this.font.widthOfTextAtSize(character, 1);
		const code = this.font.encodeText(character).asString();
		const cluster = { text: character, width, glyph: { font: this.font.ref, code } };
		this.clusters.set(character, cluster);
		return cluster;
	}

	/** A joiner or a mark of direction, which these fonts do not have, is not drawn: there is nothing to see. */
	shape(text: string): Cluster[] {
		return Array.from(text, (character) => {
			return this.has(character.codePointAt(0) ?? 0) ? this.simple(character) : { text: character, width: 0 };
		});
	}
}
