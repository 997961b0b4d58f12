import { sleep } from 'n8n-workflow';
import type { PageText } from '../../../../pdf';
import { unzip } from './unzip';

/** The parts of a DOCX that have text on its pages (ECMA-376-1, 11.3). */
const PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i;

/** In bytes, unpacked: a contract of 300 pages has a third of it. */
const MAX_SIZE = 16 * 1024 * 1024;

const ELEMENTS_BEFORE_PAUSE = 10_000;

/** Of a page of words, in characters. */
const FULL_PAGE = 10_000;

/**
 * What the elements of WordprocessingML (ECMA-376-1, 17) make of their text:
 *
 * | in the file                                   | text                                 |
 * | --------------------------------------------- | ------------------------------------ |
 * | `<w:t>sig</w:t></w:r><w:r><w:t>nature</w:t>`  | `signature`                          |
 * | `<w:ins><w:r><w:t>1</w:t></w:r></w:ins>`      | `1`: an insertion                    |
 * | `<w:del><w:r><w:delText>2</w:delText>…`       | nothing: a deletion                  |
 * | `<w:moveFrom>…`, `<mc:Fallback>…`             | nothing: it is there a second time   |
 * | `A<w:tab/>B<w:br/>C<w:noBreakHyphen/>D`       | `A B C-D`                            |
 * | `<w:t>R&amp;D &#233;</w:t>`                   | `R&D é`                              |
 * | a paragraph in a text box, in a paragraph     | two paragraphs                       |
 */
const ELEMENT = /<(\/?)(?:[\w.-]{1,99}:)?(\w{1,99})([^<>]*)>([^<]*)/g;
const SIGNS = new Map([
	['tab', ' '],
	['br', ' '],
	['cr', ' '],
	['noBreakHyphen', '-'],
]);
const REPEATED = /^(?:moveFrom|Fallback)$/;

const ENTITY = /&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(amp|lt|gt|quot|apos));/g;
const ENTITIES = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
]);

/**
 * The words of a DOCX, as pages on which each paragraph is a line. They tell what is there, not
 * where. Undefined for any other file, and for one that cannot be read.
 */
export async function wordsOf(bytes: Buffer): Promise<PageText[] | undefined> {
	const paragraphs: string[] = [];
	try {
		for (const part of await unzip(bytes, PARTS, MAX_SIZE))
			await readParagraphs(part.toString('utf8'), paragraphs);
	} catch {
		// A place that is not there, or what nobody packed: a damaged archive has many forms.
		return undefined;
	}
	return paragraphs.length > 0 ? pagesOf(paragraphs) : undefined;
}

async function readParagraphs(xml: string, finished: string[]): Promise<void> {
	// Those that have begun, the innermost last.
	const open: string[] = [];
	let repeated = 0;
	let count = 0;
	for (const [, close, name = '', attributes = '', text = ''] of xml.matchAll(ELEMENT)) {
		count++;
		if (count % ELEMENTS_BEFORE_PAUSE === 0) await sleep(0);
		const isEnd = close === '/';
		const isBegin = !isEnd && !attributes.endsWith('/');
		if (REPEATED.test(name)) repeated += Number(isBegin) - Number(isEnd);
		if (name === 'p' && isBegin) open.push('');
		if (name === 'p' && isEnd) finished.push(open.pop() ?? '');
		if (repeated > 0) continue;
		const sign = isEnd ? undefined : SIGNS.get(name);
		const added = name === 't' && isBegin ? text.replace(ENTITY, character) : sign;
		if (added !== undefined) open.push((open.pop() ?? '') + added);
	}
}

function character(_: string, decimal?: string, hex?: string, name = ''): string {
	const known = ENTITIES.get(name);
	if (known !== undefined) return known;
	const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Each sign is as wide as its em, and one line lies below the other. */
function pagesOf(paragraphs: readonly string[]): PageText[] {
	const pages: PageText[] = [];
	let y = Infinity;
	for (const text of paragraphs) {
		if (y > FULL_PAGE) {
			pages.push({ width: Infinity, height: Infinity, runs: [], isIncomplete: false });
			y = 0;
		}
		const texts = [...text];
		const starts = [...texts.keys()];
		const ends = starts.map((start) => start + 1);
		const level = { dx: 1, dy: 0, ux: 0, uy: -1, size: 1 };
		y += texts.length + 1;
		pages.at(-1)?.runs.push({ texts, starts, ends, x: 0, y, ...level });
	}
	return pages;
}
