import type { PageText, TextRun } from '../../../../../nodes/ESign/pdf';

/** What is written at once: as wide as half its size for each sign. */
export interface Written {
	text: string | Array<string | undefined>;
	x: number;
	/** Of the baseline. */
	y: number;
	size?: number;
	/** In degrees, against the clock. */
	turned?: number;
}

export const A4 = { width: 595, height: 842 };

/** A page with texts in the order of painting. */
export function pageWith(...written: Written[]): PageText {
	return { ...A4, runs: written.map(runOf), isIncomplete: false };
}

function runOf({ text, x, y, size = 10, turned = 0 }: Written): TextRun {
	const texts = typeof text === 'string' ? [...text] : text;
	const starts = texts.map((_, at) => (at * size) / 2);
	const ends = starts.map((start) => start + size / 2);
	const angle = (turned * Math.PI) / 180;
	const [dx, dy] = [Math.cos(angle), -Math.sin(angle)];
	return { texts, starts, ends, x, y, dx, dy, ux: dy * size, uy: -dx * size, size };
}
