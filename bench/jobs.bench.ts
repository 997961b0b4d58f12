import { documentsFromPdf } from './jobs/documentsFromPdf';
import { downloads } from './jobs/downloads';
import type { Job } from './jobs/job';
import { listing } from './jobs/listing';
import { replays } from './jobs/replays';
import { templateSends } from './jobs/templateSends';
import { HTTP_REQUEST, OURS, type Bench, type BenchResult, type Figure } from './report/figure';
import { withSandbox } from '../test/support/sandboxProcess';
import type { ServiceClient } from '../test/support/serviceClient';
import { succeeded, Workbench } from './setting/workbench';

const JOBS = [documentsFromPdf, templateSends, listing, downloads, replays];

/**
 * API requests for five jobs over the fewest possible; counts do not vary, so that one run of each
 * is enough.
 */
export const run: Bench = async () => {
	const figures: Figure[] = [];
	await withSandbox({ rateLimit: 0 }, async (service) => {
		const bench = await Workbench.over(service);
		for (const job of JOBS) {
			const ours = await requestsOf(service, bench, job, 'ours');
			const theirs = await requestsOf(service, bench, job, 'theirs');
			figures.push(figureOf(job, ours, theirs));
		}
	});
	const result: BenchResult = { title: 'Requests per job', sides: [OURS, HTTP_REQUEST], figures };
	return result;
};

function figureOf(job: Job, ours: number, theirs: number): Figure {
	return {
		name: job.name,
		unit: `requests, minimum ${job.minimum}`,
		values: { [OURS]: ours, [HTTP_REQUEST]: theirs },
		target: { atMost: job.minimum },
		meaning:
			`${(ours / job.minimum).toFixed(2)} times the minimum for our node, ${(theirs / job.minimum).toFixed(2)} times for a chain ` +
			`of HTTP Request nodes; at ten a minute every six requests too many cost 36 s. The minimum is ${job.minimum}: ${job.because}.`,
	};
}

/** @throws Error if the job is not done afterwards */
async function requestsOf(
	service: ServiceClient,
	bench: Workbench,
	job: Job,
	side: 'ours' | 'theirs',
): Promise<number> {
	await service.control.reset();
	const task = await job.prepare(service);
	try {
		const before = (await service.control.requests()).length;
		const { items } = succeeded(await bench.run(task[side], task.items));
		if (items.length !== task.outputs[side]) {
			throw new Error(
				`${job.name}, ${side}: ${items.length} items came out, not ${task.outputs[side]}`,
			);
		}
		return (await service.control.requests()).length - before;
	} finally {
		await task.close?.();
	}
}
