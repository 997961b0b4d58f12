import { HTTP_REQUEST, OURS, type Bench, type Figure } from './report/figure';
import { median } from '../test/support/statistics';
import { batching } from './setting/httpRequest';
import { withSandbox } from '../test/support/sandboxProcess';
import type { ServiceClient } from '../test/support/serviceClient';
import { contract, eSignTemplateSend, httpTemplateSend, signerTemplate } from './setting/template';
import { jsonItems, Workbench, type ChainNode } from './setting/workbench';

const LIMIT = 10;
const WINDOW_SECONDS = 3;

const SIDES = [OURS, `${HTTP_REQUEST}, Batching`, `${HTTP_REQUEST}, Retry On Fail`] as const;

interface Outcome {
	ms: number;
	refused: number;
	failedItems: number;
	documents: number;
}

/**
 * 60 template sends against a limit of 10 requests per 3 seconds: the service's 10 a minute, twenty
 * times as fast.
 */
export const run: Bench = async ({ quick }) => {
	const count = quick ? 30 : 60;
	const outcomes = new Map<string, Outcome[]>(SIDES.map((side) => [side, []]));

	await withSandbox({ rateLimit: LIMIT, windowSeconds: WINDOW_SECONDS }, async (service) => {
		const bench = await Workbench.over(service);
		// n8n itself loads much of what it needs with the first request that a process sends.
		for (const side of SIDES) await sendAll(service, bench, side, 1);
		for (let repeat = 0; repeat < (quick ? 1 : 3); repeat++) {
			for (const side of SIDES)
				outcomes.get(side)?.push(await sendAll(service, bench, side, count));
		}
	});

	const idealMs = (Math.ceil(count / LIMIT) - 1) * WINDOW_SECONDS * 1000;
	const middle = (read: (outcome: Outcome) => number): Record<string, number> =>
		Object.fromEntries([...outcomes].map(([side, all]) => [side, median(all.map(read))]));
	return {
		title: `Pacing: ${count} template sends at ${LIMIT} requests per ${WINDOW_SECONDS} s`,
		sides: [...SIDES],
		figures: figures(count, idealMs, middle),
	};
};

function figures(
	count: number,
	idealMs: number,
	middle: (read: (outcome: Outcome) => number) => Record<string, number>,
): Figure[] {
	const windows = idealMs / WINDOW_SECONDS / 1000;
	return [
		{
			name: 'Share of the ideal pace',
			unit: 'x',
			values: middle(({ ms, documents }) => (documents < count ? 0 : idealMs / ms)),
			target: { atLeast: 0.97 },
			meaning:
				`the ideal time over the time taken. The ideal is ${idealMs / 1000} s: ${count} sends need ${windows + 1} windows, ` +
				`so ${windows} whole windows pass before the last sends may start. 1 is perfect; 0 where not everything was sent.`,
		},
		{
			name: 'Time taken',
			unit: 's',
			values: middle(({ ms }) => ms / 1000),
			meaning: 'from the start of the execution to its end, successful or not.',
		},
		{
			name: 'Refusals (429)',
			unit: 'requests',
			values: middle(({ refused }) => refused),
			target: { atMost: 0 },
			meaning:
				'requests that the service refused for coming too fast; each is spent for nothing. 0 is the aim.',
		},
		{
			name: 'Failed items',
			unit: 'items',
			values: middle(({ failedItems }) => failedItems),
			target: { atMost: 0 },
			meaning:
				'input items that the node handed no document on for; one error in n8n stops the node for all its items.',
		},
		{
			name: 'Documents sent',
			unit: 'documents',
			values: middle(({ documents }) => documents),
			target: { atMost: count },
			meaning:
				`${count} are wanted; any more went out twice. Retry On Fail runs the node again for all items, at most 5 times ` +
				'and 5 s apart (set so here), and sends the first ones anew each time.',
		},
	];
}

async function sendAll(
	service: ServiceClient,
	bench: Workbench,
	side: (typeof SIDES)[number],
	count: number,
): Promise<Outcome> {
	await service.control.reset();
	const template = await signerTemplate(service);
	const fresh = await service.withFreshKey();
	bench.useKey(fresh);
	const already = (await service.control.requests()).length;
	const { items, ms } = await bench.run(
		[sideNode(service, side, template)],
		jsonItems(count, contract),
	);
	const requests = (await service.control.requests()).slice(already);
	return {
		ms,
		refused: requests.filter(({ status }) => status === 429).length,
		failedItems: count - items.filter(({ json }) => typeof json.id === 'string').length,
		documents: requests.filter(
			({ path, status }) => path.endsWith('/send') && status !== null && status < 300,
		).length,
	};
}

function sideNode(
	service: ServiceClient,
	side: (typeof SIDES)[number],
	template: Awaited<ReturnType<typeof signerTemplate>>,
): ChainNode {
	switch (side) {
		case SIDES[0]:
			return eSignTemplateSend(template);
		case SIDES[1]:
			return httpTemplateSend(service, template, batching(LIMIT, WINDOW_SECONDS * 1000));
		case SIDES[2]:
			return {
				...httpTemplateSend(service, template),
				retryOnFail: true,
				maxTries: 5,
				waitBetweenTries: 5000,
			};
	}
}
