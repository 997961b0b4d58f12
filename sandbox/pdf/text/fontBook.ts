import type { StandardFonts } from 'pdf-lib';
import { type PDFDocument, type PDFFont } from 'pdf-lib';
import { candidatesFor, isPlain, languagesOf } from '../fonts/candidates';
import { FontFace } from '../fonts/fontFace';
import type { Cluster, DocumentFont, SignBudget } from '../fonts/glyphs';
import { LostCharacters } from '../fonts/lostCharacters';
import { OutlineFont } from '../fonts/outlineFont';
import { StandardFont, standardName } from '../fonts/standardFont';
import { emojiFace, handwriting, unicodeFace, type FontLook, type Language, type Typeface } from '../fonts/typefaces';
import { isInvisible } from './cleanText';
import { hasTrait, isSingle, TRAITS } from './traits';

const { shaped } = TRAITS;

/** How one sign of a text is set: no font when no font has it, or when there is nothing to see. */
export interface Setting {
	font: DocumentFont | undefined;
	/** Its form or place depends on what stands beside it. */
	shaped: boolean;
	invisible: boolean;
	/** The sign as it is drawn wherever it stands, if it is not shaped. */
	cluster?: Cluster;
}

export interface Settings {
	settings: Setting[];
	/** The first of the different signs that cannot be drawn. */
	gaps: ReadonlySet<string>;
	/** False when there are so many of them that the text as a whole is not drawn; the settings are then incomplete. */
	readable: boolean;
}

/** Signs that are not drawn. So many are named, and the others counted: a text of nothing else would fill pages. */
export interface Missing {
	named: string[];
	more: number;
}

const MOST_NAMED = 20;

/** Stand in everywhere for those of the sans-serif family, which has most of them. */
const FALLBACK: FontLook = { family: 'HELVETICA' };

/** Nobody reads a text with holes in the place of so many different signs: it becomes a single one. */
const MOST_GAPS = 200;

/** Compressing every outline on its own is half of the work when a document has thousands of different signs. */
const MOST_COMPRESSED = 2_000;

/** A contract in Chinese or Korean has less than half of these; a text of random characters has tens of thousands. */
const MOST_SIGNS = 2_500;

/**
 * More files than the fonts of one language are cut into (124), and many more than its texts need. Reading all 700 takes
 * seconds.
 */
const MOST_SLICES = 150;

/** The fonts of one document, each embedded once and only when a text needs it. */
export class FontBook {
	private readonly standards = new Map<string, Promise<PDFFont>>();
	private readonly drawn = new Map<string, Promise<StandardFont>>();
	private readonly outlines = new Map<string, Promise<OutlineFont>>();
	/** By look and languages, the signs that no font of Western text was to write. */
	private readonly found = new Map<string, Map<Key, Setting>>();
	/** By font, the signs of Western text that it writes. */
	private readonly written = new Map<DocumentFont, Map<Key, Setting>>();
	private readonly lost = new Map<string, LostCharacters>();
	private slices = 0;
	/** Code points. */
	private readonly missing = new Set<number>();
	private readonly budget: SignBudget = { left: MOST_SIGNS };

	constructor(private readonly document: PDFDocument) {}

	/** A font every reader has, for texts in English. */
	standard(name: StandardFonts): Promise<PDFFont> {
		return this.embed(name);
	}

	/** The stand-in for the family of `look` in other scripts, which can also draw turned brackets. */
	unicode(look: FontLook): Promise<DocumentFont> {
		return this.outline(unicodeFace(look));
	}

	/** Notes that this sign is not drawn: no font has it, or the document has too many others. */
	miss(sign: string): void {
		for (const character of sign) this.missing.add(character.codePointAt(0) ?? 0);
	}

	/** The signs that were not drawn since this was asked last. */
	takeMissing(): Missing {
		const named: string[] = [];
		for (const codePoint of this.missing) {
			if (named.push(String.fromCodePoint(codePoint)) === MOST_NAMED) break;
		}
		const more = this.missing.size - named.length;
		this.missing.clear();
		return { named, more };
	}

	/** Writes the fonts that the pages refer to; call it once, after everything was drawn. */
	async write(): Promise<void> {
		const fonts = await Promise.all(this.outlines.values());
		const signs = fonts.reduce((sum, { size }) => sum + size, 0);
		for (const font of fonts) font.write(signs <= MOST_COMPRESSED);
	}

