import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { median } from '../test/support/statistics';
import { withTemporaryFolder } from '../test/support/temporaryFolder';
import type { textOf as TextOf } from '../nodes/ESign/pdf';
import { inChild } from './measure/child';
import { collectGarbage, traceMemory } from './measure/memory';
import { OURS, type Bench, type BenchResult } from './report/figure';

const PDF_JS = 'pdf.js';
const READER = join(__dirname, '../nodes/ESign/pdf/index.ts');
const PAGES = 100;
const CHARACTERS = 3_000;
const MB = 1024 * 1024;

/** A file, and the reader of the text, compiled by itself: V8 has it as the package has it. */
interface Reading {
	reader: string;
	path: string;
	repeats: number;
}

interface Cost {
	ms: number;
	libraryMs: number;
}

/** In file sizes, above what the file itself takes: while its text is read, and afterwards. */
interface Memory {
	most: number;
	kept: number;
}

/** What V8 has not collected yet is not counted: three megabytes at most. */
const MEMORY_FLAGS = ['--expose-gc', '--max-semi-space-size=1'];

/** Reading the text of long contracts, compared with pdf.js. */
export const run: Bench = async ({ quick }) =>
	await withTemporaryFolder(async (folder) => await measure(folder, quick ? 1 : 5));

async function measure(folder: string, repeats: number): Promise<BenchResult> {
	const reader = join(folder, 'reader.js');
	await build({ entryPoints: [READER], outfile: reader, bundle: true, platform: 'node' });
	const costOf = async (bytes: Buffer) => {
		const path = join(folder, 'contract.pdf');
		await writeFile(path, bytes);
		return await inChild<Reading, Cost>(__filename, 'read', { reader, path, repeats });
	};
	const lines = await costOf(await contractOf(false, 0));
	const glyphs = await costOf(await contractOf(true, 0));
	const large = await costOf(await contractOf(false, 25 * MB));
	const path = join(folder, 'large.pdf');
	await writeFile(path, await contractOf(false, 10 * MB));
	const memory = await inChild<Reading, Memory>(
		__filename,
		'remember',
		{ reader, path, repeats: 1 },
		MEMORY_FLAGS,
	);
	const inSizes = (name: string, times: number, atMost: number, meaning: string) => ({
		name,
		unit: 'x file size',
		values: { [OURS]: times },
		target: { atMost },
		meaning,
	});
	const figure = (name: string, { ms, libraryMs }: Cost, atMost: number, meaning: string) => ({
		name,
		unit: 'ms CPU',
		values: { [OURS]: ms, [PDF_JS]: libraryMs },
		target: { atMost },
		meaning,
	});
	return {
		title: 'Text of PDFs',
		sides: [OURS, PDF_JS],
		figures: [
			figure('100 pages, shown by lines', lines, 600, 'pages of 3,000 characters.'),
			figure('100 pages, shown by glyphs', glyphs, 600, 'the same, as Chromium writes it.'),
			figure('25 MB', large, 500, 'the first of them, with pictures that nobody reads.'),
			{
				name: 'CPU compared with pdf.js',
				unit: 'x',
				values: {
					[OURS]: Math.max(...[lines, glyphs, large].map((one) => one.ms / one.libraryMs)),
				},
				target: { atMost: 1 },
				meaning: 'the largest of the three ratios.',
			},
			inSizes('Most memory for 10 MB', memory.most, 4, 'above what the file itself takes.'),
			inSizes('Kept of 10 MB', memory.kept, 0.2, 'when its text is read and forgotten.'),
		],
	};
}

/** In a process of its own: both readers in turns. */
export async function read({ reader, path, repeats }: Reading): Promise<Cost> {
	const load = createRequire(__filename);
	const { textOf } = load(reader) as { textOf: typeof TextOf };
	const root = dirname(load.resolve('pdfjs-dist/package.json'));
	const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
	const bytes = await readFile(path);
	const readAll = async () => {
		const task = getDocument({
			data: new Uint8Array(bytes),
			standardFontDataUrl: `${root}/standard_fonts/`,
			verbosity: 0,
		});
		const document = await task.promise;
		for (let page = 1; page <= document.numPages; page++)
			await (await document.getPage(page)).getTextContent();
		await task.destroy();
	};
	const ms: number[] = [];
	const libraryMs: number[] = [];
	for (let repeat = 0; repeat < repeats; repeat++) {
		ms.push(await cpuMs(async () => await textOf(bytes)));
		libraryMs.push(await cpuMs(readAll));
	}
	return { ms: median(ms), libraryMs: median(libraryMs) };
}

/** In a process of its own: how much memory the reading takes, and how much of it stays. */
export async function remember({ reader, path }: Reading): Promise<Memory> {
	const { textOf } = createRequire(__filename)(reader) as { textOf: typeof TextOf };
	const bytes = await readFile(path);
	const readOnce = async () => void (await textOf(bytes));
	// What is compiled, and what is kept for all files, is there before.
	await readOnce();
	const { before, peak } = await traceMemory(readOnce);
	collectGarbage();
	const held = heldBytes();
	await readOnce();
	collectGarbage();
	return { most: (peak - before) / bytes.length, kept: (heldBytes() - held) / bytes.length };
}

function heldBytes(): number {
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/** @param byGlyphs as Chromium writes justified text: one glyph, a move, the next one */
async function contractOf(byGlyphs: boolean, ballast: number): Promise<Buffer> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (let number = 0; number < PAGES; number++) {
		const page = document.addPage([595, 842]);
		const name = page.node.newFontDictionary('F', font.ref).asString();
		const content: string[] = ['BT', `${name} 9 Tf`];
		for (let line = 0; line < CHARACTERS / 100; line++) {
			const text = `${number}.${line} ${'The parties agree that work is paid for. '.repeat(3)}`;
			content.push(`1 0 0 1 40 ${800 - 25 * line} Tm`);
			const signs = text.slice(0, 100);
			if (byGlyphs) for (const sign of signs) content.push(`(${sign}) Tj 5.013 0 Td`);
			else content.push(`(${signs}) Tj`);
		}
		content.push('ET');
		const stream = document.context.flateStream(content.join('\n'));
		page.node.addContentStream(document.context.register(stream));
	}
	const picture = new Uint8Array(ballast / 10).map((_, at) => (at * 7919) % 251);
	for (let part = 0; ballast > 0 && part < 10; part++)
		document.context.register(document.context.stream(picture));
	return Buffer.from(await document.save());
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
