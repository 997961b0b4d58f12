import { readFileSync } from 'node:fs';
import type { FontFamily } from '../../state/vocabulary';

/** One typeface in one weight: which of its files may hold a character. */
export interface Typeface {
	/** Of a variable font, the weight to draw in. */
	weight?: number;
	fileFor(codePoint: number): string | undefined;
}

/** `SCRIPT` is the hand in which signatures and initials are written; it has one style. */
export interface FontLook {
	family: FontFamily | 'SCRIPT';
	bold?: boolean;
	italic?: boolean;
}

const NOTO = '@fontsource-variable/noto-sans-';

/** Latin Extended, Greek, Cyrillic and symbols in the three families of the API. */
const DEJAVU: Record<FontFamily, { name: string; slanted: string }> = {
	HELVETICA: { name: 'DejaVuSans', slanted: 'Oblique' },
	TIMES: { name: 'DejaVuSerif', slanted: 'Italic' },
	COURIER: { name: 'DejaVuSansMono', slanted: 'Oblique' },
};

const singleFile = (file: string, weight?: number): Typeface => ({ weight, fileFor: () => file });

export function unicodeFace({ family, bold, italic }: FontLook): Typeface {
	const { name, slanted } = DEJAVU[family === 'SCRIPT' ? 'TIMES' : family];
	const style = `${bold ? 'Bold' : ''}${italic ? slanted : ''}`;
	return singleFile(`dejavu-fonts-ttf/ttf/${name}${style && `-${style}`}.ttf`);
}

export const handwriting: Typeface = singleFile(
	'@expo-google-fonts/dancing-script/600SemiBold/DancingScript_600SemiBold.ttf',
);

export function emojiFace(bold = false): Typeface {
	const weight = bold ? '700Bold' : '400Regular';
	return singleFile(`@expo-google-fonts/noto-emoji/${weight}/NotoEmoji_${weight}.ttf`);
}

/** A script that needs shaping lies in one file, because shaping looks at all of its characters together. */
export function scriptFace(script: 'arabic' | 'hebrew' | 'devanagari' | 'thai', bold = false): Typeface {
	return singleFile(`${NOTO}${script}/files/noto-sans-${script}-${script}-wght-normal.woff2`, bold ? 700 : 400);
}

/** Simplified Chinese, Japanese, Korean. */
export type Language = 'sc' | 'jp' | 'kr';

/** The fonts of East Asia are cut into a hundred slices each, by how common the characters are. */
export function eastAsianFace(language: Language, bold = false): Typeface {
	const slices = slicesOf(language);
	return {
		weight: bold ? 700 : 400,
		fileFor: (codePoint) => {
			const slice = slices.get(codePoint);
			return slice && `${NOTO}${language}/files/noto-sans-${language}-${slice}-wght-normal.woff2`;
		},
	};
}

/** Whether one of their slices is meant to hold a character. */
export function inEastAsianFace(codePoint: number): boolean {
	return slicesOf('sc').has(codePoint) || slicesOf('jp').has(codePoint) || slicesOf('kr').has(codePoint);
}

const read = new Map<string, ReadonlyMap<number, string>>();

/** The slice of each character. */
function slicesOf(language: string): ReadonlyMap<number, string> {
	const known = read.get(language);
	if (known) return known;
	const text = readFileSync(require.resolve(`${NOTO}${language}/unicode.json`), 'utf8');
	const slices = new Map<number, string>();
	for (const [name, ranges] of Object.entries(JSON.parse(text) as Record<string, string>)) {
		for (const range of ranges.split(',')) {
			const [first = '', last = first] = range.replace('U+', '').split('-');
			const end = Number.parseInt(last, 16);
			for (let codePoint = Number.parseInt(first, 16); codePoint <= end; codePoint++) {
				if (!slices.has(codePoint)) slices.set(codePoint, name.replace(/[[\]]/g, ''));
			}
		}
	}
	read.set(language, slices);
	return slices;
}