	/** How each sign of a text is set, one after the other, and which cannot be drawn. */
	async settingsFor(signs: readonly string[], text: string, look: FontLook): Promise<Settings> {
		const base = await this.baseFor(signs.filter(isPlain), look);
		const languages = languagesOf(text);
		const found = this.foundFor(languages, look);
		const written = this.writtenIn(base);
		const settings: Setting[] = [];
		const gaps = new Set<string>();
		const sought = new Map<string, number[]>();
		let lost = this.lost.get(lookKey(look));
		for (let index = 0; index < signs.length && gaps.size <= MOST_GAPS; index++) {
			const sign = signs[index] ?? '';
			const key = keyOf(sign);
			let setting = written.get(key) ?? found.get(key);
			if (!setting) {
				if (isInvisible(sign)) found.set(key, (setting = settingOf(sign, undefined, true)));
				else if (isPlain(sign) && writes(base, sign)) written.set(key, (setting = settingOf(sign, base)));
				else if (this.budget.left > 0) {
					lost ??= await this.lostFor(look);
					if (isSingle(sign) && lost.has(sign.codePointAt(0) ?? 0)) setting = MISSING;
					else if (!sought.get(sign)?.push(index)) sought.set(sign, [index]);
				} else setting = MISSING;
			}
			if (setting && !setting.font && !setting.invisible) gaps.add(sign);
			settings.push(setting ?? MISSING);
		}
		if (gaps.size > MOST_GAPS) sought.clear();
		for (const [sign, places] of sought) {
			const setting = await this.search(sign, languages, look);
			found.set(keyOf(sign), setting);
			if (!setting.font) gaps.add(sign);
			for (const place of places) settings[place] = setting;
			// The text will not be drawn: looking for the others would only have more fonts read.
			if (gaps.size > MOST_GAPS) break;
		}
		return { settings, gaps, readable: gaps.size <= MOST_GAPS };
	}

	/** One font for all Western text of a value, because a name in two fonts looks wrong. */
	private async baseFor(plain: string[], look: FontLook): Promise<DocumentFont> {
		const fonts: DocumentFont[] = look.family === 'SCRIPT' ? [await this.outline(handwriting)] : [];
		const print: FontLook = look.family === 'SCRIPT' ? { family: 'TIMES', italic: true } : look;
		const standard = await this.standardFont(print);
		fonts.push(standard);
		const first = fonts.find((font) => plain.every((sign) => writes(font, sign)));
		if (first) return first;
		const unicode = await this.outline(unicodeFace(print));
		const known = plain.filter((sign) => writes(unicode, sign) || fonts.some((font) => writes(font, sign)));
		return fonts.find((font) => known.every((sign) => writes(font, sign))) ?? unicode;
	}

	private foundFor(languages: readonly Language[], look: FontLook): Map<Key, Setting> {
		const key = `${lookKey(look)}${languages[0]}`;
		let found = this.found.get(key);
		if (!found) this.found.set(key, (found = new Map<Key, Setting>()));
		return found;
	}

	private writtenIn(font: DocumentFont): Map<Key, Setting> {
		let written = this.written.get(font);
		if (!written) this.written.set(font, (written = new Map<Key, Setting>()));
		return written;
	}

	private async search(sign: string, languages: readonly Language[], look: FontLook): Promise<Setting> {
		const western = [unicodeFace(look), unicodeFace(FALLBACK)];
		const others = candidatesFor(sign, languages, look);
		for (const face of isPlain(sign) ? [...western, ...others] : [...others, ...western]) {
			const font = await this.outline(face, sign.codePointAt(0));
			if (font && writes(font, sign)) return settingOf(sign, font);
		}
		return settingOf(sign, undefined);
	}

	private async lostFor(look: FontLook): Promise<LostCharacters> {
		const faces = [unicodeFace(look), unicodeFace(FALLBACK), emojiFace(look.bold)];
		const lost = new LostCharacters(await Promise.all(faces.map((face) => this.outline(face))));
		this.lost.set(lookKey(look), lost);
		return lost;
	}

	private async standardFont(look: FontLook): Promise<StandardFont> {
		const name = standardName(look);
		let font = this.drawn.get(name);
		if (!font) this.drawn.set(name, (font = this.embed(name).then((embedded) => new StandardFont(embedded))));
		return font;
	}

	private embed(name: string): Promise<PDFFont> {
		let font = this.standards.get(name);
		if (!font) this.standards.set(name, (font = this.document.embedFont(name)));
		return font;
	}

	private outline(face: Typeface): Promise<OutlineFont>;
	private outline(face: Typeface, codePoint: number | undefined): Promise<OutlineFont | undefined>;
	private async outline(face: Typeface, codePoint = 0x20): Promise<OutlineFont | undefined> {
		const file = face.fileFor(codePoint);
		if (file === undefined) return undefined;
		const key = `${file} ${face.weight ?? ''}`;
		let font = this.outlines.get(key);
		if (!font) {
			if (face.sliced && ++this.slices > MOST_SLICES) return undefined;
			const { document, budget } = this;
			font = FontFace.load(file, face.weight).then(
				(loaded) => new OutlineFont(document, loaded, budget, face.script),
			);
			this.outlines.set(key, font);
		}
		return font;
	}
}

/** Of a sign; a number is found faster. */
type Key = number | string;

function keyOf(sign: string): Key {
	return isSingle(sign) ? (sign.codePointAt(0) ?? 0) : sign;
}

function lookKey({ family, bold, italic }: FontLook): string {
	return `${family}${bold ? ' bold ' : ''}${italic ? ' italic ' : ''}`;
}

const MISSING: Setting = { font: undefined, shaped: false, invisible: false };

function settingOf(sign: string, font: DocumentFont | undefined, invisible = false): Setting {
	return { font, shaped: !isSingle(sign) || hasTrait(sign, shaped), invisible };
}

function writes(font: DocumentFont, sign: string): boolean {
	if (isSingle(sign)) return font.has(sign.codePointAt(0) ?? 0) || isInvisible(sign);
	for (const character of sign) {
		if (!font.has(character.codePointAt(0) ?? 0) && !isInvisible(character)) return false;
	}
	return true;
}
