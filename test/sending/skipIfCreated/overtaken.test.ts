import { createAndSend, TYPE } from '../../actions/support/workbench';
import type { NodeRun } from '../../support/n8nCore/n8n';
import { atOnce } from '../support/atOnce';
import { SEND, TEMPLATE_SEND } from '../support/losses';
import { LossyService, numbered } from '../support/lossyService';
import { turns } from '../support/patience';
import { otherWorker } from '../support/otherProcess';

const service = LossyService.ofThisFile();

/** Longer than others wait for what may come of a request. */
const LONG_MS = 600_000;

const additionalFields = { title: 'T', skipIfCreatedWithin: 1 };

it.each([
	[
		'Template > Send',
		TEMPLATE_SEND,
		async () => await service.templateSend('T', { additionalFields }),
		['in_progress'],
	],
	[
		'Create and Send',
		SEND,
		async () => ({ ...createAndSend('T'), additionalFields: { skipIfCreatedWithin: 1 } }),
		['draft', 'in_progress'],
	],
])(
	'With Skip If Created, %s sends one contract, though the first worker waits so long for the rate limit that the second goes on',
	async (...how) => {
		const [, path, parametersOf, statuses] = how;
		const options = { workflowId: 'W', parameters: await parametersOf(), items: await numbered(1) };
		const worker = await otherWorker(service);
		service.lose('POST', path, { how: 429, afterMs: LONG_MS });
		let runs: NodeRun[] = [];
		await atOnce(service, async () => {
			let second: Promise<NodeRun> | undefined;
			service.clock.at(service.clock.now() + 5_000, async () => {
				second = service.n8n.runNode(TYPE, options);
				await turns(1);
			});
			const first = await worker.runNode(TYPE, options);
			runs = second ? [first, await second] : [];
		});
		const [first, second] = runs;
		expect(first?.error?.message).toMatch(/Another execution may have created the same/);
		expect(first?.error?.context).not.toHaveProperty('outcome');

		if (!first) throw new Error('Nothing was run');
		const [found] = (await worker.retryNode(TYPE, first, options)).items;
		expect(found?.json).toMatchObject({
			id: second?.items[0]?.json.id,
			already_existed: true,
		});
		await expect(service.statuses()).resolves.toEqual(statuses);
	},
);
