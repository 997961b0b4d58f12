import type { N8n, NodeRun, RunNodeOptions } from '../support/n8nCore/n8n';
import { createAndSend, TYPE } from '../actions/support/workbench';
import { atOnce } from './support/atOnce';
import { firstIsRefused } from './support/firstIsRefused';
import { LIMITED, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { LONG_MS, passTimeSlowly } from './support/patience';
import { whileLimited } from './support/whileLimited';

const service = LossyService.ofThisFile();
passTimeSlowly(service);

/** One contract is out, and all of them have it. */
async function expectOne(runs: Array<NodeRun | undefined>): Promise<void> {
	expect(runs.map((run) => run?.error)).toEqual(runs.map(() => undefined));
	const [made, ...others] = await service.documents();
	expect([made?.status, others]).toEqual(['in_progress', []]);
	for (const run of runs) expect(run?.items.map(({ json }) => json.id)).toEqual([made?.id]);
}

/** Two workers retry an execution at the same moment. */
async function twoRetry(
	failed: NodeRun,
	options: Omit<RunNodeOptions, 'items'>,
	how?: 'stopped',
): Promise<NodeRun[]> {
	const workers = [await otherWorker(service), await otherWorker(service)];
	let runs: NodeRun[] = [];
	await atOnce(service, async () => {
		const retry = async (one: N8n) => await one.retryNode(TYPE, failed, options, how);
		runs = await Promise.all(workers.map(retry));
	});
	return runs;
}

it('What a retry begins anew while another one comes, after a third was refused, is sent once', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	const failed = await service.n8n.runNode(TYPE, options);
	const [worker, ...others] = [
		await otherWorker(service),
		await otherWorker(service),
		await otherWorker(service),
	] as const;
	const runs: NodeRun[] = [];
	await atOnce(service, async () => {
		const ended = await firstIsRefused(
			service,
			async () => await worker.retryNode(TYPE, failed, options),
			others.map((other) => async () => await other.retryNode(TYPE, failed, options)),
		);
		runs.push(...ended);
	});
	expect(runs).toHaveLength(2);
	await expectOne(runs);
});

it('What two retries continue with is sent once, and both return all of it', async () => {
	const options = { workflowId: 'W', parameters: createAndSend('T') };
	service.lose('POST', SEND, REFUSED);
	const failed = await service.n8n.runNode(TYPE, { ...options, items: await numbered(1) });
	const [worker, other] = [await otherWorker(service), await otherWorker(service)];
	service.lose('POST', SEND, LIMITED);
	const runs = await whileLimited(
		service,
		async () => await worker.retryNode(TYPE, failed, options),
		async () => await other.retryNode(TYPE, failed, options),
	);
	const [sent, found] = runs.map((run) => run?.items.map(({ json }) => json));
	expect(sent).toMatchObject([{ status: 'in_progress' }]);
	expect(found).toEqual(sent);
	await expectOne(runs);
});

it('Of two that wait for one that was killed one sends, and both have what is out', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	const killed = await service.killedAt(TEMPLATE_SEND, async (signal) => {
		return await service.n8n.runNode(TYPE, { ...options, signal });
	});
	service.lose('POST', TEMPLATE_SEND, LIMITED);
	const [worker, other] = [await otherWorker(service), await otherWorker(service)];
	const retry = async (one: N8n) => await one.retryNode(TYPE, killed, options, 'stopped');
	const second = retry(other);
	const runs = await whileLimited(
		service,
		async () => await retry(worker),
		async () => await second,
	);
	await expectOne(runs);
});

it('Of two that look for what was lost, and find nothing, one sends, and both have what is out', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.loseForGood(TEMPLATE_SEND, NOT_DONE);
	const failed = await service.n8n.runNode(TYPE, options);
	service.mend();
	await expectOne(await twoRetry(failed, options));
});

it('What was lost is waited for once, however often it was refused since', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.loseForGood(TEMPLATE_SEND, NOT_DONE);
	const failed = await service.n8n.runNode(TYPE, options);
	service.mend();
	service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 2 });
	for (const error of [expect.anything(), expect.anything(), undefined]) {
		const before = service.clock.now();
		const run = await (await otherWorker(service)).retryNode(TYPE, failed, options);
		expect(run.error).toEqual(error);
		expect(service.clock.now() - before).toBeLessThan(LONG_MS);
		await service.clock.sleep(600_000);
	}
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});

it('What is lost for longer than another one waits for is looked for again, and sent once', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	const killed = await service.killedAt(TEMPLATE_SEND, async (signal) => {
		return await service.n8n.runNode(TYPE, { ...options, signal });
	});
	// The first waits for the rate limit, and for an answer; the second for the rate limit.
	service.lose('POST', TEMPLATE_SEND, { how: 429, afterMs: 10_000 });
	service.lose('POST', TEMPLATE_SEND, { how: 'reset', afterMs: 29_000 });
	service.lose('POST', TEMPLATE_SEND, { how: 429, afterMs: 20_000 });
	await expectOne(await twoRetry(killed, options, 'stopped'));
});
