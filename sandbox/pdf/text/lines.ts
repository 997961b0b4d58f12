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

export function unwrapped(paragraphs: readonly Paragraph[]): Line[] {
	return paragraphs.map((paragraph) => line(paragraph, 0, paragraph.length));
}
