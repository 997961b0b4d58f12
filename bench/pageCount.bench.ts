import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { HOSTILE, type Hostile } from '../harness/hostilePdfs';
import { median } from '../harness/statistics';
import type { pageCount as PageCount } from '../nodes/ESign/actions/document/fields/pageCount';
import { inChild } from './measure/child';
import { collectGarbage, traceMemory } from './measure/memory';
import { OURS, type Bench } from './report/figure';

const PDF_LIB = 'pdf-lib';

const MB = 1024 * 1024;

/** What a small file may cost besides: V8 compiles the code for what it finds, once for each process. */
const FLOOR_MS = 10;

const TIME_FLAGS = ['--expose-gc'];

/** A young generation of three megabytes at most: then what is found is what is kept, and not what V8 has not collected yet. */
const MEMORY_FLAGS = [...TIME_FLAGS, '--max-semi-space-size=1'];

const BUILT = join(__dirname, '../dist/nodes/ESign/actions/document/fields/pageCount/index.js');

interface Reading {
	kind: Hostile | 'contract';
	bytes: number;
	of: 'time' | 'memory';
}

/** What a reading costs: CPU time, because the machine does other things too, and memory above what the file takes. */
interface Cost {
	ms: number;
	msPerMb: number;
	libraryMsPerMb?: number;
	extra: number;
}

/** Counting the pages of contracts and of files that were made to harm. */
export const run: Bench = async ({ quick }) => {
	const kinds = Object.keys(HOSTILE) as Hostile[];
	const sizes = quick ? [MB] : [0.1 * MB, MB, 25 * MB];
	const contract = await inChild<Reading, Cost>(
		__filename,
		'read',
		{ kind: 'contract', bytes: MB, of: 'time' },
		TIME_FLAGS,
	);
	const figures = [
		{
			name: 'Time for a contract of 500 pages',
			unit: 'ms CPU per MB',
			values: { [OURS]: contract.msPerMb, [PDF_LIB]: contract.libraryMsPerMb ?? NaN },
			meaning: 'the CPU time of counting the pages; pdf-lib loads the whole document to say it.',
		},
	];
	const worst: Array<{ size: number; time: Cost & { kind: string }; memory: Cost & { kind: string } }> = [];
	for (const size of sizes) {
		const costs: Array<Cost & { kind: string }> = [];
		for (const kind of kinds) {
			const time = await inChild<Reading, Cost>(__filename, 'read', { kind, bytes: size, of: 'time' }, TIME_FLAGS);
			const memory = await inChild<Reading, Cost>(
				__filename,
				'read',
				{ kind, bytes: size, of: 'memory' },
				MEMORY_FLAGS,
			);
			costs.push({ kind, ...time, extra: memory.extra });
		}
		const most = (by: 'ms' | 'extra') => costs.reduce((one, other) => (other[by] > one[by] ? other : one));
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
						`more than three megabytes of garbage.`,
				},
			]),
		],
	};
};

/** In a process of its own: warms the reader up, then reads one file. */
export async function read({ kind, bytes: size, of }: Reading): Promise<Cost> {
	const { pageCount } = createRequire(__filename)(BUILT) as { pageCount: typeof PageCount };
	for (const useObjectStreams of [true, false]) {
		const small = await contractOf(100, useObjectStreams);
		for (let repeat = 0; repeat < 40; repeat++) await pageCount(small);
	}
	const bytes = kind === 'contract' ? await contractOf(500, true) : filled(HOSTILE[kind](size), size);
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
		if (kind === 'contract') libraryMs.push(await cpuMs(async () => (await PDFDocument.load(bytes)).getPageCount()));
	}
	return {
		ms: median(ms),
		msPerMb: median(ms) / mb,
		...(kind === 'contract' && { libraryMsPerMb: median(libraryMs) / mb }),
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
		const text = Array.from({ length: 40 }, (_, line) => `${page}.${line} ${Math.sin(page * 40 + line)}`).join('\n');
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
