import { readFileSync } from 'node:fs';
import type { FontFamily } from '../../state/vocabulary';

/** One typeface in one weight: which of its files may hold a character. */
export interface Typeface {
	/** Of a variable font, the weight to draw in. */
	weight?: number;
	/** It lies in many files, of which a document needs some. */
	sliced?: boolean;
	/** The one script of its texts (ISO 15924), which can therefore be shaped together. */
	script?: string;
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

const TAGS = { arabic: 'Arab', hebrew: 'Hebr', devanagari: 'Deva', thai: 'Thai' } as const;

/** A script that needs shaping lies in one file, because shaping looks at all of its characters together. */
export function scriptFace(script: keyof typeof TAGS, bold = false): Typeface {
	const file = `${NOTO}${script}/files/noto-sans-${script}-${script}-wght-normal.woff2`;
	return { ...singleFile(file, bold ? 700 : 400), script: TAGS[script] };
}

/** Simplified Chinese, Japanese, Korean. */
export type Language = 'sc' | 'jp' | 'kr';

/** The fonts of East Asia are cut into a hundred slices each, by how common the characters are. */
export function eastAsianFace(language: Language, bold = false): Typeface {
	const { names, byCodePoint } = slicesOf(language);
	return {
		weight: bold ? 700 : 400,
		sliced: true,
		fileFor: (codePoint) => {
			const slice = byCodePoint[codePoint];
			return slice ? `${NOTO}${language}/files/noto-sans-${language}-${names[slice]}-wght-normal.woff2` : undefined;
		},
	};
}

const LANGUAGES: readonly Language[] = ['sc', 'jp', 'kr'];

let inAnySlice: Uint8Array | undefined;

/** Whether one of their slices is meant to hold a character. */
export function inEastAsianFace(codePoint: number): boolean {
	if (!inAnySlice) {
		inAnySlice = new Uint8Array(0x110000);
		for (const language of LANGUAGES) {
			const { byCodePoint } = slicesOf(language);
			for (let at = 0; at < byCodePoint.length; at++) if (byCodePoint[at]) inAnySlice[at] = 1;
		}
	}
	return inAnySlice[codePoint] === 1;
}

interface Slices {
	/** From 1 on. */
	names: string[];
	/** The number of the slice of each character; 0 for none. */
	byCodePoint: Uint8Array;
}

const read = new Map<string, Slices>();

function slicesOf(language: string): Slices {
	const known = read.get(language);
	if (known) return known;
	const text = readFileSync(require.resolve(`${NOTO}${language}/unicode.json`), 'utf8');
	const slices: Slices = { names: [''], byCodePoint: new Uint8Array(0x110000) };
	for (const [name, ranges] of Object.entries(JSON.parse(text) as Record<string, string>)) {
		const number = slices.names.push(name.replace(/[[\]]/g, '')) - 1;
		for (const range of ranges.split(',')) {
			const [first = '', last = first] = range.replace('U+', '').split('-');
			const end = Number.parseInt(last, 16);
			for (let codePoint = Number.parseInt(first, 16); codePoint <= end; codePoint++) {
				slices.byCodePoint[codePoint] ||= number;
			}
		}
	}
	read.set(language, slices);
	return slices;
}
