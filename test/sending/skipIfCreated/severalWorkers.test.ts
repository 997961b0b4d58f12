import type { INodeExecutionData } from 'n8n-workflow';
import type { N8n, NodeRun } from '../../support/n8nCore/n8n';
import { createAndSend, RETRY, TYPE } from '../../actions/support/workbench';
import { DOCUMENTS, DONE, DOWN, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from '../support/losses';
import { atOnce } from '../support/atOnce';
import { LossyService, numbered } from '../support/lossyService';
import { otherWorker } from '../support/otherProcess';
import { LONG_MS, passTimeSlowly, turns } from '../support/patience';

const service = LossyService.ofThisFile();
passTimeSlowly(service);

const DAY_MS = 86_400_000;

let workers: [N8n, N8n, N8n];
beforeAll(async () => {
	workers = [await otherWorker(service), await otherWorker(service), await otherWorker(service)];
});

async function skipping() {
	const title = '={{ "T " + $json.n }}';
	const additionalFields = { title, skipIfCreatedWithin: 1 };
	return await service.templateSend(title, { additionalFields });
}

async function runOf(worker: N8n, items: INodeExecutionData[], signal?: AbortSignal) {
	const parameters = await skipping();
	return await worker.runNode(TYPE, { workflowId: 'W', parameters, items, signal });
}

describe('With Skip If Created Within, one contract comes of a form', () => {
	it.each([2, 3])('that %d workers are given at the same moment', async (count) => {
		const items = await numbered(1);
		const all = workers.slice(0, count);
		const before = service.clock.now();
		let runs: NodeRun[] = [];
		await atOnce(service, async () => {
			runs = await Promise.all(all.map(async (worker) => await runOf(worker, items)));
		});
		// Nobody waits for as long as for one that was killed.
		expect(service.clock.now() - before).toBeLessThan(LONG_MS);
		expect(new Set(runs.map(({ items: [item] }) => item?.json.id)).size).toBe(1);
		await expect(service.titles()).resolves.toEqual(['T 1']);
	});

	it('that is submitted with one space more, at the same moment', async () => {
		const rows = ['NDA', ' NDA'].map((n) => [{ json: { n } }]);
		await Promise.all(
			rows.map(async (items, at) => await runOf(workers[at] ?? service.n8n, items)),
		);
		await expect(service.titles()).resolves.toHaveLength(1);
	});

	it.each([
		['', 0],
		[', the first of which is refused', 1],
	])('whose worker was killed, with others that wait for it at once%s', async (_, times) => {
		const items = await numbered(1);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		await service.killedAt(
			TEMPLATE_SEND,
			async (signal) => await runOf(service.n8n, items, signal),
		);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times });
		const all = workers.slice(0, 2 + times);
		const runs = await Promise.all(all.map(async (worker) => await runOf(worker, items)));
		expect(runs.filter(({ error }) => error)).toHaveLength(times);
		await expect(service.titles()).resolves.toEqual(['T 1']);
	});

	it('that two workers are given around midnight', async () => {
		const { clock } = service;
		const [worker] = workers;
		const items = await numbered(1);
		await clock.sleep(DAY_MS - (clock.now() % DAY_MS) - 700);
		service.lose('POST', TEMPLATE_SEND, { how: 429, afterMs: 1 });
		let second: Promise<unknown> | undefined;
		clock.at(clock.now() + 1_000, async () => {
			second = runOf(service.n8n, items);
			await turns(1);
		});
		await runOf(worker, items);
		await second;
		await expect(service.titles()).resolves.toEqual(['T 1']);
	});
});

it('Once a contract is out, nobody waits for the worker that was killed before', async () => {
	const items = await numbered(1);
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	await service.killedAt(TEMPLATE_SEND, async (signal) => await runOf(service.n8n, items, signal));
	const [worker, other] = workers;
	await runOf(worker, items);
	const [made] = await service.documents();
	await service.direct.api('POST', `/documents/${made?.id}/cancel`);
	const before = service.clock.now();
	await runOf(other, items);
	expect(service.clock.now() - before).toBeLessThan(LONG_MS);
	await expect(service.statuses()).resolves.toEqual(['cancelled', 'in_progress']);
});

it('Nobody waits for those who were given the same form in the weeks before', async () => {
	const items = await numbered(1);
	const all = workers.slice(0, 2);
	for (let weeks = 1; weeks <= 3; weeks++) {
		await service.clock.sleep(7 * DAY_MS);
		const before = service.clock.now();
		await Promise.all(all.map(async (worker) => await runOf(worker, items)));
		expect(service.clock.now() - before).toBeLessThan(LONG_MS);
		await expect(service.titles()).resolves.toHaveLength(weeks);
	}
});

