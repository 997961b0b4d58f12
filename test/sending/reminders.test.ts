import type { INodeExecutionData } from 'n8n-workflow';
import { nodeRun } from '../support/n8nCore/n8n';
import { byId, TYPE } from '../actions/support/workbench';
import { DONE, REFUSED } from './support/losses';
import { hintsOf } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { BACK, CONTINUE, esign, GIVEN, outputsOf, Workflows } from './support/workflows';
const workflows = new Workflows();
const { service } = workflows;

const REMIND = /\/remind$/;
const parameters = {
	resource: 'document',
	operation: 'remind',
	documentId: byId('={{ $json.id }}'),
};

/** Ten documents that are out, each in an item. */
async function tenDocuments(): Promise<{ items: INodeExecutionData[]; ids: string[] }> {
	const ids: string[] = [];
	while (ids.length < 10) {
		const { id } = await service.direct.send(`T ${ids.length}`, ['ada@example.com']);
		ids.push(id);
	}
	service.requests.length = 0;
	return { ids, items: ids.map((id) => ({ json: { id } })) };
}

/** The documents for which a reminder was asked, in order. */
function asked(): string[] {
	const reminders = service.requests.filter((request) => REMIND.test(request));
	return reminders.map((request) => request.split('/')[2] ?? '');
}

const doubtful = (id: string | undefined) => ({
	document_id: id,
	reminded: null,
	in_doubt: true,
});
const sent = (id: string | undefined) => ({ document_id: id, reminded: 1 });

describe('Ten reminders, the third of which is lost', () => {
	it.each(['the same process', 'another worker'])(
		'are sent once each, and the retry in %s returns the third as in doubt',
		async (process) => {
			const { ids, items } = await tenDocuments();
			service.lose('POST', REMIND, DONE, { skip: 2 });
			const failed = await service.run(parameters, items);
			expect(failed.error).toMatchObject({ context: { outcome: 'in doubt', itemIndex: 2 } });

			const worker = process === 'another worker' ? await otherWorker(service) : service.n8n;
			const retried = await worker.retryNode(TYPE, failed, { parameters });
			expect(retried.items.map(({ json }) => json)).toEqual(
				ids.map((id, index) => (index === 2 ? doubtful(id) : sent(id))),
			);
			expect(hintsOf(retried)).toContain(`a person could get it twice: ${ids[2]}.`);
			expect(asked()).toEqual(ids);
		},
	);

	it('are sent once each where n8n continues, and say which is in doubt', async () => {
		const { ids, items } = await tenDocuments();
		service.lose('POST', REMIND, DONE, { skip: 2 });
		const settings = { onError: 'continueRegularOutput' as const };
		const { items: output } = await service.run(parameters, items, settings);
		expect(output[2]?.json.error_details).toMatchObject({ in_doubt: true });
		expect(asked()).toEqual(ids);
	});

	it('remind nobody twice where n8n was killed in the middle, and reach the rest', async () => {
		const { ids, items } = await tenDocuments();
		// Here the process is killed: of what it did, n8n has saved nothing.
		service.lose('POST', REMIND, DONE, { skip: 2 });
		const killed = await service.run(parameters, items);
		const worker = await otherWorker(service);
		const retried = await worker.retryNode(TYPE, killed, { parameters }, 'stopped');
		expect(retried.items.map(({ json }) => json)).toEqual(
			ids.map((id, index) => (index <= 2 ? doubtful(id) : sent(id))),
		);
		expect(asked()).toEqual(ids);
	});
});

it.each([
	['is sent', 'saved nothing', undefined, sent],
	['is in doubt', 'a database that is away', new Error('The database is away'), doubtful],
])(
	'A reminder that was refused %s in a retry, where n8n has %s',
	async (_, __, failure, outcome) => {
		const { ids, items } = await tenDocuments();
		service.lose('POST', REMIND, REFUSED);
		const failed = await service.run(parameters, items.slice(0, 1));
		service.memories.failure = failure;
		const retried = await service.n8n.retryNode(TYPE, failed, { parameters }, 'stopped');
		expect(retried.items.map(({ json }) => json)).toEqual([outcome(ids[0])]);
	},
);

it('Items that remind the same person do so each, where nothing is in doubt', async () => {
	const { ids, items } = await tenDocuments();
	const [item] = items as [INodeExecutionData];
	const { items: output } = await service.run(parameters, [item, item]);
	expect(output.map(({ json }) => json)).toEqual([sent(ids[0]), sent(ids[0])]);
});

