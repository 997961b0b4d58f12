import { sleep } from 'n8n-workflow';
import type { PageText, TextRun } from '../../../../pdf';
import { Paragraphs } from './paragraphs';
import { unzip } from './unzip';

/** The parts of a DOCX that have text on its pages (ECMA-376-1, 11.3). */
const PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i;

/** In bytes, unpacked: a contract of 300 pages has a third of it. */
const MAX_SIZE = 16 * 1024 * 1024;

const ELEMENTS_BEFORE_PAUSE = 10_000;

/** Of a page of words, in characters. */
const FULL_PAGE = 10_000;

/**
 * The words of a DOCX, as pages on which each paragraph is a line. They tell what is there, not
 * where. Undefined for any other file, and for one that cannot be read.
 */
export async function wordsOf(bytes: Buffer): Promise<PageText[] | undefined> {
	const parts = await unzip(bytes, PARTS, MAX_SIZE);
	if (!parts || parts.length === 0) return undefined;
	const paragraphs = new Paragraphs();
	for (const part of parts) await readElements(part.toString('utf8'), paragraphs);
	const pages: PageText[] = [];
	let room = 0;
	for (const text of paragraphs.finished) {
		if (room <= 0) {
			pages.push({ width: Infinity, height: Infinity, runs: [], isIncomplete: false });
			room = FULL_PAGE;
		}
		pages.at(-1)?.runs.push(lineOf([...text], room));
		room -= text.length + 1;
	}
	return pages;
}

async function readElements(xml: string, paragraphs: Paragraphs): Promise<void> {
	for (let at = xml.indexOf('<'), count = 1; at >= 0; count++) {
		if (count % ELEMENTS_BEFORE_PAUSE === 0) await sleep(0);
		const next = xml.indexOf('<', at + 1);
		const [tag = '', text = ''] = xml.slice(at + 1, next < 0 ? undefined : next).split('>', 2);
		paragraphs.element(tag);
		paragraphs.text(text);
		at = next;
	}
}

/** Each sign is as wide as its em, and one line lies below the other. */
function lineOf(texts: string[], room: number): TextRun {
	const starts = [...texts.keys()];
	const ends = starts.map((start) => start + 1);
	const level = { dx: 1, dy: 0, ux: 0, uy: -1, size: 1 };
	return { texts, starts, ends, x: 0, y: FULL_PAGE - room + 1, ...level };
}
