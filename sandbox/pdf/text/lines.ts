import type { Paragraph } from './paragraph';

/** A part of a paragraph that stands on one line. */
export interface Line {
	paragraph: Paragraph;
	from: number;
	to: number;
	/** Ems. */
	width: number;
}

function line(paragraph: Paragraph, from: number, to: number): Line {
	const end = paragraph.withoutBlanks(from, to);
	return { paragraph, from, to: end, width: paragraph.widthOf(from, end) };
}

/** Breaks paragraphs into lines no wider than `width` ems; a word wider than that is broken inside. */
export function wrap(paragraphs: readonly Paragraph[], width: number): Line[] {
	const lines: Line[] = [];
	for (const paragraph of paragraphs) {
		let from = 0;
		do {
			const to = paragraph.lineEnd(from, width);
			lines.push(line(paragraph, from, to));
			from = to;
		} while (from < paragraph.length);
	}
	return lines;
}

/** Whether that makes no more than `most` lines; most texts that are too long are found out before their end. */
export function wrapsInto(most: number, paragraphs: readonly Paragraph[], width: number): boolean {
	let lines = paragraphs.length;
	for (const paragraph of paragraphs) {
		for (let from = paragraph.lineEnd(0, width); from < paragraph.length; lines++) {
			if (lines >= most) return false;
			from = paragraph.lineEnd(from, width);
		}
	}
	return lines <= most;
}

export function unwrapped(paragraphs: readonly Paragraph[]): Line[] {
	return paragraphs.map((paragraph) => line(paragraph, 0, paragraph.length));
}
