import type { INode, INodeParameters } from 'n8n-workflow';
import type { Loss } from '../support/lateProxy';
import { asTool } from '../support/n8nCore/toolCalls';
import { callsOf } from '../client/support/faults';
import { DOCUMENTS, DONE, DOWN, REFUSED, TEMPLATE_SEND } from './support/losses';
import { hintsOf, LossyService, numbered, titlesOf } from './support/lossyService';
import { byId, createAndSend, RETRY, TYPE } from '../actions/support/workbench';

const service = LossyService.ofThisFile();

const FIELDS = /\/fields$/;
const TITLE = '={{ "T " + $json.n }}';
const RANDOM = '={{ "T " + $json.n + " " + Math.random() }}';

/** The answer is lost, and the document is there so many seconds later. */
const late = (seconds: number): Loss => ({ how: 'reset', afterMs: 10, effectMs: seconds * 1000 });

const kept = async () => (await service.documents()).map(({ id }) => id).sort();

describe('Retry On Fail', () => {
	it.each<[string, string, RegExp, string, Partial<INode>]>([
		['from a template', TITLE, TEMPLATE_SEND, 'T 2', {}],
		['from files', TITLE, DOCUMENTS, 'T 2', {}],
		['whose titles resolve differently at each try', RANDOM, TEMPLATE_SEND, 'T 2', {}],
		// n8n repeats everything when the first item has failed.
		['with Continue On Fail', TITLE, TEMPLATE_SEND, 'T 1', { onError: 'continueRegularOutput' }],
	])(
		'sends three documents once %s, where one of them is refused twice',
		async (_, title, path, refused, settings) => {
			service.lose('POST', path, REFUSED, { body: refused, times: 2 });
			const parameters =
				path === DOCUMENTS ? createAndSend(title) : await service.templateSend(title);
			const run = await service.run(parameters, await numbered(3), { ...RETRY, ...settings });
			expect(run.error).toBeUndefined();
			expect(run.items.map(({ json, pairedItem }) => [json.status, pairedItem])).toEqual(
				[0, 1, 2].map((item) => ['in_progress', { item }]),
			);
			await expect(service.titles()).resolves.toEqual(titlesOf(run).sort());
			expect(
				service.requests.filter((request) => path.test(request.replace('POST ', ''))),
			).toHaveLength(5);
		},
	);
});

it('A draft whose fields are not there after all is gone on with in Retry On Fail', async () => {
	service.lose('PUT', FIELDS, DOWN, { times: 2 });
	const run = await service.run(createAndSend('T'), await numbered(1), RETRY);
	expect(run.items.map(({ json }) => json.status)).toEqual(['in_progress']);
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});

it('What a retry has found after a lost answer is not what the next execution sends', async () => {
	const parameters = await service.templateSend('T');
	service.loseForGood(TEMPLATE_SEND, DONE);
	const failed = await service.run(parameters);
	service.mend();
	const [found, sent] = [await service.retry(failed, parameters), await service.run(parameters)];
	expect([...found.items, ...sent.items].map(({ json }) => json.id).sort()).toEqual(await kept());
});

describe('Retry On Fail after a lost answer', () => {
	it('keeps looking for what was sent, though the title resolves differently at each try', async () => {
		service.loseForGood(TEMPLATE_SEND, late(50));
		const { items } = await service.run(
			await service.templateSend('={{ "T " + Math.random() }}'),
			undefined,
			RETRY,
		);
		expect(items.map(({ json }) => json.id)).toEqual(await kept());
	});

	it('never sends a draft that came late, and says that there may be one', async () => {
		service.lose('POST', DOCUMENTS, late(55));
		const run = await service.run(createAndSend('T'), await numbered(1), RETRY);
		expect(run.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(hintsOf(run)).toContain(
			'There may be a second one like it: a draft, which is never sent',
		);
		await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
	});
});

describe('As the tool of an agent, with Retry On Fail', () => {
	const tool = (parameters: INodeParameters, waitBetweenTries = 1) =>
		asTool(service.n8n, TYPE, { parameters, settings: { ...RETRY, waitBetweenTries } });

	/** A tool gets no files. */
	async function ofUpload(recipient: object, more: INodeParameters = {}): Promise<INodeParameters> {
		const title = "={{ $fromAI('title') }}";
		const { id } = await service.direct.upload();
		return createAndSend(title, recipient, { fileSource: 'fileIds', fileIds: id, ...more });
	}

	it('a lost answer leaves one document, though every try has a run index of its own', async () => {
		service.loseForGood(TEMPLATE_SEND, late(50));
		const call = tool(await service.templateSend("={{ $fromAI('title') }}"));
		const [made] = (await call({ title: 'T' })) as Array<{ id: string }>;
		await expect(kept()).resolves.toEqual([made?.id]);
	});

	it.each(['manual', 'retry'] as const)(
		'a call that is made twice is done twice, also at once (%s)',
		async (mode) => {
			const parameters = await service.templateSend("={{ $fromAI('title') }}");
			const call = asTool(service.n8n, TYPE, { parameters, mode });
			await call({ title: 'T' });
			await call({ title: 'T' });
			await expect(kept()).resolves.toHaveLength(2);
			await Promise.all([call({ title: 'T' }), call({ title: 'T' })]);
			await expect(kept()).resolves.toHaveLength(4);
		},
	);

	it('a draft is gone on with when a later step fails', async () => {
		service.lose('PUT', FIELDS, REFUSED);
		const call = tool(
			await ofUpload({ name: 'Ada', email: 'ada@example.com' }, { operation: 'create' }),
		);
		await expect(call({ title: 'T' })).resolves.toMatchObject([{ status: 'draft' }]);
		await expect(kept()).resolves.toHaveLength(1);
	});

	it('a call that has failed is not gone on with by one for somebody else, made before the next try', async () => {
		service.lose('PUT', FIELDS, REFUSED);
		const parameters = await ofUpload({ name: 'Somebody', email: "{{ $fromAI('email') }}" });
		parameters.recipientsJson = `=${String(parameters.recipientsJson)}`;
		const call = tool(parameters, 500);
		const callFor = async (one: string) => await call({ title: one, email: `${one}@example.com` });
		const first = callFor('Ada');
		while (!service.requests.some((request) => request.endsWith('/fields')))
			await new Promise(setImmediate);
		await service.direct.documents();
		// n8n may give the next try of the first call what the model said in the second, but never half
		// of each.
		type Made = Array<{ title: string; recipients: Array<{ email: string }> }>;
		for (const [made] of (await Promise.all([callFor('Bo'), first])) as Made[]) {
			const [name] = made?.title.split(' ') ?? [];
			expect(made?.recipients.map((one) => one.email)).toEqual([`${name}@example.com`]);
		}
	});

	it('a reminder whose answer is lost goes out once, also when the model asks again', async () => {
		const { id } = await service.direct.send('T', ['ada@example.com']);
		service.lose('POST', /\/remind$/, late(0));
		const call = tool({
			resource: 'document',
			operation: 'remind',
			documentId: byId("={{ $fromAI('id') }}"),
		});
		const inDoubt = [{ document_id: id, reminded: null, in_doubt: true }];
		await expect(call({ id })).resolves.toEqual(inDoubt);
		await service.documents();
		expect(await callsOf(service.sandbox, 'POST /documents/{id}/remind')).toBe(1);
	});
});