it('A reminder in doubt stands for the next one of the same person only', async () => {
	const { ids, items } = await tenDocuments();
	service.lose('POST', REMIND, DONE);
	const settings = { onError: 'continueRegularOutput' as const };
	const [item] = items as [INodeExecutionData];
	const { items: output } = await service.run(parameters, [item, item, item], settings);
	const [lost, ...others] = output.map(({ json }) => json);
	expect(lost?.error_details).toMatchObject({ in_doubt: true });
	expect(others).toEqual([doubtful(ids[0]), sent(ids[0])]);
});

it('Another execution may remind the same people again, also after one in doubt', async () => {
	const { ids, items } = await tenDocuments();
	service.lose('POST', REMIND, DONE);
	await service.run(parameters, items.slice(0, 1));
	const again = await service.run(parameters, items.slice(0, 1));
	expect(again.items.map(({ json }) => json)).toEqual([sent(ids[0])]);
});

it('A reminder in doubt that an error output leads back is returned as in doubt', async () => {
	const { ids } = await tenDocuments();
	service.lose('POST', REMIND, DONE);
	const fixed = { ...parameters, documentId: byId(ids[0]) };
	const node = esign('eSign', fixed, { onError: 'continueErrorOutput' });
	const lines = ['Given > eSign', 'eSign ! Back', 'Back > eSign'];
	const run = await workflows.run(workflows.flow([GIVEN, node, BACK], ...lines));
	expect(nodeRun(run, 'eSign').items.map(({ json }) => json)).toEqual([doubtful(ids[0])]);
	expect(asked()).toEqual([ids[0]]);
});

it('Nobody is reminded twice where n8n was killed, and a row has changed since', async () => {
	const { ids, items } = await tenDocuments();
	workflows.items = items.slice(0, 3);
	const workflow = workflows.list(parameters);
	service.lose('POST', REMIND, DONE, { skip: 1 });
	const killed = await workflows.killedAt(REMIND, workflow, 1);
	// As where somebody has viewed a document meanwhile.
	workflows.items = workflows.items.map(({ json }) => ({ json: { ...json, viewed: true } }));
	const retried = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
	const outcomes = [doubtful(ids[0]), doubtful(ids[1]), sent(ids[2])];
	expect(retried.items.map(({ json }) => json)).toEqual(outcomes);
	expect(asked()).toEqual(ids.slice(0, 3));
});

it('Rows that remind the same person are in doubt once, where n8n was killed at the first of them', async () => {
	const { ids, items } = await tenDocuments();
	const [item] = items as [INodeExecutionData];
	service.lose('POST', REMIND, DONE);
	const killed = await service.run(parameters, [item, item, item]);
	const worker = await otherWorker(service);
	const retried = await worker.retryNode(TYPE, killed, { parameters }, 'stopped');
	const outcomes = [doubtful(ids[0]), sent(ids[0]), sent(ids[0])];
	expect(retried.items.map(({ json }) => json)).toEqual(outcomes);
});

it('A reminder in doubt does not stand for one of another document, to which the item was corrected', async () => {
	const { ids } = await tenDocuments();
	const of = (id: string | undefined) => ({ ...parameters, documentId: byId(id) });
	service.lose('POST', REMIND, DONE);
	const failed = await service.run(of(ids[0]));
	const retried = await service.retry(failed, of(ids[1]));
	expect(retried.items.map(({ json }) => json)).toEqual([sent(ids[1])]);
});

it('A row that reminds the same person again does so, where the execution was retried meanwhile', async () => {
	const { ids, items } = await tenDocuments();
	const [item] = items as [INodeExecutionData];
	workflows.items = [item, item];
	const workflow = workflows.loopAndTell(parameters);
	workflows.failures = 1;
	const failed = await workflows.run(workflow);
	const retried = await service.n8n.retry(workflow, failed);
	expect(outputsOf(retried)).toEqual([sent(ids[0]), sent(ids[0])]);
});

it('A person is reminded in each further round of a loop, also after one in doubt, and a retry', async () => {
	const { ids, items } = await tenDocuments();
	const [item] = items as [INodeExecutionData];
	workflows.items = Array.from({ length: 6 }, () => item);
	const workflow = workflows.loopAndTell(parameters, CONTINUE);
	service.lose('POST', REMIND, DONE);
	const { lossOf } = service;
	service.lossOf = (method, path, body) => {
		// The lost one, and the one of the third round.
		workflows.failures = asked().length === 2 ? 1 : 0;
		return lossOf(method, path, body);
	};
	const failed = await workflows.run(workflow);
	expect(failed.data.resultData.error?.message).toContain('Nobody can be told');
	const [lost, ...others] = outputsOf(await service.n8n.retry(workflow, failed));
	service.lossOf = lossOf;
	expect(lost?.error_details).toMatchObject({ in_doubt: true });
	const one = sent(ids[0]);
	expect(others).toEqual([doubtful(ids[0]), one, one, one, one]);
});
