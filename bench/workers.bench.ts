import { withSandbox } from '../test/support/sandboxProcess';
import { ServiceClient } from '../test/support/serviceClient';
import { median } from '../test/support/statistics';
import { inChild } from './measure/child';
import { OURS, type Bench } from './report/figure';
import { contract, eSignTemplateSend, signerTemplate, type Template } from './setting/template';
import { jsonItems, Workbench } from './setting/workbench';

const WORKERS = 3;
const COUNT = 60;
const LIMIT = 10;
const WINDOW_SECONDS = 6;

type Share = { url: string; key: string; template: Template; count: number };

/**
 * 60 template sends, spread over three workers that share one key and know nothing of each other,
 * against a limit of 10 requests per 6 seconds: the service's 10 a minute, ten times as fast.
 */
export const run: Bench = async ({ quick }) => {
	const rounds = quick ? 1 : 3;
	const idealMs = (COUNT / LIMIT - 1) * WINDOW_SECONDS * 1000;
	const shares: number[] = [];
	const refused: number[] = [];
	const failed: number[] = [];
	const documents: number[] = [];
	await withSandbox({ rateLimit: LIMIT, windowSeconds: WINDOW_SECONDS }, async (service) => {
		for (let round = 0; round < rounds; round++) {
			await service.control.reset();
			const template = await signerTemplate(service);
			const { url, key } = await service.withFreshKey();
			const already = (await service.control.requests()).length;
			const share: Share = { url, key, template, count: COUNT / WORKERS };
			const made = await Promise.all(
				Array.from(
					{ length: WORKERS },
					async () => await inChild<Share, number>(__filename, 'sendShare', share),
				),
			);
			const requests = (await service.control.requests()).slice(already);
			const sent = requests.filter(
				({ path, status }) => path.endsWith('/send') && (status ?? 500) < 300,
			);
			const [first, last] = [requests[0], requests.at(-1)].map((request) =>
				Date.parse(request?.at ?? ''),
			);
			shares.push(idealMs / ((last ?? 0) - (first ?? 0)));
			refused.push(requests.filter(({ status }) => status === 429).length);
			failed.push(COUNT - made.reduce((sum, count) => sum + count, 0));
			documents.push(sent.length);
		}
	});
	return {
		title: `Workers: ${COUNT} template sends by ${WORKERS} processes with one key, ${LIMIT} requests per ${WINDOW_SECONDS} s`,
		sides: [OURS],
		figures: [
			{
				name: 'Share of the ideal pace',
				unit: 'x',
				values: { [OURS]: median(shares) },
				target: { atLeast: 0.9 },
				meaning: `the ideal time, ${idealMs / 1000} s, over the time from the first request to the last. 1 is perfect.`,
			},
			{
				name: 'Refusals (429)',
				unit: 'requests',
				values: { [OURS]: median(refused) },
				meaning:
					'requests that came when the others had spent the limit; no worker can know before.',
			},
			{
				name: 'Failed items',
				unit: 'items',
				values: { [OURS]: Math.max(...failed) },
				target: { atMost: 0 },
				meaning: 'of all rounds: input items that no document came of.',
			},
			{
				name: 'Documents sent',
				unit: 'documents',
				values: { [OURS]: Math.max(...documents) },
				target: { atMost: COUNT },
				meaning: `of all rounds: ${COUNT} are wanted; any more went out twice.`,
			},
		],
	};
};

/** What one worker does. @returns how many documents came out */
export async function sendShare({ url, key, template, count }: Share): Promise<number> {
	const bench = await Workbench.over(new ServiceClient(url, key));
	const { items } = await bench.run([eSignTemplateSend(template)], jsonItems(count, contract));
	return items.filter(({ json }) => typeof json.id === 'string').length;
}
