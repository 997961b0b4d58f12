import { nodeRun, type NodeRun } from '../../../harness/n8nCore/n8n';
import { TYPE } from '../everyOperation/faultyService';
import {
	create,
	DOCUMENTS,
	DONE,
	DOWN,
	LossyService,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from '../support/lossyService';
import { said } from '../support/said';
import { byId, RETRY } from '../support/workbench';

const service = LossyService.ofThisFile();

describe('A failed execution that is retried twice at once', () => {
	it('sends once what was refused', async () => {
		const parameters = await service.templateSend('={{ "T " + $json.n }}');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const failed = await service.run(parameters, await numbered(2));
		const both = await Promise.all([service.retry(failed, parameters), service.retry(failed, parameters)]);
		expect(both.map(titlesOf)).toEqual([
			['T 1', 'T 2'],
			['T 1', 'T 2'],
		]);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});

	it('goes on once with a draft, and with a document in doubt', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(create('T'), await numbered(1));
		const drafts = await Promise.all([service.retry(failed, create('T')), service.retry(failed, create('T'))]);
		expect(drafts.map(({ items }) => items[0]?.json.status)).toEqual(['in_progress', 'in_progress']);
		await expect(service.documents()).resolves.toHaveLength(1);

		const parameters = await service.templateSend('In doubt');
		service.loseForGood(TEMPLATE_SEND, DONE);
		const inDoubt = await service.run(parameters);
		service.mend();
		const found = await Promise.all([service.retry(inDoubt, parameters), service.retry(inDoubt, parameters)]);
		expect(found.map(titlesOf)).toEqual([['In doubt'], ['In doubt']]);
		await expect(service.titles()).resolves.toEqual(['In doubt', 'T']);
	});

	it('as it was and corrected: the first adopts what is there, and the correction is not sent unless that was named or shown', async () => {
		const [as, corrected] = [await service.templateSend('A'), await service.templateSend('B')];
		service.loseForGood(TEMPLATE_SEND, DONE, '"A"');
		const failed = await service.run(as);
		service.mend();
		const [again, other] = await Promise.all([service.retry(failed, as), service.retry(failed, corrected)]);
		const [made] = (await service.documents()).filter(({ title }) => title === 'A');
		expect(again.items.map(({ json }) => json.id)).toEqual([made?.id]);
		if (other.error) expect(said(other.error)).toContain(String(made?.id));
		const titles = await service.titles();
		expect(titles.filter((title) => title === 'A')).toHaveLength(1);
	});
});

it.each([
	['Template > Send', TEMPLATE_SEND, async (title: string) => await service.templateSend(title)],
	['Document > Create', DOCUMENTS, async (title: string) => create(title)],
])('%s, retried as it was and corrected at once, sends each item once', async (_, path, titled) => {
	service.lose('POST', path, REFUSED, { body: 'A 2' });
	const as = await titled('={{ "A " + $json.n }}');
	const corrected = await titled('={{ "B " + $json.n }}');
	const failed = await service.run(as, await numbered(2));
	for (const tries of [
		[as, corrected],
		[corrected, as],
		[corrected, as, corrected],
	]) {
		const all = await Promise.all(tries.map(async (parameters) => await service.retry(failed, parameters)));
		for (const { error, items } of all) {
			if (error) expect(said(error)).toContain('carried out');
			else expect(titlesOf({ items } as NodeRun)).toEqual(['A 1', 'A 2']);
		}
		await expect(service.titles()).resolves.toEqual(['A 1', 'A 2']);
	}
});

it.each([
	['', {}],
	[', and tried again by n8n,', RETRY],
])(
	'A corrected Retry that is pressed twice%s sends nothing before a person can have read what is there',
	async (_, settings) => {
		service.loseForGood(TEMPLATE_SEND, DONE, '"A"');
		const failed = await service.run(await service.templateSend('A'));
		service.mend();
		const corrected = await service.templateSend('B');
		const both = await Promise.all([
			service.retry(failed, corrected, settings),
			service.retry(failed, corrected, settings),
		]);
		for (const { error } of both) expect(said(error)).toContain('The parameters were changed since an earlier try');
		await expect(service.titles()).resolves.toEqual(['A']);
		expect(titlesOf(await service.retry(failed, corrected))).toEqual(['B']);
	},
);

it('A reminder whose answers are lost goes out once for each of two retries at once, however often n8n tries', async () => {
	const { id } = await service.direct.sent();
	const parameters = { resource: 'document', operation: 'remind', documentId: byId(id) };
	service.lose('POST', /remind$/, REFUSED);
	const failed = await service.run(parameters);
	service.requests.length = 0;
	service.lose('POST', /remind$/, DONE, { times: 20 });
	const settings = { ...RETRY, maxTries: 5 };
	await Promise.all([service.retry(failed, parameters, settings), service.retry(failed, parameters, settings)]);
	expect(service.requests.filter((request) => request.endsWith('/remind'))).toHaveLength(2);
});

it('Two nodes of a workflow with equal items, both in doubt, each get their own document', async () => {
	const parameters = await service.templateSend('T');
	const node = { type: TYPE, parameters, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const workflow = service.n8n.workflow(
		[
			{ name: 'One', ...node },
			{ name: 'Two', ...node },
		],
		{ connections: { One: { main: [[{ node: 'Two', type: 'main', index: 0 }]] } } },
	);
	service.lose('POST', TEMPLATE_SEND, DONE, { times: 2 });
	service.lose('GET', DOCUMENTS, DOWN, { times: 4 });
	const run = await service.n8n.execute(workflow, 'One');
	const ids = ['One', 'Two'].map((name) => nodeRun(run, name).items[0]?.json.id);
	const made = (await service.documents()).map(({ id }) => id);
	expect(made).toHaveLength(2);
	expect(ids.sort()).toEqual(made.sort());
});

it('What cannot be told apart is named once, and holds no correction up for ever', async () => {
	service.loseForGood(TEMPLATE_SEND, DONE, '"A"');
	const failed = await service.run(await service.templateSend('A'));
	service.mend();
	// Somebody else made the very same: nobody can tell which of the two is the item's.
	const { id } = await service.direct.template('Mutual NDA').then(async (template) => {
		const { recipientsJson } = await service.templateSend('A');
		const recipients = JSON.parse(String(recipientsJson)) as object[];
		return await service.direct.call('POST', `/templates/${template}/send`, { recipients, title: 'A' });
	});
	const told = await service.retry(failed, await service.templateSend('B'));
	for (const document of await service.documents()) expect(said(told.error)).toContain(document.id);
	expect(said(told.error)).toContain(String(id));
	await expect(service.titles()).resolves.toEqual(['A', 'A']);
	const again = await service.retry(told, await service.templateSend('B'));
	expect(titlesOf(again)).toEqual(['B']);
});