it('Those who were given the same form before are passed with few questions', async () => {
	const items = await numbered(1);
	const { memories } = service;
	const record = jest.spyOn(memories, 'checkProcessedAndRecord');
	const counts: number[] = [];
	for (let times = 0; times < 25; times++) {
		await service.clock.sleep(DAY_MS);
		record.mockClear();
		await runOf(service.n8n, items);
		counts.push(record.mock.calls.length);
	}
	record.mockRestore();
	const [first = 0] = counts;
	expect(Math.max(...counts)).toBeLessThan(first + 15);
	await expect(service.titles()).resolves.toHaveLength(25);
});

describe('Nobody waits twice for what was left before', () => {
	/** With that for an answer that was lost, and less than that for two who were killed. */
	const ONE_WAIT_MS = 180_000;

	async function waitOf(run: () => Promise<unknown>): Promise<number> {
		const before = service.clock.now();
		await run();
		return service.clock.now() - before;
	}

	async function killed() {
		const items = await numbered(1);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		await service.killedAt(
			TEMPLATE_SEND,
			async (signal) => await runOf(service.n8n, items, signal),
		);
		return items;
	}

	it('however often it stays in doubt', async () => {
		const additionalFields = { skipIfCreatedWithin: 24 };
		const parameters = { ...createAndSend('T'), additionalFields };
		const options = { workflowId: 'W', parameters, items: await numbered(1) };
		service.lose('POST', SEND, NOT_DONE, { times: 8 });
		for (let times = 0; times < 4; times++) {
			const run = async () => await workers[0].runNode(TYPE, options);
			await expect(waitOf(run)).resolves.toBeLessThan(ONE_WAIT_MS);
		}
	});

	it('once its retry has found what was in doubt', async () => {
		const options = { workflowId: 'W', parameters: await skipping(), items: await numbered(1) };
		service.lose('POST', TEMPLATE_SEND, DONE);
		service.lose('GET', DOCUMENTS, DOWN, { skip: 1, times: 2 });
		const failed = await service.n8n.runNode(TYPE, options);
		expect(failed.error?.context?.outcome).toBe('in doubt');
		service.mend();
		const retried = await service.n8n.retryNode(TYPE, failed, options);
		expect(retried.items.map(({ json }) => json.title)).toEqual(['T 1']);
		await service.clock.sleep(2 * DAY_MS);
		const next = async () => await service.n8n.runNode(TYPE, options);
		await expect(waitOf(next)).resolves.toBeLessThan(LONG_MS);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 1']);
	});

	it('once Retry On Fail has found what was in doubt', async () => {
		const options = { workflowId: 'W', parameters: await skipping(), items: await numbered(1) };
		service.lose('POST', TEMPLATE_SEND, DONE);
		service.lose('GET', DOCUMENTS, DOWN, { skip: 1, times: 2 });
		const first = await service.n8n.runNode(TYPE, { ...options, settings: RETRY });
		expect(first.items.map(({ json }) => json.already_existed)).toEqual([true]);
		await service.clock.sleep(2 * DAY_MS);
		const next = async () => await service.n8n.runNode(TYPE, options);
		await expect(waitOf(next)).resolves.toBeLessThan(LONG_MS);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 1']);
	});

	it('where the execution that was killed is retried', async () => {
		const items = await numbered(1);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		const run = await service.killedAt(
			TEMPLATE_SEND,
			async (signal) => await runOf(service.n8n, items, signal),
		);
		const options = { parameters: await skipping() };
		const retry = async () => await workers[0].retryNode(TYPE, run, options, 'stopped');
		await expect(waitOf(retry)).resolves.toBeLessThan(ONE_WAIT_MS);
		await expect(service.titles()).resolves.toEqual(['T 1']);
	});

	it('after at most a draft can have come of it', async () => {
		const additionalFields = { skipIfCreatedWithin: 24 };
		const parameters = { ...createAndSend('T'), additionalFields };
		const options = { workflowId: 'W', parameters, items: await numbered(1) };
		service.lose('POST', DOCUMENTS, NOT_DONE, { times: 2 });
		const lost = await workers[0].runNode(TYPE, options);
		expect(lost.error?.context?.outcome).toBe('in doubt');
		const run = async () => await workers[1].runNode(TYPE, options);
		await expect(waitOf(run)).resolves.toBeLessThan(LONG_MS);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('after somebody was stopped who waited', async () => {
		const [worker, other] = workers;
		const items = await killed();
		const stop = new AbortController();
		service.clock.at(service.clock.now() + 50_000, async () => {
			stop.abort();
			await turns(1);
		});
		const stopped = await runOf(worker, items, stop.signal);
		expect(stopped.items).toEqual([]);
		await expect(waitOf(async () => await runOf(other, items))).resolves.toBeLessThan(ONE_WAIT_MS);
		await expect(service.titles()).resolves.toEqual(['T 1']);
	});

	it('after somebody was refused who has waited', async () => {
		const [worker, other] = workers;
		const items = await killed();
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		await runOf(worker, items);
		await expect(waitOf(async () => await runOf(other, items))).resolves.toBeLessThan(LONG_MS);
		await expect(service.titles()).resolves.toEqual(['T 1']);
	});
});
