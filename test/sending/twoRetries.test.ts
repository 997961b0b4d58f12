import type { N8n, NodeRun } from '../support/n8nCore/n8n';
import { createAndSend, TYPE } from '../actions/support/workbench';
import { atOnce } from './support/atOnce';
import { firstIsRefused } from './support/firstIsRefused';
import {
	DOCUMENTS,
	DONE,
	DOWN,
	LIMITED,
	NOT_DONE,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/losses';
import { LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { passTimeSlowly, turns } from './support/patience';
import { contractOf, twoOfALine } from './support/twoOfALine';
import { whileLimited } from './support/whileLimited';

const service = LossyService.ofThisFile();
passTimeSlowly(service);

/** The draft of whoever has not claimed the item is left over, which a hint of that one says. */
async function expectSpare(...runs: Array<NodeRun | undefined>): Promise<void> {
	const spare = (await service.documents()).find(({ status }) => status === 'draft');
	const hints = runs.flatMap((run) => run?.hints.map(({ message }) => message) ?? []);
	expect(hints.filter((hint) => hint.startsWith('Another retry'))).toEqual([
		`Another retry of this execution sends the contract. This draft is left over, and never sent: ${spare?.id}.`,
	]);
	await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
}

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
	const runs: NodeRun[] = [];
	await atOnce(service, async () => {
		const ended = await firstIsRefused(
			service,
			async () => await worker.retryNode(TYPE, failed, options),
			others.map((other) => async () => await other.retryNode(TYPE, failed, options)),
		);
		runs.push(...ended);
	});
	expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
	// Of what both begin anew, one draft is left over.
	await expectSpare(...runs);
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
	await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
});

it('What two retries continue with is sent once, and both return all of it', async () => {
	const options = { workflowId: 'W', parameters: createAndSend('T') };
	service.lose('POST', SEND, REFUSED);
	const failed = await service.n8n.runNode(TYPE, { ...options, items: await numbered(1) });
	const [worker, other] = [await otherWorker(service), await otherWorker(service)];
	service.requests.length = 0;
	service.lose('POST', SEND, LIMITED);
	const runs = await whileLimited(
		service,
		async () => await worker.retryNode(TYPE, failed, options),
		async () => await other.retryNode(TYPE, failed, options),
	);
	const [sent, found] = runs.map((run) => run?.items.map(({ json }) => json));
	expect(sent).toMatchObject([{ status: 'in_progress' }]);
	expect(found).toEqual(sent);
	// Once more after the rate limit.
	expect(service.requests.filter((request) => SEND.test(request.slice(5)))).toHaveLength(2);
});

it('What a retry has sent is known, though another one overwrites what it records', async () => {
	const options = { workflowId: 'W', parameters: createAndSend('T') };
	service.lose('POST', DOCUMENTS, REFUSED);
	const failed = await service.n8n.runNode(TYPE, { ...options, items: await numbered(1) });
	const [worker, other] = [await otherWorker(service), await otherWorker(service)];
	let second: Promise<NodeRun> | undefined;
	const { memories } = service;
	const record = memories.checkProcessedAndRecord.bind(memories);
	memories.checkProcessedAndRecord = async (entries, scope, context, how) => {
		const answer = await record(entries, scope, context, how);
		if (!entries.some((entry) => String(entry).startsWith('doc_'))) return answer;
		memories.checkProcessedAndRecord = record;
		await memories.removeProcessed(answer.new, scope, context);
		return answer;
	};
	const { lossOf } = service;
	service.lossOf = () => {
		second ??= other.retryNode(TYPE, failed, options);
		return undefined;
	};
	const runs = [await worker.retryNode(TYPE, failed, options), await second];
	service.lossOf = lossOf;
	expect(new Set(runs.map((run) => run?.items[0]?.json.id)).size).toBe(1);
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});

it('What another retry finds while one looks for it is the same item’s for both', async () => {
	const options = { workflowId: 'W', parameters: await service.templateSend('T') };
	service.lose('POST', TEMPLATE_SEND, DONE);
	service.lose('GET', DOCUMENTS, DOWN, { times: 9 });
	const failed = await service.n8n.runNode(TYPE, options);
	expect(failed.error?.context).toMatchObject({ outcome: 'in doubt' });
	service.mend();
	const [worker, other] = [await otherWorker(service), await otherWorker(service)];
	const runs: NodeRun[] = [];
	const { memories } = service;
	const remove = memories.removeProcessed.bind(memories);
	jest.spyOn(memories, 'removeProcessed').mockImplementationOnce(async (...asked) => {
		await remove(...asked);
		// It has asked which documents are the item's.
		runs.push(await other.retryNode(TYPE, failed, options));
	});
	runs.push(await worker.retryNode(TYPE, failed, options));
	expect(new Set(runs.map((run) => run.items[0]?.json.id)).size).toBe(1);
	expect(runs).toHaveLength(2);
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});

describe('A draft that an earlier retry has left, which was refused,', () => {
	it('is not sent while another one sends what was corrected', async () => {
		const { older, newer } = await twoOfALine(service, 'T', 'Corrected');
		const [worker, other] = [await otherWorker(service), await otherWorker(service)];
		service.lose('POST', DOCUMENTS, LIMITED);
		const runs = await whileLimited(
			service,
			async () => await worker.retryNode(TYPE, older, contractOf('T')),
			async () => await other.retryNode(TYPE, newer, contractOf('Corrected')),
		);
		expect(new Set(runs.map((run) => run?.items[0]?.json.id)).size).toBe(1);
		await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
	});
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
	expect(new Set(runs.map((run) => run?.items[0]?.json.id)).size).toBe(1);
	await expectSpare(...runs);
});
