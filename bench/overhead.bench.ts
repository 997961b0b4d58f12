import { median } from '../test/support/statistics';
import { HTTP_REQUEST, OURS, type Bench } from './report/figure';
import { byId, eSign } from './setting/eSign';
import { httpRequest } from './setting/httpRequest';
import { withSandbox } from '../test/support/sandboxProcess';
import { forEachOf } from '../test/support/serviceClient';
import { sendTemplate, signerTemplate } from './setting/template';
import { jsonItems, succeeded, Workbench, type ChainRun } from './setting/workbench';

const DOCUMENTS = 20;

/** 1,000 `document.get` items with no rate limit in force: what the node itself costs. */
export const run: Bench = async ({ quick }) => {
	const count = quick ? 200 : 1000;
	const repeats = quick ? 2 : 7;
	const ours: ChainRun[] = [];
	const theirs: ChainRun[] = [];

	await withSandbox({ rateLimit: 0 }, async (service) => {
		const template = await signerTemplate(service);
		const documents = await forEachOf(
			DOCUMENTS,
			4,
			async (index) => await sendTemplate(service, template, `Get ${index}`),
		);
		const items = jsonItems(count, (index) => ({ documentId: documents[index % DOCUMENTS]?.id }));
		const bench = await Workbench.over(service);
		const get = eSign('document', 'get', { documentId: byId('={{ $json.documentId }}') });
		const url = `=${service.url}/documents/{{ $json.documentId }}`;
		const request = httpRequest('Get document', { method: 'GET', url });
		// The first repeat warms both sides up and is thrown away.
		for (let repeat = 0; repeat <= repeats; repeat++) {
			ours[repeat] = succeeded(await bench.run([get], items));
			theirs[repeat] = succeeded(await bench.run([request], items));
		}
	});

	const perItem = (runs: ChainRun[], read: (run: ChainRun) => number) =>
		median(runs.slice(1).map((run) => read(run) / count));
	const wall = {
		[OURS]: perItem(ours, ({ ms }) => ms),
		[HTTP_REQUEST]: perItem(theirs, ({ ms }) => ms),
	};
	const cpu = {
		[OURS]: perItem(ours, ({ cpuMs }) => cpuMs),
		[HTTP_REQUEST]: perItem(theirs, ({ cpuMs }) => cpuMs),
	};
	const ratio = (values: Record<string, number>) =>
		(values[OURS] ?? 0) / (values[HTTP_REQUEST] ?? 1);
	return {
		title: `Overhead: ${count.toLocaleString('en')} document.get items, no rate limit in force`,
		sides: [OURS, HTTP_REQUEST],
		figures: [
			{
				name: 'Time per item',
				unit: 'ms',
				values: wall,
				meaning:
					'wall-clock time of the execution over its items; the sandbox that answers runs in another process.',
			},
			{
				name: 'Time per item over HTTP Request',
				unit: 'x',
				values: { [OURS]: ratio(wall), [HTTP_REQUEST]: 1 },
				target: { atMost: 1 },
				meaning:
					'below 1 our node is the faster one. The HTTP Request node sends all items at once, ours ten, ' +
					'which is what the service lets through in a minute.',
			},
			{
				name: 'CPU time per item',
				unit: 'ms',
				values: cpu,
				meaning:
					"time n8n's own process was busy for an item: what is left of the time for everything else n8n does.",
			},
			{
				name: 'CPU time per item over HTTP Request',
				unit: 'x',
				values: { [OURS]: ratio(cpu), [HTTP_REQUEST]: 1 },
				target: { atMost: 1 },
				meaning:
					'below 1 our node costs n8n less; this is the overhead without the waiting for the service.',
			},
		],
	};
};
