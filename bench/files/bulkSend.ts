import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inChild } from '../measure/child';
import { traceMemory } from '../measure/memory';
import { median } from '../../test/support/statistics';
import { documentChains } from '../jobs/documentsFromPdf';
import { HTTP_REQUEST, OURS, type Figure } from '../report/figure';
import { pdfOfSize } from '../setting/pdf';
import { withSandbox } from '../../test/support/sandboxProcess';
import { ServiceClient } from '../../test/support/serviceClient';
import { storedFile } from '../setting/storedFile';
import { withTemporaryFolder } from '../../test/support/temporaryFolder';
import { contract } from '../setting/template';
import { succeeded, Workbench } from '../setting/workbench';

const FILE_BYTES = 5 * 1024 * 1024;

interface Batch {
	url: string;
	key: string;
	side: string;
	path: string;
	count: number;
}

interface Memory {
	/** Peak above what the process held before, in bytes. */
	extra: number;
	/** Memory in the last quarter of the time over memory in the second. */
	growth: number;
	ms: number;
}

/**
 * One execution that sends many documents, each from a 5 MB file of its own, with n8n's binary data
 * on disk.
 */
export async function bulkSend(count: number): Promise<Figure[]> {
	const memory: Record<string, Memory> = {};
	await withTemporaryFolder(async (folder) => {
		const path = join(folder, 'contract.pdf');
		await writeFile(path, await pdfOfSize(FILE_BYTES, 'Contract'));
		for (const side of [OURS, HTTP_REQUEST]) {
			memory[side] = await withSandbox({ rateLimit: 0 }, async ({ url, key }) => {
				return await inChild<Batch, Memory>(
					__filename,
					'sendAll',
					{ url, key, side, path, count },
					['--expose-gc'],
				);
			});
		}
	});
	const values = (read: (memory: Memory) => number) =>
		Object.fromEntries(Object.entries(memory).map(([side, trace]) => [side, read(trace)]));
	return [
		{
			name: `Bulk send of ${count}: growth of memory`,
			unit: 'x',
			values: values(({ growth }) => growth),
			target: { atMost: 1.1 },
			meaning:
				'memory in the last quarter of the run over that in the second: 1 is flat, 2 would have doubled.',
		},
		{
			name: 'Bulk send: peak memory',
			unit: 'x file size',
			values: values(({ extra }) => extra / FILE_BYTES),
			meaning:
				"how far n8n's process rose above what it held before, in sizes of one file: what does not depend on the number " +
				'of items is a fixed cost, what comes near it keeps every file.',
		},
		{
			name: 'Bulk send: time per document',
			unit: 'ms',
			values: values(({ ms }) => ms / count),
			meaning:
				'upload, create, fields and send; most of it is the sandbox merging PDFs, with no rate limit in force.',
		},
	];
}

/**
 * In a process of its own. Every item has the same stored bytes under another name, so that none is
 * an upload again.
 */
export async function sendAll({ url, key, side, path, count }: Batch): Promise<Memory> {
	const service = new ServiceClient(url, key);
	const bench = await Workbench.over(service);
	const { ours, theirs } = documentChains(service);
	const chain = side === OURS ? ours : theirs;
	const file = await storedFile(path, 'contract.pdf', 'application/pdf');
	const items = Array.from({ length: count }, (_, index) => ({
		json: contract(index),
		binary: { data: { ...file, fileName: `contract-${index}.pdf` } },
	}));
	succeeded(
		await bench.run(chain, [
			{ json: contract(count), binary: { data: { ...file, fileName: 'first.pdf' } } },
		]),
	);
	let ms = 0;
	const { before, peak, samples } = await traceMemory(async () => {
		({ ms } = succeeded(await bench.run(chain, items)));
	}, 10);
	const quarter = (index: number) =>
		median(samples.slice((samples.length * index) / 4, (samples.length * (index + 1)) / 4));
	return { extra: peak - before, growth: quarter(3) / quarter(1), ms };
}
