import type { PDFFont } from 'pdf-lib';
import type { FontBook, FontLook } from './fonts';

/** Breaks one paragraph into lines no wider than `width` points; a word wider than that is broken inside. */
export function wrap(text: string, font: PDFFont, size: number, width: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		const extended = line === '' ? word : `${line} ${word}`;
		if (font.widthOfTextAtSize(extended, size) <= width) {
			line = extended;
			continue;
		}
		if (line !== '') lines.push(line);
		const pieces = breakWord(word, font, size, width);
		lines.push(...pieces.slice(0, -1));
		line = pieces.at(-1) ?? '';
	}
	return [...lines, line];
}

function breakWord(word: string, font: PDFFont, size: number, width: number): string[] {
	const pieces: string[] = [];
	let piece = '';
	for (const character of word) {
		if (piece !== '' && font.widthOfTextAtSize(piece + character, size) > width) {
			pieces.push(piece);
			piece = '';
		}
		piece += character;
	}
	return [...pieces, piece];
}

/** Lines of text at a size at which they fit a box. */
export interface FittedText {
	font: PDFFont;
	size: number;
	lineHeight: number;
	lines: string[];
}

const LINE_SPACING = 1.2;
const SMALLEST_SIZE = 2;
/** Below this, a text of one line is easier to read on two. */
const SMALLEST_UNWRAPPED = 6;

/**
 * Fits text into `width` x `height` points: at `preferred` points if it can, else smaller, because a contract must
 * show all of what was filled in. Single-line text is wrapped only when it would otherwise become unreadable.
 */
export async function fitText(
	fonts: FontBook,
	text: string,
	look: FontLook,
	box: { width: number; height: number; preferred: number; multiline: boolean },
): Promise<FittedText> {
	const { font, text: written } = await fonts.letter(text, look);
	for (let size = box.preferred; ; size = Math.max(SMALLEST_SIZE, size * 0.93)) {
		const mayWrap = box.multiline || size < SMALLEST_UNWRAPPED;
		const lines = written.split('\n').flatMap((line) => (mayWrap ? wrap(line, font, size, box.width) : [line]));
		const lineHeight = size * LINE_SPACING;
		const fits =
			size + (lines.length - 1) * lineHeight <= box.height &&
			lines.every((line) => font.widthOfTextAtSize(line, size) <= box.width);
		if (fits || size <= SMALLEST_SIZE) return { font, size, lineHeight, lines };
	}
}
