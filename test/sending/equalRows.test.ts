import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { nodeRun } from '../support/n8nCore/n8n';
import { ADA, byId, createAndSend, RETRY, TYPE } from '../actions/support/workbench';
import {
	DOCUMENT,
	DOCUMENTS,
	DONE,
	DOWN,
	NOT_DONE,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/losses';
import { hintsOf, titlesOf } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import { esign, GIVEN, TELL, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const ON = { onError: 'continueRegularOutput' as const };
/** What the node has put out in all rounds. */
const itemsOf = ({ data }: IRun) =>
	(data.resultData.runData.eSign ?? []).flatMap(({ data }) =>
		(data?.main?.[0] ?? []).map(({ json }) => json),
	);

const rows = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, () => ({ ...workflows.items[0], json: {} }));

describe('Equal rows of one run, the first of which fails', () => {
	it('from files: its draft stays its own, until it is asked for in another run', async () => {
		service.lose('POST', SEND, REFUSED, { times: 2 });
		const first = await service.run(createAndSend('T'), rows(4), ON);
		const drafts = (await service.documents())
			.filter(({ status }) => status === 'draft')
			.map(({ id }) => id);
		const named = first.items.map(
			({ json }) => /^The draft (doc_\w+) was/.exec(String(json.error))?.[1],
		);
		expect(named.filter(Boolean).sort()).toEqual(drafts.sort());
		expect(drafts).toHaveLength(2);
		const again = await service.run(createAndSend('T'), rows(2), ON);
		expect(again.items.map(({ json }) => json.id).sort()).toEqual(drafts);
		await expect(service.documents()).resolves.toHaveLength(4);
	});

	it('from a template: what is in doubt is none of the others', async () => {
		service.loseForGood(TEMPLATE_SEND, { how: 504, afterMs: 10, effectMs: 55_000 });
		const { items } = await service.run(await service.templateSend('T'), rows(3), ON);
		expect(items.map(({ json }) => json.status)).toEqual([undefined, 'in_progress', 'in_progress']);
		await expect(service.titles()).resolves.toEqual(['T', 'T', 'T']);
	});
});

it('An equal row that another worker retries at once, whose answer is lost, is not taken for the one before it', async () => {
	const parameters = await service.templateSend('T');
	service.lose('POST', TEMPLATE_SEND, REFUSED, { skip: 1 });
	const first = await service.run(parameters, rows(2));
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	const { items } = await (await otherWorker(service)).retryNode(TYPE, first, { parameters });
	const ids = (await service.documents()).map(({ id }) => id);
	expect(ids).toHaveLength(2);
	expect(items.map(({ json }) => json.id).sort()).toEqual(ids.sort());
});

describe('With Skip If Created, an item for which it is unknown what it has created', () => {
	const additionalFields = { title: 'T', skipIfCreatedWithin: 24 };

	it('is found by an equal row after it', async () => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		service.lose('GET', DOCUMENTS, DOWN, { times: 2, skip: 1 });
		const { items } = await service.run(
			await service.templateSend('T', { additionalFields }),
			rows(2),
			ON,
		);
		const [made, ...others] = await service.documents();
		expect(items[0]?.json.error).toEqual(expect.any(String));
		expect(items[1]?.json).toMatchObject({ id: made?.id, status: 'in_progress' });
		expect(others).toEqual([]);
	});

	it('is found when n8n tries it again', async () => {
		service.lose('POST', TEMPLATE_SEND, DONE);
		service.lose('GET', DOCUMENTS, DOWN, { times: 2, skip: 1 });
		const run = await service.run(
			await service.templateSend('T', { additionalFields }),
			rows(1),
			RETRY,
		);
		expect(titlesOf(run)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('is returned by a new execution as what is there already', async () => {
		const parameters = createAndSend('T', ADA, { additionalFields });
		service.lose('POST', SEND, DONE);
		service.lose('GET', DOCUMENT, DOWN, { times: 6 });
		const { items } = await service.run(parameters, rows(1), ON);
		expect(items[0]?.json.error_details).toMatchObject({ in_doubt: true });
		const again = await service.run(parameters, rows(1), ON);
		expect(again.items[0]?.json).toMatchObject({ already_existed: true, status: 'in_progress' });
		expect(hintsOf(again)).toContain('There already');
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('has its draft gone on with by an equal row', async () => {
		service.lose('POST', SEND, NOT_DONE, { times: 99 });
		const { items } = await service.run(createAndSend('T', ADA, { additionalFields }), rows(2), ON);
		const [draft, ...others] = await service.documents();
		const words = expect.stringMatching(
			`^The draft ${draft?.id} was created, but sending it failed`,
		) as string;
		expect(items.map(({ json: { error } }) => error)).toEqual([words, words]);
		expect(others).toEqual([]);
	});
});

describe('Equal rows, one of which another worker has taken for the other', () => {
	it('from a template: each returns a document of its own', async () => {
		const worker = await otherWorker(service);
		const parameters = await service.templateSend('T');
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await service.run(parameters, rows(2));
		service.lose('GET', DOCUMENTS, REFUSED);
		await worker.retryNode(TYPE, first, { parameters, settings: ON });
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const third = await service.retry(first, parameters);
		const { items } = await worker.retryNode(TYPE, third, { parameters });
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(2);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});

	it.each([1, 2])(
		'%d from files: no send is still under way when its try has ended',
		async (count) => {
			const parameters = createAndSend('T');
			service.lose('POST', DOCUMENTS, REFUSED);
			const first = await service.run(parameters, rows(count));
			service.lose('POST', SEND, { how: 'reset', afterMs: 1, effectMs: 20_000 });
			service.lose('POST', SEND, REFUSED);
			await (await otherWorker(service)).retryNode(TYPE, first, { parameters });
			await service.retry(first, parameters);
			await expect(service.statuses()).resolves.toEqual(rows(count).map(() => 'in_progress'));
		},
	);
});

it.each([
	['equal', [{}, {}]],
	['of other data', [{ row: 1 }, { row: 2 }]],
])(
	'Rows of a loop that ask for the same, %s: what the second has left in doubt is not the first’s, in a retry of an older execution',
	async (_, data) => {
		const [given] = workflows.items;
		workflows.items = data.map((json) => ({ ...given, json }));
		const workflow = workflows.loop(createAndSend('T'));
		service.lose('POST', DOCUMENTS, REFUSED, { times: 2 });
		const first = await workflows.run(workflow);
		service.loseSend(NOT_DONE);
		Object.assign(workflow.getNode('eSign') ?? {}, ON);
		const second = await service.n8n.retry(workflow, first);
		expect(itemsOf(second).map(({ error }) => typeof error)).toEqual(['string', 'string']);
		service.mend();
		const ids = itemsOf(await service.n8n.retry(workflow, first)).map(({ id }) => id);
		expect(new Set(ids).size).toBe(2);
		await expect(service.statuses()).resolves.toEqual(['in_progress', 'in_progress']);
	},
);

describe('Rows that ask for the same, in a retry,', () => {
	it('neither ask nor wait for each other, where no answer was lost', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C', 'D');
		const workflow = workflows.list(await toAda(service, 'T'));
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await workflows.run(workflow);
		service.requests.length = 0;
		const before = service.clock.now();
		const again = nodeRun(await service.n8n.retry(workflow, first), 'eSign');
		expect(again.items).toHaveLength(4);
		expect(service.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
		expect(hintsOf(again)).not.toContain('did not answer');
		expect(service.clock.now() - before).toBeLessThan(10_000);
		await expect(service.titles()).resolves.toEqual(['T', 'T', 'T', 'T']);
	});

	it('wait once for the one that was sent as n8n was killed', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C', 'D');
		const workflow = workflows.list(await toAda(service, 'T'));
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow);
		const worker = await workflows.otherWorker(workflow);
		const before = service.clock.now();
		const again = nodeRun(await worker.retry(killed, 'killed'), 'eSign');
		expect(again.items).toHaveLength(4);
		expect(service.clock.now() - before).toBeLessThan(110_000);
		await expect(service.titles()).resolves.toEqual(['T', 'T', 'T', 'T']);
	});

	it('do not wait for each other, where the answers to all of them were lost', async () => {
		workflows.items = rows(4);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { times: 4 });
		service.lose('GET', DOCUMENTS, DOWN, { times: 8 });
		const settings = { onError: 'continueErrorOutput' as const };
		const node = esign('eSign', await service.templateSend('T'), settings);
		const lines = ['Given > eSign', 'eSign ! Tell', 'Tell > eSign'];
		const workflow = workflows.flow([GIVEN, node, TELL], ...lines);
		workflows.failures = 1;
		const failed = await workflows.run(workflow);
		await service.clock.sleep(600_000);
		const before = service.clock.now();
		const again = await service.n8n.retry(workflow, failed);
		expect(service.clock.now() - before).toBeLessThan(60_000);
		expect(nodeRun(again, 'eSign').items).toHaveLength(4);
		await expect(service.titles()).resolves.toEqual(['T', 'T', 'T', 'T']);
	});

	it('do not wait for each other’s drafts, where n8n was killed as the next node sent one', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C', 'D');
		const drafts = esign('eSign', { ...createAndSend('T'), operation: 'create' });
		const send = { resource: 'document', operation: 'send', documentId: byId('={{ $json.id }}') };
		const nodes = [GIVEN, drafts, esign('Send', send)];
		const workflow = workflows.flow(nodes, 'Given > eSign', 'eSign > Send');
		service.lose('POST', SEND, NOT_DONE);
		const killed = await workflows.killedAt(SEND, workflow);
		const worker = await workflows.otherWorker(workflow);
		const before = service.clock.now();
		await worker.retry(killed, 'killed');
		expect(service.clock.now() - before).toBeLessThan(10_000);
		const out = 'in_progress';
		await expect(service.statuses()).resolves.toEqual([out, out, out, out]);
	});

	it.each([
		['files', DOCUMENTS, async () => await Promise.resolve(createAndSend('T'))],
		['a template', TEMPLATE_SEND, async () => await toAda(service, 'T')],
	])(
		'from %s are not sent again, where one after them was refused, and is given no longer',
		async (_, path, parametersOf) => {
			workflows.items = await rowsAt('ten', 'A', 'B');
			const workflow = workflows.list(await parametersOf(), ON);
			service.lose('POST', path, REFUSED, { skip: 1 });
			const killed = await workflows.run(workflow);
			workflows.items = await rowsAt('eleven', 'A');
			const again = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
			expect(again.items).toHaveLength(1);
			await expect(sentTitles(service)).resolves.toEqual(['T']);
		},
	);
});
