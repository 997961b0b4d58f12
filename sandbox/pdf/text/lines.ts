import { createCanvas } from '@napi-rs/canvas';
import { cleanText } from './cleanText';
import { fontOf, type FontLook } from './fonts';

/** One line of drawn text. */
export interface Line {
	text: string;
	/** Ems. */
	width: number;
	/** It begins on the right. */
	rightToLeft: boolean;
}

/** A word with the blanks behind it; widths in ems. */
interface Word {
	text: string;
	width: number;
	/** With its blanks. */
	advance: number;
}

/**
 * One line of a text as it was entered, measured once: breaking it into lines only adds and
 * compares.
 */
export interface Paragraph {
	look: FontLook;
	words: Word[];
	rightToLeft: boolean;
}

/** Widths are measured at this size, and count for every other. */
const MEASURED_AT = 100;
/** So many widths of each look are kept: texts repeat words, and all of them repeat letters. */
const MAX_KEPT = 20_000;
const measuring = createCanvas(1, 1).getContext('2d');
const widths = new Map<string, Map<string, number>>();

function widthOf(text: string, look: FontLook): number {
	const font = fontOf(look, MEASURED_AT);
	let known = widths.get(font);
	if (!known || known.size >= MAX_KEPT) widths.set(font, (known = new Map<string, number>()));
	let width = known.get(text);
	if (width === undefined) {
		measuring.font = font;
		known.set(text, (width = measuring.measureText(text).width / MEASURED_AT));
	}
	return width;
}

const STRONG = /[\p{L}\u200e\u200f\u2067]/u;
const RIGHT_TO_LEFT =
	/[\u0590-\u08ff\u200f\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The first letter decides, as in the Unicode bidirectional algorithm (UAX 9, P2). */
function beginsRight(line: string): boolean {
	return RIGHT_TO_LEFT.test(STRONG.exec(line)?.[0] ?? '');
}

export function paragraphsOf(text: string, look: FontLook): Paragraph[] {
	const blank = widthOf('n n', look) - widthOf('nn', look);
	return cleanText(text)
		.split('\n')
		.map((line) => ({
			look,
			rightToLeft: beginsRight(line),
			words: (line.match(/[^ ]+ *| +/g) ?? []).map((word) => {
				const letters = word.trimEnd();
				const width = letters === '' ? 0 : widthOf(letters, look);
				return { text: word, width, advance: width + (word.length - letters.length) * blank };
			}),
		}));
}

const bySign = new Intl.Segmenter('en', { granularity: 'grapheme' });

function signsOf({ text }: Word, look: FontLook): Word[] {
	return Array.from(bySign.segment(text), ({ segment }) => {
		const width = widthOf(segment, look);
		return { text: segment, width: segment === ' ' ? 0 : width, advance: width };
	});
}

/**
 * Breaks paragraphs into lines no wider than `width` ems; a word wider than that is broken inside.
 */
export function wrap(paragraphs: readonly Paragraph[], width: number): Line[] {
	const limit = width + 1e-6;
	return paragraphs.flatMap(({ words, look, rightToLeft }) => {
		const lines: Line[] = [];
		let line: Line = { text: '', width: 0, rightToLeft };
		let pen = 0;
		const add = (word: Word) => {
			if (line.text !== '' && pen + word.width > limit) {
				lines.push(line);
				line = { text: '', width: 0, rightToLeft };
				pen = 0;
			}
			line.text += word.text;
			line.width = Math.max(line.width, pen + word.width);
			pen += word.advance;
		};
		for (const word of words) {
			if (word.width <= limit) add(word);
			else signsOf(word, look).forEach(add);
		}
		return [...lines, line];
	});
}

/** Ems. */
export function widestWord(paragraphs: readonly Paragraph[]): number {
	return Math.max(
		0,
		...paragraphs.map(({ words }) => words.reduce((most, { width }) => Math.max(most, width), 0)),
	);
}
