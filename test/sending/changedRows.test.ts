import type { INodeParameters, IRun, Workflow } from 'n8n-workflow';
import { createAndSend } from '../actions/support/workbench';
import { nodeRun } from '../support/n8nCore/n8n';
import {
	DOCUMENTS,
	DONE,
	DOWN,
	LATE,
	NOT_DONE,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/losses';
import { hintsOf } from './support/lossyService';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import { esign, GIVEN, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const flowOf = (parameters: INodeParameters): Workflow =>
	workflows.flow([GIVEN, esign('eSign', parameters)], 'Given > eSign');

async function retryKilled(workflow: Workflow, killed: IRun) {
	const worker = await workflows.otherWorker(workflow);
	return nodeRun(await worker.retry(killed, 'killed'), 'eSign');
}

const TITLES = ['T A', 'T B', 'T C'];
const outOf = async () => await sentTitles(service);

describe('n8n was killed, and runs the node that notes the time of each row again:', () => {
	const title = '={{ "T " + $json.name }}';
	const ways: Array<[string, RegExp, () => Promise<INodeParameters>]> = [
		['a template', TEMPLATE_SEND, async () => await toAda(service, title)],
		['files', SEND, async () => await Promise.resolve(createAndSend(title))],
	];
	const losses = [
		['was not carried out', NOT_DONE],
		['was', DONE],
		['was, late', LATE],
	] as const;

	describe.each(ways)('each row of %s goes out once', (_, path, parametersOf) => {
		it.each(losses)('where the request %s', async (__, loss) => {
			workflows.items = await rowsAt('ten', 'A', 'B', 'C');
			const workflow = flowOf(await parametersOf());
			service.lose('POST', path, loss, { skip: 1 });
			const killed = await workflows.killedAt(path, workflow, 1);
			workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
			const retried = await retryKilled(workflow, killed);
			expect(retried.error).toBeUndefined();
			await expect(outOf()).resolves.toEqual(TITLES);
			expect(hintsOf(retried)).toContain('Sent by an earlier try, and not sent again');
		});

		it('also where n8n is killed in the retry', async () => {
			workflows.items = await rowsAt('ten', 'A', 'B', 'C');
			const workflow = flowOf(await parametersOf());
			service.lose('POST', path, LATE, { skip: 1 });
			const killed = await workflows.killedAt(path, workflow, 1);
			workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
			service.lose('POST', path, LATE);
			const worker = await workflows.otherWorker(workflow);
			const again = await service.killedAt(path, async () => await worker.retry(killed, 'killed'));
			workflows.items = await rowsAt('twelve', 'A', 'B', 'C');
			const retried = await retryKilled(workflow, again);
			expect(retried.error).toBeUndefined();
			await expect(outOf()).resolves.toEqual(TITLES);
		});
	});
});

describe('It stays once, where n8n was killed, and a retry of that has failed:', () => {
	const title = '={{ "T " + $json.name }}';

	async function killed(path: RegExp) {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = flowOf(createAndSend(title));
		service.lose('POST', path, path === SEND ? DONE : NOT_DONE);
		return { workflow, run: await workflows.killedAt(path, workflow) };
	}

	it('it could not look, and is retried', async () => {
		const { workflow, run } = await killed(SEND);
		workflows.items = await rowsAt('eleven', 'A', 'B');
		service.lose('GET', DOCUMENTS, DOWN, { times: 9 });
		const worker = await workflows.otherWorker(workflow);
		const failed = await worker.retry(run, 'killed');
		expect(nodeRun(failed, 'eSign').error?.context).toMatchObject({ outcome: 'in doubt' });
		service.mend();
		const last = nodeRun(await worker.retry(failed), 'eSign');
		expect(last.error).toBeUndefined();
		await expect(outOf()).resolves.toEqual(['T A', 'T B']);
	});

	it('a newer retry has sent everything, and then the older one is retried', async () => {
		const { workflow, run } = await killed(DOCUMENTS);
		workflows.items = await rowsAt('eleven', 'A', 'B');
		service.lose('POST', SEND, REFUSED);
		const worker = await workflows.otherWorker(workflow);
		const failed = await worker.retry(run, 'killed');
		expect(nodeRun(failed, 'eSign').error).toBeDefined();
		workflows.items = await rowsAt('twelve', 'A', 'B');
		await worker.retry(run, 'killed');
		const last = nodeRun(await worker.retry(failed), 'eSign');
		expect(last.error).toBeUndefined();
		await expect(outOf()).resolves.toEqual(['T A', 'T B']);
	});
});

describe('Approvals, which are all alike, where n8n was killed', () => {
	it('go out once each with other data', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = flowOf(await toAda(service));
		service.lose('POST', TEMPLATE_SEND, DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		const retried = await retryKilled(workflow, killed);
		expect(retried.error).toBeUndefined();
		await expect(outOf()).resolves.toHaveLength(3);
		const ids = retried.items.map(({ json }) => json.id);
		expect(new Set(ids).size).toBe(3);
	});

	it.each([1, 2, 3, 4, 5, 6])(
		'go out once each, though a retry ends in question %d',
		async (count) => {
			workflows.items = await rowsAt('ten', 'A', 'B');
			const workflow = flowOf(await toAda(service));
			service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
			const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
			const remove = service.memories.removeProcessed.bind(service.memories);
			let questions = 0;
			const dying = jest.spyOn(service.memories, 'removeProcessed');
			dying.mockImplementation(async (...asked) => {
				if (++questions >= count) throw new Error('n8n is dead');
				await remove(...asked);
			});
			await retryKilled(workflow, killed);
			dying.mockRestore();
			const retried = await retryKilled(workflow, killed);
			expect(retried.error).toBeUndefined();
			expect(new Set(retried.items.map(({ json }) => json.id)).size).toBe(2);
			await expect(outOf()).resolves.toHaveLength(2);
		},
	);

	it('a new one before them goes out, too', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = flowOf(await toAda(service));
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		workflows.items = await rowsAt('ten', 'New', 'A', 'B');
		const retried = await retryKilled(workflow, killed);
		expect(retried.error).toBeUndefined();
		await expect(outOf()).resolves.toHaveLength(3);
		expect(new Set(retried.items.map(({ json }) => json.id)).size).toBe(3);
	});

	it('nor does another node', async () => {
		workflows.items = await rowsAt('ten', 'A');
		const parameters = await toAda(service);
		const nodes = [GIVEN, esign('First', parameters), esign('eSign', parameters)];
		const workflow = workflows.flow(nodes, 'Given > First', 'First > eSign');
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		workflows.items = await rowsAt('eleven', 'A');
		const retried = await retryKilled(workflow, killed);
		expect(retried.error).toBeUndefined();
		await expect(outOf()).resolves.toHaveLength(2);
	});
});
