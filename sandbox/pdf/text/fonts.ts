import { GlobalFonts } from '@napi-rs/canvas';
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

for (const [family, files] of Object.entries(FAMILIES)) {
	for (const file of files) GlobalFonts.registerFromPath(require.resolve(file), nameOf(family));
}

/** A look as the canvas takes it; `size` in points. */
export function fontOf({ family, bold, italic }: FontLook, size: number): string {
	const style = `${italic ? 'italic ' : ''}${bold ? 'bold ' : ''}`;
	return `${style}${size}px ${nameOf(family)}, ${nameOf(FALLBACK)}`;
}
