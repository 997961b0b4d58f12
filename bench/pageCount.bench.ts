import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PDFDocument } from 'pdf-lib';
import { HOSTILE, type Hostile } from '../test/support/hostilePdfs';
import { median } from '../test/support/statistics';
import { withTemporaryFolder } from '../test/support/temporaryFolder';
import type { pageCount as PageCount } from '../nodes/ESign/pdf';
import { inChild } from './measure/child';
import { collectGarbage, traceMemory } from './measure/memory';
import { OURS, type Bench, type BenchResult } from './report/figure';

const PDF_LIB = 'pdf-lib';

const MB = 1024 * 1024;

/**
 * What a small file may cost besides: V8 compiles the code for what it finds, once for each
 * process.
 */
const FLOOR_MS = 10;

const FLAGS = ['--expose-gc'];

/**
 * A young generation of three megabytes at most: then what is found is what is kept, and not what
 * V8 has not collected yet.
 */
const MEMORY_FLAGS = [...FLAGS, '--max-semi-space-size=1'];

/**
 * glibc hands back at once what is freed. Otherwise what was freed before the reading stays with
 * the process, and the reading takes from there what nobody sees. Other systems do not know these
 * names.
 */
const MEMORY_VARIABLES = { MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536' };

const READER = join(__dirname, '../nodes/ESign/pdf/index.ts');

/**
 * Files, which another process has made: whoever makes one has garbage, in which a reading would
 * find room.
 */
interface Reading {
	/**
	 * The reader of the page count, compiled by itself: the package has it among other things in one
	 * file.
	 */
	reader: string;
	path: string;
	warmUp: string[];
	of: 'time' | 'memory';
	withLibrary: boolean;
}

/**
 * What a reading costs: CPU time, because the machine does other things too, and memory above what
 * the file takes.
 */
interface Cost {
	ms: number;
	msPerMb: number;
	libraryMsPerMb?: number;
	extra: number;
}

type Worst = Cost & { kind: string };

/** Counting the pages of contracts and of files that were made to harm. */
export const run: Bench = async ({ quick }) =>
	await withTemporaryFolder(async (folder) => await measure(folder, quick));

async function measure(folder: string, quick: boolean): Promise<BenchResult> {
	const kinds = Object.keys(HOSTILE) as Hostile[];
	const sizes = quick ? [MB] : [0.1 * MB, MB, 25 * MB];
	const written = async (name: string, bytes: Buffer) => {
		const path = join(folder, name);
		await writeFile(path, bytes);
		return path;
	};
	const warmUp = [
		await written('packed.pdf', await contractOf(100, true)),
		await written('plain.pdf', await contractOf(100, false)),
	];
	const reader = join(folder, 'reader.js');
	await build({ entryPoints: [READER], outfile: reader, bundle: true, platform: 'node' });
	const timeOf = async (path: string, withLibrary: boolean) =>
		await inChild<Reading, Cost>(
			__filename,
			'read',
			{ reader, path, warmUp, of: 'time', withLibrary },
			FLAGS,
		);
	const memoryOf = async (path: string) => {
		const reading: Reading = { reader, path, warmUp, of: 'memory', withLibrary: false };
		return await inChild<Reading, Cost>(
			__filename,
			'read',
			reading,
			MEMORY_FLAGS,
			MEMORY_VARIABLES,
		);
	};
	const contract = await timeOf(await written('contract.pdf', await contractOf(500, true)), true);
	const figures = [
		{
			name: 'Time for a contract of 500 pages',
			unit: 'ms CPU per MB',
			values: { [OURS]: contract.msPerMb, [PDF_LIB]: contract.libraryMsPerMb ?? NaN },
			meaning: 'the CPU time of counting the pages; pdf-lib loads the whole document to say it.',
		},
	];
	const worst: Array<{ size: number; time: Worst; memory: Worst }> = [];
	for (const size of sizes) {
		const costs: Worst[] = [];
		for (const kind of kinds) {
			const path = await written('hostile.pdf', filled(HOSTILE[kind](size), size));
			const time = await timeOf(path, false);
			costs.push({ kind, ...time, extra: (await memoryOf(path)).extra });
		}
		const most = (by: 'ms' | 'extra') =>
			costs.reduce((one, other) => (other[by] > one[by] ? other : one));
		worst.push({ size, time: most('ms'), memory: most('extra') });
	}
	return {
		title: 'Page count: files that were made to harm',
		sides: [OURS, PDF_LIB],
		figures: [
			...figures,
			...worst.flatMap(({ size, time, memory }) => [
				{
					name: `Longest time on a hostile file of ${(size / MB).toFixed(1)} MB`,
					unit: 'ms CPU',
					values: { [OURS]: time.ms },
					target: { atMost: 100 * (size / MB) + (size < MB ? FLOOR_MS : 0) },
					meaning:
						`of ${kinds.length} kinds of hostile files; here ${time.kind}. 100 ms for each megabyte, and for a file below one ` +
						`${FLOOR_MS} ms more: what is packed in a few kilobytes may take as long as a tenth of a megabyte.`,
				},
				{
					name: `Most memory for a hostile file of ${(size / MB).toFixed(1)} MB`,
					unit: 'x file size',
					values: { [OURS]: memory.extra },
					...(size >= 10 * MB && { target: { atMost: 1 } }),
					meaning:
						`how far the memory of the process rose above what it held with the file in it, in file sizes: 1 is the file twice in all; here ` +
						`${memory.kind}. Any file may unpack two megabytes of its structure, so small ones have no limit here. V8 is told to keep no ` +
						`more than three megabytes of garbage, and glibc to keep nothing that is freed.`,
				},
			]),
		],
	};
}

/** In a process of its own: warms the reader up, then reads one file. */
export async function read({ reader, path, warmUp, of, withLibrary }: Reading): Promise<Cost> {
	const { pageCount } = createRequire(__filename)(reader) as { pageCount: typeof PageCount };
	for (const small of warmUp) {
		const bytes = await readFile(small);
		for (let repeat = 0; repeat < 40; repeat++) await pageCount(bytes);
	}
	const bytes = await readFile(path);
	collectGarbage();
	if (of === 'memory') {
		const { before, peak } = await traceMemory(async () => void (await pageCount(bytes)));
		return { ms: NaN, msPerMb: NaN, extra: (peak - before) / bytes.length };
	}
	const mb = bytes.length / MB;
	const ms: number[] = [];
	const libraryMs: number[] = [];
	// Small files are read until the code for them is compiled.
	for (let repeat = 0; repeat < 10 / mb && repeat < 20; repeat++) await pageCount(bytes);
	for (let repeat = 0; repeat < 5; repeat++) {
		ms.push(await cpuMs(async () => await pageCount(bytes)));
		if (withLibrary)
			libraryMs.push(await cpuMs(async () => (await PDFDocument.load(bytes)).getPageCount()));
	}
	return {
		ms: median(ms),
		msPerMb: median(ms) / mb,
		...(withLibrary && { libraryMsPerMb: median(libraryMs) / mb }),
		extra: NaN,
	};
}

/** What is packed is small: blank lines behind it make it a file of this size. */
function filled(bytes: Buffer, size: number): Buffer {
	return Buffer.concat([bytes, Buffer.alloc(Math.max(0, Math.floor(size) - bytes.length), '\n')]);
}

async function contractOf(pages: number, useObjectStreams: boolean): Promise<Buffer> {
	const document = await PDFDocument.create();
	for (let page = 0; page < pages; page++) {
		const text = Array.from(
			{ length: 40 },
			(_, line) => `${page}.${line} ${Math.sin(page * 40 + line)}`,
		).join('\n');
		document.addPage([595, 842]).drawText(text, { size: 9 });
	}
	return Buffer.from(await document.save({ useObjectStreams }));
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
