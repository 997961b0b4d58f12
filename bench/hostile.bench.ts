import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { wordsOf as WordsOf } from '../nodes/ESign/actions/document/fields/wordsOf';
import type { pageCount as PageCount, textOf as TextOf } from '../nodes/ESign/pdf';
import { docxOf } from '../test/actions/document/fields/support/docx';
import { HOSTILE, HOSTILE_TEXT } from '../test/support/hostilePdfs';
import { inChild } from './measure/child';
import { longestHold } from './measure/loopHold';
import { collectGarbage } from './measure/memory';
import { OURS, type Bench, type Figure } from './report/figure';

const BUILT = join(__dirname, '../dist/nodes/ESign');

/** The largest that is read as a whole: structure, the content of a page, a part of a Word file. */
const SIZE = { pdf: 8_000_000, content: 2_000_000, words: 8_000_000 };

/** What the body of a Word file is filled with. */
const HOSTILE_WORDS = {
	'one text': (size: number) => `<w:p><w:t>${'x'.repeat(size)}</w:t></w:p>`,
	'one attribute': (size: number) => `<w:p a="${'x'.repeat(size)}"/>`,
	'one paragraph': (size: number) => `<w:p>${'<w:tab/>'.repeat(size / 8)}</w:p>`,
	'short elements': (size: number) => '<a>'.repeat(size / 3),
	'empty paragraphs': (size: number) => '<w:p></w:p>'.repeat(size / 11),
	'short paragraphs': (size: number) => '<w:p><w:t>a</w:t></w:p>'.repeat(size / 23),
	'long paragraphs': (size: number) =>
		`<w:p><w:t>${'x '.repeat(4_500)}</w:t></w:p>`.repeat(size / 9_023),
	'paragraphs that do not end': (size: number) => '<w:p>'.repeat(size / 5),
	'ends of paragraphs': (size: number) => '</w:p>'.repeat(size / 6),
};

/** How a file is read, by what is in `dist`. */
type Reading = 'count' | 'text' | 'words';

interface Hold {
	kind: string;
	ms: number;
}

/** Files made to harm: how long each holds the event loop. */
export const run: Bench = async ({ quick }) => {
	const repeats = quick ? 1 : 4;
	const figure = async (name: string, reading: Reading, kinds: object): Promise<Figure> => {
		const holds: Hold[] = [];
		for (const kind of Object.keys(kinds)) {
			const input = { reading, kind, repeats };
			holds.push(await inChild(__filename, 'hold', input, ['--expose-gc']));
		}
		const worst = holds.reduce((one, other) => (other.ms > one.ms ? other : one));
		return {
			name,
			unit: 'ms CPU',
			values: { [OURS]: worst.ms },
			target: { atMost: 20 },
			meaning: `the event loop held at the longest, of ${holds.length} kinds: ${worst.kind}.`,
		};
	};
	return {
		title: 'Hostile files',
		sides: [OURS],
		figures: [
			await figure('Pages of PDFs', 'count', HOSTILE),
			await figure('Structure of PDFs', 'text', HOSTILE),
			await figure('Text of PDFs', 'text', HOSTILE_TEXT),
			await figure('Words of Word files', 'words', HOSTILE_WORDS),
		],
	};
};

/** In a process of its own: what is compiled for one kind does not make the next one fast. */
export async function hold(asked: {
	reading: Reading;
	kind: string;
	repeats: number;
}): Promise<Hold> {
	const bytes = fileOf(asked.kind);
	const read = readerOf(asked.reading);
	const all: number[] = [];
	for (let repeat = 0; repeat < asked.repeats; repeat++) {
		collectGarbage();
		all.push(await longestHold(async () => await read(bytes)));
	}
	// What Node.js loads for the first time, or a pause of the garbage collector, is not in all.
	return { kind: asked.kind, ms: Math.min(...all) };
}

function fileOf(kind: string): Buffer {
	if (kind in HOSTILE) return HOSTILE[kind as keyof typeof HOSTILE](SIZE.pdf);
	if (kind in HOSTILE_TEXT) return HOSTILE_TEXT[kind as keyof typeof HOSTILE_TEXT](SIZE.content);
	return docxOf(HOSTILE_WORDS[kind as keyof typeof HOSTILE_WORDS](SIZE.words));
}

function readerOf(reading: Reading): (bytes: Buffer) => Promise<unknown> {
	const load = createRequire(__filename);
	const pdf = load(join(BUILT, 'pdf/index.js')) as {
		pageCount: typeof PageCount;
		textOf: typeof TextOf;
	};
	if (reading === 'count') return pdf.pageCount;
	if (reading === 'text') return pdf.textOf;
	const words = join(BUILT, 'actions/document/fields/wordsOf.js');
	return (load(words) as { wordsOf: typeof WordsOf }).wordsOf;
}
