import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bulkSend } from './files/bulkSend';
import { inChild } from './measure/child';
import { collectYoung, traceMemory } from './measure/memory';
import { median } from '../test/support/statistics';
import { HTTP_REQUEST, OURS, type Bench, type Figure } from './report/figure';
import { byId, eSign } from './setting/eSign';
import { httpRequest } from './setting/httpRequest';
import { pdfOfSize } from './setting/pdf';
import { withSandbox } from '../test/support/sandboxProcess';
import { ServiceClient } from '../test/support/serviceClient';
import { storedFile } from './setting/storedFile';
import { withTemporaryFolder } from '../test/support/temporaryFolder';
import { succeeded, Workbench, type ChainNode } from './setting/workbench';

/** Just under the service's ceiling of 25 MB, with room for what a PDF needs around the data. */
const LARGE = 25 * 1024 * 1024 - 64 * 1024;
/**
 * Otherwise chance decides whether what was read and passed on is counted: V8 may collect all of a
 * file, or nothing.
 */
const COLLECT_EVERY_MS = 10;
/** What both sides are warmed up with. */
const SMALL = 10_000;

type Direction = 'upload' | 'download';

interface Transfer {
	url: string;
	key: string;
	direction: Direction;
	side: string;
	/** Local files and documents made of them. */
	small: Source;
	large: Source;
}

interface Source {
	path: string;
	documentId: string;
}

interface Cost {
	ms: number;
	/** Peak of the memory above what the process held before, in bytes. */
	extra: number;
}

/**
 * 25 MB up and down, each time in a fresh process, with n8n's binary data on disk; and one execution
 * that sends many documents.
 */
export const run: Bench = async ({ quick }) => {
	const figures: Figure[] = [];
	await withSandbox({ rateLimit: 0 }, async (service) => {
		await withTemporaryFolder(async (folder) => {
			const small = await makeSource(service, join(folder, 'small.pdf'), SMALL);
			const large = await makeSource(service, join(folder, 'large.pdf'), LARGE);
			for (const direction of ['upload', 'download'] as const) {
				const costs: Record<string, Cost[]> = { [OURS]: [], [HTTP_REQUEST]: [] };
				for (let repeat = 0; repeat < (quick ? 1 : 5); repeat++) {
					for (const side of Object.keys(costs)) {
						const transfer: Transfer = {
							url: service.url,
							key: service.key,
							direction,
							side,
							small,
							large,
						};
						costs[side]?.push(
							await inChild<Transfer, Cost>(__filename, 'transfer', transfer, ['--expose-gc']),
						);
					}
				}
				figures.push(...figuresOf(direction, costs));
			}
		});
	});
	figures.push(...(await bulkSend(quick ? 20 : 100)));
	const title = 'Files: 25 MB up and down, and 100 documents from 5 MB files in one execution';
	return { title, sides: [OURS, HTTP_REQUEST], figures };
};

function figuresOf(direction: Direction, costs: Record<string, Cost[]>): Figure[] {
	const values = (read: (cost: Cost) => number) =>
		Object.fromEntries(Object.entries(costs).map(([side, all]) => [side, median(all.map(read))]));
	return [
		{
			name: `Peak memory of a 25 MB ${direction}`,
			unit: 'x file size',
			values: values(({ extra }) => extra / LARGE),
			// The file, with its envelope around it; a download is a stream.
			target: { atMost: direction === 'upload' ? 1.05 : 0.3 },
			meaning:
				`how far the memory of n8n's process rose above what it held just before the ${direction}, in file sizes, while ` +
				`young garbage is collected every ${COLLECT_EVERY_MS} ms; 0 would be a stream that never holds the file, 1 holds it once.`,
		},
		{
			name: `Time of a 25 MB ${direction}`,
			unit: 'ms',
			values: values(({ ms }) => ms),
			meaning:
				'the whole execution, the time the sandbox takes to read or serve the file included.',
		},
	];
}

async function makeSource(service: ServiceClient, path: string, bytes: number): Promise<Source> {
	const pdf = await pdfOfSize(bytes, path);
	await writeFile(path, pdf);
	const { id } = await service.upload(pdf, 'source.pdf');
	const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
	const document = await service.api<{ id: string }>('POST', '/documents', {
		files: [id],
		recipients,
	});
	return { path, documentId: document.id };
}

/**
 * In a process of its own: warms the side up with a small file, then measures the large one: its
 * time, and another time its memory.
 */
export async function transfer({
	url,
	key,
	direction,
	side,
	small,
	large,
}: Transfer): Promise<Cost> {
	const bench = await Workbench.over(new ServiceClient(url, key));
	const chain = side === OURS ? ourChain(direction) : theirChain(direction, url);
	const once = async ({ path, documentId }: Source, name: string) => {
		const data = await storedFile(path, name, 'application/pdf');
		return async () =>
			succeeded(await bench.run(chain, [{ json: { documentId }, binary: { data } }]));
	};
	await (
		await once(small, 'small.pdf')
	)();
	const work = await once(large, 'large.pdf');
	const { ms } = await work();
	const again = await once(large, 'large again.pdf');
	const collecting = setInterval(collectYoung, COLLECT_EVERY_MS);
	const { before, peak } = await traceMemory(async () => void (await again()));
	clearInterval(collecting);
	return { ms, extra: peak - before };
}

function ourChain(direction: Direction): ChainNode[] {
	if (direction === 'upload') return [eSign('file', 'upload', { binaryPropertyName: 'data' })];
	return [
		eSign('document', 'download', {
			documentId: byId('={{ $json.documentId }}'),
			variants: ['original'],
		}),
	];
}

function theirChain(direction: Direction, url: string): ChainNode[] {
	if (direction === 'upload')
		return [httpRequest('Upload', { method: 'POST', url: `${url}/files`, binaryField: 'data' })];
	return [
		httpRequest('Address', {
			method: 'GET',
			url: `=${url}/documents/{{ $json.documentId }}/files/original`,
		}),
		httpRequest('Download', {
			method: 'GET',
			url: '={{ $json.url }}',
			withoutKey: true,
			options: { response: { response: { responseFormat: 'file' } } },
		}),
	];
}
