import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface SeenText {
	text: string;
	/** Where its baseline begins, as fractions of the page from its top-left corner. */
	x: number;
	y: number;
}

export interface SeenPage {
	/** Points, cropped and turned as a reader shows it. */
	width: number;
	height: number;
	texts: SeenText[];
	/**
	 * The box around everything that is not white, in fractions of the page; null on an empty page.
	 */
	ink: { left: number; top: number; right: number; bottom: number } | null;
}

export interface SeenPdf {
	info: { Title?: string; Subject?: string; Producer?: string; ModDate?: string };
	pages: SeenPage[];
}

/**
 * What pdf.js, a second and independent PDF reader, sees in a PDF. Throws when it cannot open or
 * draw it.
 */
export function readPdf(bytes: Buffer): SeenPdf {
	const output = execFileSync(process.execPath, [join(__dirname, 'pdfReader.mjs')], {
		input: bytes,
		maxBuffer: 64e6,
	});
	return JSON.parse(output.toString('utf8')) as SeenPdf;
}

/** All text of a page, in the order in which it was drawn. */
export function textOf(page: SeenPage | undefined): string {
	return (page?.texts ?? []).map(({ text }) => text).join(' ');
}
