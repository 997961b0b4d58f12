import { createCanvas } from '@napi-rs/canvas';
import { fontOf, type FontLook } from './fonts';

/** One line of drawn text. */
export interface Line {
	text: string;
	/** It begins on the right. */
	rightToLeft: boolean;
}

/** Widths are measured at this size, and count for every other. */
const MEASURED_AT = 100;
/** So many widths of each look are kept: texts repeat words, and all of them repeat letters. */
const MAX_KEPT = 20_000;
const measuring = createCanvas(1, 1).getContext('2d');
const widths = new Map<string, Map<string, number>>();

/** Gives the width of texts in a look, in ems. */
export function measureIn(look: FontLook): (text: string) => number {
	const font = fontOf(look, MEASURED_AT);
	const known = widths.get(font) ?? new Map<string, number>();
	if (known.size > MAX_KEPT) known.clear();
	widths.set(font, known);
	return (text) => {
		let width = known.get(text);
		if (width !== undefined) return width;
		measuring.font = font;
		width = measuring.measureText(text).width / MEASURED_AT;
		known.set(text, width);
		return width;
	};
}

/** Breaks a text into lines no wider than `width` ems. */
export function wrap(text: string, look: FontLook, width: number): Line[] {
	return cleanText(text)
		.split('\n')
		.flatMap((paragraph) => {
			const rightToLeft = beginsRight(paragraph);
			return linesOf(paragraph, look, width).map((line) => ({ text: line, rightToLeft }));
		});
}

/**
 * What of a text is drawn. Line ends become `\n`, other blanks a space. Joiners and marks of
 * direction stay, because shaping needs them; everything else that has no picture goes, and with it
 * what would show letters in another order than they were entered.
 */
function cleanText(text: string): string {
	return text
		.normalize('NFC')
		.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
		.replace(/[\t\u00a0\u2007\u202f]/g, ' ')
		.replace(/(?![\n\u200c-\u200f])[\p{Cc}\p{Cf}]/gu, '');
}

const STRONG = /[\p{L}\u200e\u200f]/u;
const RIGHT_TO_LEFT =
	/[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The first letter decides, as in the Unicode bidirectional algorithm (UAX 9, P2). */
function beginsRight(paragraph: string): boolean {
	return RIGHT_TO_LEFT.test(STRONG.exec(paragraph)?.[0] ?? '');
}

/** A word with the blanks behind it. */
const WORD = /[^ ]+ *| +/g;
/** A letter with the marks on it. */
const LETTER = /\P{M}\p{M}*|\p{M}+/gu;

/** A word that is wider than a line is broken inside. */
function linesOf(paragraph: string, look: FontLook, width: number): string[] {
	const widthOf = measureIn(look);
	const limit = width + 1e-6;
	const lines: string[] = [];
	let line = '';
	let pen = 0;
	const pieces = (paragraph.match(WORD) ?? []).flatMap((word) =>
		widthOf(word.trimEnd()) <= limit ? [word] : (word.match(LETTER) ?? []),
	);
	for (const piece of pieces) {
		if (line !== '' && pen + widthOf(piece.trimEnd()) > limit) {
			lines.push(line);
			line = '';
			pen = 0;
		}
		line += piece;
		pen += widthOf(piece);
	}
	return [...lines, line];
}
