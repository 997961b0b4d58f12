import fontkit from '@pdf-lib/fontkit';
import { readFileSync } from 'node:fs';
import { StandardFonts, type PDFDocument, type PDFFont } from 'pdf-lib';
import type { FontFamily } from '../../state/vocabulary';

/** `SCRIPT` is the hand in which signatures and initials are written; it has one style. */
export interface FontLook {
	family: FontFamily | 'SCRIPT';
	bold?: boolean;
	italic?: boolean;
}

/** A font together with the text as that font can write it. */
export interface Lettering {
	font: PDFFont;
	text: string;
}

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

/** What stands in for them in other scripts: Latin Extended, Greek, Cyrillic, Arabic, Hebrew, symbols. */
const UNICODE: Record<FontFamily, Styles> = {
	HELVETICA: ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSans-Oblique', 'DejaVuSans-BoldOblique'],
	TIMES: ['DejaVuSerif', 'DejaVuSerif-Bold', 'DejaVuSerif-Italic', 'DejaVuSerif-BoldItalic'],
	COURIER: ['DejaVuSansMono', 'DejaVuSansMono-Bold', 'DejaVuSansMono-Oblique', 'DejaVuSansMono-BoldOblique'],
};

const SCRIPT_FILE = '@expo-google-fonts/dancing-script/600SemiBold/DancingScript_600SemiBold.ttf';

/** Drawn where no font has the character (Chinese, emoji): the reader sees that something stands there. */
const REPLACEMENT = '\u25a1';

const fileBytes = new Map<string, Buffer>();

function readFont(file: string): Buffer {
	const known = fileBytes.get(file);
	if (known) return known;
	const bytes = readFileSync(require.resolve(file));
	fileBytes.set(file, bytes);
	return bytes;
}

/** The fonts of one document, each embedded once and only when a text needs it. */
export class FontBook {
	private readonly embedded = new Map<string, Promise<PDFFont>>();
	private readonly glyphs = new Map<PDFFont, Set<number>>();

	constructor(private readonly document: PDFDocument) {
		document.registerFontkit(fontkit);
	}

	/**
	 * Finds the font that can write all of `text`; what none can write becomes a hollow box.
	 * Lines of the text stay apart, by `\n`.
	 */
	async letter(text: string, look: FontLook): Promise<Lettering> {
		const clean = withoutInvisible(text);
		if (look.family === 'SCRIPT') {
			const script = await this.embed(SCRIPT_FILE);
			if (this.canWrite(script, clean)) return { font: script, text: clean };
			return this.letter(clean, { family: 'TIMES', italic: true });
		}
		const style = (look.bold ? 1 : 0) + (look.italic ? 2 : 0);
		const standard = await this.embed(STANDARD[look.family][style] ?? StandardFonts.Helvetica);
		if (this.canWrite(standard, clean)) return { font: standard, text: clean };

		const unicode = await this.embed(`dejavu-fonts-ttf/ttf/${UNICODE[look.family][style]}.ttf`);
		const written = [...clean].map((character) => (this.canWrite(unicode, character) ? character : REPLACEMENT));
		return { font: unicode, text: written.join('') };
	}

	private canWrite(font: PDFFont, text: string): boolean {
		const glyphs = this.glyphsOf(font);
		return [...text].every((character) => character === '\n' || glyphs.has(character.codePointAt(0) ?? 0));
	}

	private glyphsOf(font: PDFFont): Set<number> {
		const known = this.glyphs.get(font);
		if (known) return known;
		const glyphs = new Set(font.getCharacterSet());
		this.glyphs.set(font, glyphs);
		return glyphs;
	}

	private embed(name: string): Promise<PDFFont> {
		const known = this.embedded.get(name);
		if (known) return known;
		const font = name.endsWith('.ttf')
			? this.document.embedFont(readFont(name), { subset: true })
			: this.document.embedFont(name);
		this.embedded.set(name, font);
		return font;
	}
}

/** Of the control characters only line ends mean something here; joiners and variation selectors need a shaping engine. */
function withoutInvisible(text: string): string {
	return text
		.normalize('NFC')
		.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
		.replace(/[\t\u00a0\u2007\u202f]/g, ' ')
		.replace(/(?!\n)[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}]/gu, '');
}
