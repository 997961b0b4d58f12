import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Recorded } from '../actions/support/serviceRecord';
import { bench, openBench } from '../actions/support/operationRun';
import { byId, DRAFT, RETRY, withContract } from '../actions/support/workbench';

openBench();

const REFUSAL = { error: { code: 'api_not_enabled', message: 'No', requiredPlan: 'BUSINESS' } };
const TEN = Array.from({ length: 10 }, (_, index) => index + 1);

const signer = (name: string): INodeParameters => ({
	recipients: { recipient: [{ name: 'Ada', email: name, type: 'signer' }] },
});

async function templateItems(): Promise<INodeExecutionData[]> {
	const templates = await bench.prepare('template', 'getAll');
	const offer = templates.find(({ name }) => name === 'Offer Letter');
	return TEN.map((number) => ({ json: { number, template: offer?.id } }));
}

const SEND: INodeParameters = {
	templateId: byId('={{ $json.template }}'),
	recipientsInput: 'json',
	recipientsJson:
		'={{ [{ role: "Candidate", name: "N", email: `n${$json.number}@example.com` }, { role: "HR", name: "H", email: "hr@example.com" }] }}',
	additionalFields: { title: '={{ "Offer " + $json.number }}' },
};

/** Refuses the request of item 7 this often, in a way that no retry of the client's own can mend. */
function refuseSeventh(times: number, path: RegExp): void {
	const isSeventh = ({ method, path: asked, body }: Recorded) =>
		method === 'POST' && path.test(asked) && JSON.stringify(body).includes('Offer 7');
	for (let time = 0; time < times; time++) bench.proxy.refuseNext(isSeventh, 402, REFUSAL);
}

async function titles(): Promise<string[]> {
	const { items } = await bench.run('document', 'getAll', { returnAll: true });
	return items.map(({ json }) => String(json.title)).sort();
}

const expectedTitles = TEN.map((number) => `Offer ${number}`).sort();

describe('Retry On Fail with item 7 of 10 failing twice', () => {
	it('sends ten documents from the template, not twenty-two', async () => {
		const items = await templateItems();
		refuseSeventh(2, /\/send$/);
		const run = await bench.run('template', 'send', SEND, { items, settings: RETRY });
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			TEN.map((number, item) => [`Offer ${number}`, { item }]),
		);
		expect(bench.takeRequests()).toHaveLength(12);
		await expect(titles()).resolves.toEqual(expectedTitles);
	});

	it('creates ten documents, not twenty-two', async () => {
		const items = await withContract(...TEN.map((number) => ({ number })));
		refuseSeventh(2, /^\/documents$/);
		const parameters = { ...DRAFT, title: '={{ "Offer " + $json.number }}' };
		const run = await bench.run('document', 'createAndSend', parameters, { items, settings: RETRY });
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ json }) => json.status)).toEqual(TEN.map(() => 'in_progress'));
		await expect(titles()).resolves.toEqual(expectedTitles);
	});

	it('sends ten with Continue On Fail too, which repeats everything when the first item has failed', async () => {
		const items = await templateItems();
		const isFirst = ({ body }: Recorded) => JSON.stringify(body ?? '').includes('n1@example.com');
		bench.proxy.refuseNext(isFirst, 402, REFUSAL);
		bench.proxy.refuseNext(isFirst, 402, REFUSAL);
		const settings = { ...RETRY, onError: 'continueRegularOutput' as const };
		const run = await bench.run('template', 'send', SEND, { items, settings });
		expect(run.items.filter(({ json }) => json.error !== undefined)).toEqual([]);
		await expect(titles()).resolves.toEqual(expectedTitles);
	});

	it('sends ten though an expression resolves differently at each try', async () => {
		const items = await templateItems();
		refuseSeventh(1, /\/send$/);
		const title = '={{ "Offer " + $json.number + " " + Math.random() }}';
		const run = await bench.run(
			'template',
			'send',
			{ ...SEND, additionalFields: { title } },
			{ items, settings: RETRY },
		);
		expect(run.error).toBeUndefined();
		await expect(titles()).resolves.toHaveLength(10);
	});
});

describe('A document whose later step fails', () => {
	it.each([
		['placing its fields', 'PUT', /\/fields$/],
		['sending it', 'POST', /\/send$/],
	])('is resumed from its draft: %s', async (_, method, path) => {
		bench.proxy.refuseNext((asked) => asked.method === method && path.test(asked.path), 402, REFUSAL);
		const run = await bench.run('document', 'createAndSend', DRAFT, {
			items: await withContract({}, {}),
			settings: RETRY,
		});
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ json }) => json.status)).toEqual(['in_progress', 'in_progress']);
		const posts = bench.takeRequests().filter((asked) => asked.method === 'POST' && asked.path === '/documents');
		expect(posts).toHaveLength(2);
		await expect(titles()).resolves.toHaveLength(2);
	});

	it('is resumed from its draft though an expression resolves differently at each try', async () => {
		bench.proxy.refuseNext(({ method, path }) => method === 'PUT' && /\/fields$/.test(path), 402, REFUSAL);
		const title = '={{ "Offer " + Math.random() }}';
		const parameters = { ...DRAFT, title };
		const run = await bench.run('document', 'create', parameters, { items: await withContract({}), settings: RETRY });
		expect(run.error).toBeUndefined();
		await expect(titles()).resolves.toEqual([run.items[0]?.json.title]);
	});

	it('says which draft it left behind, and at which step', async () => {
		bench.proxy.refuseNext(({ path }) => /\/send$/.test(path), 402, REFUSAL);
		const { error } = await bench.run('document', 'createAndSend', DRAFT, { items: await withContract({}) });
		const [draft] = (await bench.run('document', 'getAll', { returnAll: true })).items;
		expect(error?.message).toMatch(
			new RegExp(`^The draft ${String(draft?.json.id)} was created, but sending it failed: `),
		);
		expect(error?.description).toContain(`use Update Fields and Send`);
		expect(error).toMatchObject({ httpCode: '402', context: { itemIndex: 0, documentId: draft?.json.id } });
	});
});

describe('What is remembered', () => {
	it('does not outlive the run: the same item in the next execution is sent again', async () => {
		const items = (await templateItems()).slice(0, 1);
		await bench.run('template', 'send', SEND, { items });
		await bench.run('template', 'send', SEND, { items });
		await expect(titles()).resolves.toEqual(['Offer 1', 'Offer 1']);
	});

	it('is nothing for reading operations, which are asked again', async () => {
		const [draft] = await bench.prepare('document', 'create', { ...signer('ada@example.com') });
		bench.proxy.refuseNext(({ path }) => path.endsWith('doc_unknown'), 402, REFUSAL);
		const items = [{ json: { id: draft?.id } }, { json: { id: 'doc_unknown' } }];
		await bench.run(
			'document',
			'get',
			{ documentId: byId('={{ $json.id }}') },
			{
				items,
				settings: { ...RETRY, maxTries: 2 },
			},
		);
		expect(bench.takeRequests().map(({ path }) => path)).toEqual([
			`/documents/${String(draft?.id)}`,
			'/documents/doc_unknown',
			`/documents/${String(draft?.id)}`,
			'/documents/doc_unknown',
		]);
	});
});
