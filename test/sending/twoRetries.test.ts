import type { N8n } from '../support/n8nCore/n8n';
import { TYPE } from '../actions/support/workbench';
import { firstIsRefused } from './support/firstIsRefused';
import { REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { LossyService } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { passTimeSlowly, turns } from './support/patience';

const service = LossyService.ofThisFile();
passTimeSlowly(service);

it('Two workers that retry the same execution at the same moment send one contract', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	const failed = await service.n8n.runNode(TYPE, options);
	const workers = [await otherWorker(service), service.n8n];
	// Each reads n8n's memory before the other has written to it.
	service.memories.pause = async () => await turns(300);
	const runs = await Promise.all(
		workers.map(async (worker) => await worker.retryNode(TYPE, failed, options)),
	);
	const [made, ...others] = await service.documents();
	expect(others).toEqual([]);
	for (const { items } of runs) {
		expect(items.map(({ json: { id, status } }) => [id, status])).toEqual([
			[made?.id, 'in_progress'],
		]);
	}
});

it('What a retry begins anew while another one comes, after a third was refused, is sent once', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	const failed = await service.n8n.runNode(TYPE, options);
	const [worker, ...others] = [
		await otherWorker(service),
		await otherWorker(service),
		await otherWorker(service),
	] as const;
	await firstIsRefused(
		service,
		async () => await worker.retryNode(TYPE, failed, options),
		others.map((other) => async () => await other.retryNode(TYPE, failed, options)),
	);
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});

it('What a retry sends of the draft of another one, which was refused, is sent once', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 2 });
	service.lose('POST', SEND, REFUSED);
	const failed = await service.n8n.runNode(TYPE, options);
	const workers = [await otherWorker(service), await otherWorker(service), service.n8n];
	const retry = async (worker: N8n) => await worker.retryNode(TYPE, failed, options);
	const runs = await Promise.all(workers.map(retry));
	expect(runs.filter(({ error }) => error)).toHaveLength(2);
	await retry(await otherWorker(service));
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});
