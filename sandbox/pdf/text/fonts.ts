import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import type { FontFamily } from '../../state/vocabulary';

/** `SCRIPT` is the hand in which signatures and initials are written; it has one style. */
export interface FontLook {
	family: FontFamily | 'SCRIPT';
	bold?: boolean;
	italic?: boolean;
}

const dejavu = (name: string, slanted: string): string[] => {
	return ['', '-Bold', `-${slanted}`, `-Bold${slanted}`].map(
		(style) => `dejavu-fonts-ttf/ttf/${name}${style}.ttf`,
	);
};

/** The fonts of each look of the API. DejaVu has Latin, Greek and Cyrillic in all of them. */
const FAMILIES: Record<FontLook['family'], string[]> = {
	HELVETICA: dejavu('DejaVuSans', 'Oblique'),
	TIMES: dejavu('DejaVuSerif', 'Italic'),
	COURIER: dejavu('DejaVuSansMono', 'Oblique'),
	SCRIPT: ['@expo-google-fonts/dancing-script/600SemiBold/DancingScript_600SemiBold.ttf'],
};

/** It writes what a look lacks: Arabic, Hebrew and symbols. */
const FALLBACK = 'HELVETICA';

const nameOf = (family: string): string => `eSign-${family}`;

function register(family: string, files: readonly string[]): void {
	const name = nameOf(family);
	if (GlobalFonts.has(name)) return;
	for (const file of files) {
		if (!GlobalFonts.registerFromPath(require.resolve(file), name))
			throw new Error(`${file} is not a font`);
	}
}

for (const [family, files] of Object.entries(FAMILIES)) register(family, files);

/** A look as the canvas takes it; `size` in points. */
export function fontOf({ family, bold, italic }: FontLook, size: number): string {
	return `${italic ? 'italic ' : ''}${bold ? 'bold ' : ''}${size}px ${nameOf(family)}, ${nameOf(FALLBACK)}`;
}

const SIDE = 32;
const sample = createCanvas(SIDE, SIDE).getContext('2d');
sample.font = fontOf({ family: 'HELVETICA' }, SIDE / 2);

function pictureOf(character: string): Buffer {
	sample.clearRect(0, 0, SIDE, SIDE);
	sample.fillText(character, SIDE / 4, SIDE * 0.7);
	return Buffer.from(sample.getImageData(0, 0, SIDE, SIDE).data);
}

/**
 * What is drawn for a code point that will never be a character: the hollow box of all that no font
 * has.
 */
const BOX = pictureOf('\u{fffff}');

const drawable = new Map<string, boolean>();

/** Whether some font has a character, found out by drawing it. */
function canDraw(character: string): boolean {
	let known = drawable.get(character);
	if (known === undefined) drawable.set(character, (known = !pictureOf(character).equals(BOX)));
	return known;
}

const WITHOUT_PICTURE = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The characters of a text for which a hollow box is drawn, each once. Half of a pair is one of
 * them.
 */
export function undrawable(text: string): string[] {
	return [...new Set(text)].filter((character) => {
		return (
			/\p{Surrogate}/u.test(character) || !(WITHOUT_PICTURE.test(character) || canDraw(character))
		);
	});
}
