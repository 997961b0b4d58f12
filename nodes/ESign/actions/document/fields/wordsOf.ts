import { sleep } from 'n8n-workflow';
import { decompress, type PageText, type TextRun } from '../../../pdf';

/** What an archive ends with, and its records without what varies in length (APPNOTE.TXT, 4.3). */
const END = Buffer.from('PK\x05\x06', 'latin1');
const LENGTH = { file: 30, entry: 46 };

/** A file of an archive that is not packed. */
const STORED = 0;

const MAX_ENTRIES = 5_000;

/** The parts of a DOCX that have text on its pages (ECMA-376-1, 11.3). */
const PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i;

/** In bytes, packed and unpacked: a contract of 300 pages has two thirds of it. */
const MAX_SIZE = 8 * 1024 * 1024;

/** In bytes: what is read in one go. No element with its text is as long. */
const PIECE = 64 * 1024;

/** In characters: of a page of words, and of a paragraph. */
const FULL_PAGE = 10_000;

/** Such pages: more words are those of a library. */
const MOST_PAGES = 200;

/** A line takes memory: as long as so many characters. */
const LINE = 10;

/** Paragraphs that have begun: there are text boxes in text boxes, but not as many. */
const MOST_OPEN = 100;

/** Where the signs of a line begin and end: each is as wide as its em. */
const STARTS = [...Array(FULL_PAGE).keys()];
const ENDS = STARTS.map((start) => start + 1);

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
 * | `A<w:ptab/>B`: a tab to the middle or the end | `A B`                                |
 * | `<w:t>R&amp;D &#233;</w:t>`                   | `R&D é`                              |
 * | a paragraph in a text box, in a paragraph     | two paragraphs                       |
 */
const ELEMENT = /<(\/?)(?:[\w.-]{1,99}:)?(\w{1,99})(?=[\s/>])([^<>]*)>([^<]*)/g;
const SIGNS = new Map([
	['tab', ' '],
	['ptab', ' '],
	['br', ' '],
	['cr', ' '],
	['noBreakHyphen', '-'],
]);
const REPEATED = /^(?:moveFrom|Fallback)$/;

const ENTITY = /&(?:#(x?)([\dA-Fa-f]{1,7})|amp|lt|gt|quot|apos);/g;
const ENTITIES: Record<string, string> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
};

/**
 * The words of a DOCX, as pages on which each paragraph is a line. They tell what is there, not
 * where. None of any other file, and of one that cannot be read.
 */
export async function wordsOf(bytes: Buffer): Promise<PageText[]> {
	const pages: PageText[] = [];
	try {
		let y = Infinity;
		for await (const part of partsOf(bytes)) {
			for await (const paragraph of paragraphsIn(part)) {
				if (paragraph.length > FULL_PAGE || pages.length > MOST_PAGES) return [];
				if (y + paragraph.length > FULL_PAGE) {
					pages.push({ width: Infinity, height: Infinity, runs: [], isIncomplete: false });
					y = 0;
				}
				y += paragraph.length + LINE;
				pages.at(-1)?.runs.push(lineOf(paragraph, y));
			}
		}
	} catch {
		// A place that is not there, or what nobody packed: a damaged archive has many forms.
		return [];
	}
	return pages;
}

/** One line lies below the other. All share their places, which would take most of the memory. */
function lineOf(paragraph: string, y: number): TextRun {
	const texts = [...paragraph];
	return { texts, starts: STARTS, ends: ENDS, x: 0, y, dx: 1, dy: 0, ux: 0, uy: -1, size: 1 };
}

/**
 * The parts of a DOCX that have text. Word processors pack them; docxtemplater and JSZip, which
 * workflows fill in a DOCX with, store them unless they are asked to pack.
 *
 * @throws for what is no archive, is damaged or packed in an unusual way, or unpacks to too many
 * bytes
 */
async function* partsOf(bytes: Buffer): AsyncGenerator<Buffer> {
	let room = MAX_SIZE;
	const count = (length: number) => {
		room -= length;
		if (room < 0) throw new RangeError('Too much is packed');
	};
	const end = bytes.subarray(bytes.lastIndexOf(END));
	let at = end.readUInt32LE(16);
	for (let left = Math.min(MAX_ENTRIES, end.readUInt16LE(10)); left > 0; left--) {
		const entry = bytes.subarray(at);
		const behindName = LENGTH.entry + entry.readUInt16LE(28);
		if (PARTS.test(entry.toString('latin1', LENGTH.entry, behindName))) {
			const file = bytes.subarray(entry.readUInt32LE(42));
			const from = LENGTH.file + file.readUInt16LE(26) + file.readUInt16LE(28);
			const packed = file.subarray(from, from + entry.readUInt32LE(20));
			// The same bytes may stand behind any number of entries.
			count(packed.length);
			const isStored = entry.readUInt16LE(10) === STORED;
			yield isStored ? packed : await decompress(packed, 'deflate-raw', count);
		}
		at += behindName + entry.readUInt16LE(30) + entry.readUInt16LE(32);
	}
}

/** The text of each paragraph that has some, when it ends. The part is read piece by piece. */
async function* paragraphsIn(part: Buffer): AsyncGenerator<string> {
	// Those that have begun, the innermost last.
	const open: string[] = [];
	let repeated = 0;
	for (let at = 0; at < part.length;) {
		const isLast = at + PIECE >= part.length;
		const end = isLast ? part.length : part.lastIndexOf('<', at + PIECE);
		if (end <= at || open.length > MOST_OPEN) throw new RangeError('An element does not end');
		const elements = part.toString('utf8', at, end).matchAll(ELEMENT);
		for (const [, close, name = '', attributes = '', text = ''] of elements) {
			const isEnd = close === '/';
			const isBegin = !isEnd && !attributes.endsWith('/');
			if (REPEATED.test(name)) repeated += Number(isBegin) - Number(isEnd);
			if (name === 'p' && isBegin) open.push('');
			const ended = name === 'p' && isEnd ? open.pop() : '';
			if (ended) yield ended;
			if (repeated > 0 || isEnd) continue;
			const added = name === 't' && isBegin ? text.replace(ENTITY, character) : SIGNS.get(name);
			if (added !== undefined) open.push((open.pop() ?? '') + added);
		}
		// Other things run in between.
		await sleep(0);
		at = end;
	}
}

/** Nothing for a number that is no character. */
function character(entity: string, hex?: string, digits = ''): string {
	const code = parseInt(digits, hex ? 16 : 10);
	if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
	return ENTITIES[entity] ?? '';
}
