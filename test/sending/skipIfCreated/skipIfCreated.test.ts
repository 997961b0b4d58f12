import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { asTool } from '../../support/n8nCore/toolCalls';
import { bench, clock, openBench, templateIds } from '../../actions/support/operationRun';
import { byId, DRAFT, RETRY, TYPE, withContract } from '../../actions/support/workbench';
import { otherProcess } from '../support/otherProcess';

openBench();

/** A row of a list: whom an offer goes to, and what it is called. */
interface Row {
	title?: string;
	candidate: string;
}

const OFFER: INodeParameters = {
	templateId: byId('={{ $json.template }}'),
	recipientsInput: 'json',
	recipientsJson:
		'={{ [{ role: "HR", name: "H", email: "hr@example.com" }, { role: "Candidate", name: "N", email: $json.candidate }] }}',
};
const TITLED = { title: '={{ $json.title }}', skipIfCreatedWithin: 24 };

async function rows(...list: Row[]): Promise<INodeExecutionData[]> {
	const { offer } = await templateIds();
	return list.map((row) => ({ json: { ...row, template: offer } }));
}

const calls = () =>
	bench.takeRequests().map(({ method, path }) => `${method} ${path.replace(/tpl_\w+/, '{id}')}`);

/** Sends offers, and says what came out and which requests that took. */
async function send(items: INodeExecutionData[], additionalFields: INodeParameters = TITLED) {
	const settings = { onError: 'continueRegularOutput' as const };
	const run = await bench.run(
		'template',
		'send',
		{ ...OFFER, additionalFields },
		{ items, settings },
	);
	return { output: run.items.map(({ json }) => json), calls: calls(), hints: run.hints };
}

const LIST = 'GET /documents';
const POST = 'POST /templates/{id}/send';

describe('With Skip If Created Within, a template that was sent', () => {
	it('is returned instead of being sent, for one request', async () => {
		const items = await rows({ title: 'Offer', candidate: 'ada@example.com' });
		const first = await send(items);
		expect(first.calls).toEqual([LIST, POST]);
		expect(first.output[0]).not.toHaveProperty('already_existed');
		const second = await send(items);
		expect(second.calls).toEqual([LIST]);
		expect(second.output).toEqual([{ ...first.output[0], already_existed: true }]);
		const message = `There already, so nothing was created or sent (Skip If Created Within): ${String(second.output[0]?.id)}`;
		expect(first.hints).not.toContainEqual(expect.objectContaining({ message }));
		expect(second.hints).toContainEqual(expect.objectContaining({ message, type: 'info' }));
	});

	it('without a title is found by the name of the template, which is read once', async () => {
		const people = await rows({ candidate: 'ada@example.com' }, { candidate: 'bob@example.com' });
		const untitled = { skipIfCreatedWithin: 24 };
		const read = 'GET /templates/{id}';
		expect((await send(people, untitled)).calls).toEqual([read, LIST, POST, POST]);
		const { output, calls: made } = await send(people, untitled);
		const existing = { title: 'Offer Letter', already_existed: true };
		expect(output).toMatchObject([existing, existing]);
		expect(made).toEqual([LIST]);
	});

	it('without a title is sent in turn with one that has the name of the template as its title', async () => {
		const [row] = await rows({ title: 'Offer Letter', candidate: 'ada@example.com' });
		const untitled = { skipIfCreatedWithin: 24 };
		const run = async (options: INodeParameters) => await send(row ? [row] : [], options);
		const runs = await Promise.all([run(untitled), run(TITLED), run(untitled)]);
		expect(new Set(runs.map(({ output }) => output[0]?.id)).size).toBe(1);
	});

	it('is listed once for all items, and of equal items only the first is sent', async () => {
		const list = Array.from({ length: 12 }, (_, index) => ({
			title: `Offer ${index % 10}`,
			candidate: 'a@example.com',
		}));
		const { output, calls: made } = await send(await rows(...list));
		expect(made).toEqual([LIST, ...Array.from({ length: 10 }, () => POST)]);
		expect(output.map(({ already_existed: existed }) => existed === true)).toEqual(
			list.map((_, index) => index >= 10),
		);
		expect(output.slice(10).map(({ id }) => id)).toEqual(output.slice(0, 2).map(({ id }) => id));
		const again = await send(await rows(...list));
		expect(again.calls).toEqual([LIST]);
		expect(again.output.map(({ id }) => id)).toEqual(output.map(({ id }) => id));
	});

	it.each([0, 'soon'])('%p for the hours is refused before any request', async (hours) => {
		const items = await rows({ title: 'A', candidate: 'a@example.com' });
		const { output, calls: made } = await send(items, { skipIfCreatedWithin: hours });
		expect(output[0]?.error).toContain('Skip If Created Within (Hours)');
		expect(made).toEqual([]);
	});

	it('is looked for once; Retry On Fail sends what is missing', async () => {
		const items = await rows(
			...['1', '2', '3'].map((title) => ({ title, candidate: 'a@example.com' })),
		);
		const refusal = { error: { code: 'api_not_enabled', message: 'No', requiredPlan: 'BUSINESS' } };
		const isThird = (body: unknown) => JSON.stringify(body ?? '').includes('"title":"3"');
		bench.proxy.refuseNext(({ body }) => isThird(body), 402, refusal);
		const run = await bench.run(
			'template',
			'send',
			{ ...OFFER, additionalFields: TITLED },
			{ items, settings: RETRY },
		);
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ json }) => [json.title, json.already_existed])).toEqual(
			['1', '2', '3'].map((title) => [title, undefined]),
		);
		expect(calls()).toEqual([LIST, POST, POST, POST, POST]);
	});

	it('is returned where an agent asks twice; hours that the model leaves out mean no look', async () => {
		const [{ json: { template } = {} } = {}] = await rows({ candidate: '' });
		const additionalFields = {
			title: 'Offer of an agent',
			skipIfCreatedWithin: '={{ $fromAI("hours", "", "number") }}',
		};
		const recipientsJson = String(OFFER.recipientsJson).replace(
			'$json.candidate',
			'"ada@example.com"',
		);
		const operation = {
			resource: 'template',
			operation: 'send',
			...OFFER,
			templateId: byId(template),
		};
		const tool = asTool(bench.n8n, TYPE, {
			parameters: { ...operation, recipientsJson, additionalFields },
		});
		const ask = async (said: IDataObject) => [await tool(said)].flat() as IDataObject[];
		const [first] = await ask({ hours: 24 });
		await expect(ask({ hours: 24 })).resolves.toMatchObject([
			{ id: first?.id, already_existed: true },
		]);
		const [other] = await ask({});
		expect(other?.id).not.toBe(first?.id);
		expect(calls()).toEqual([LIST, POST, POST]);
	});
});

describe('Document > Create and Send', () => {
	const parameters: INodeParameters = {
		...DRAFT,
		recipientsInput: 'json',
		recipientsJson: '={{ $json.people }}',
		title: 'Contract',
		additionalFields: { skipIfCreatedWithin: 24 },
	};
	const ADA = { name: 'Ada', email: 'ada@example.com' };
	const COPY = { name: 'Copy', email: 'copy@example.com', type: 'cc' };

	it('uploads nothing for a document that is there, whatever the order of its recipients', async () => {
		const create = async (...people: IDataObject[]) =>
			await bench.run('document', 'createAndSend', parameters, {
				items: await withContract({ people }),
			});
		const [first] = (await create(ADA, COPY)).items;
		bench.takeRequests();
		const second = await create(COPY, { ...ADA, name: 'A. Lovelace' });
		expect(second.items).toMatchObject([{ json: { id: first?.json.id, already_existed: true } }]);
		expect(calls()).toEqual([LIST]);
		expect((await create(ADA)).items[0]?.json).not.toHaveProperty('already_existed');
	});

	it('continues with its own draft after a step has failed, though drafts count where a draft is wanted', async () => {
		const refusal = { error: { code: 'api_not_enabled', message: 'No' } };
		bench.proxy.refuseNext(({ method }) => method === 'PUT', 402, refusal);
		const items = await withContract({ people: [ADA] });
		const draft = { ...parameters, title: 'Draft contract' };
		const run = await bench.run('document', 'create', draft, { items, settings: RETRY });
		expect(run.error).toBeUndefined();
		expect(run.items[0]?.json).toMatchObject({ status: 'draft', fields: [{ type: 'SIGNATURE' }] });
		expect(run.items[0]?.json).not.toHaveProperty('already_existed');
		await expect(bench.direct.documents()).resolves.toHaveLength(1);
	});
});

describe('A run of twelve rows that is cut off', () => {
	const ROWS = 12;
	const parameters = {
		resource: 'template',
		operation: 'send',
		...OFFER,
		additionalFields: TITLED,
	};

	/** An n8n that has just been started. */
	const freshN8n = async () =>
		await otherProcess({ clock }, { baseUrl: bench.proxy.url, apiKey: bench.sandbox.keys.test });

	/** In the list, in the first sends, in one of them, in the last ones. */
	it.each([1, 2, 3, 8, ROWS, ROWS + 1])(
		'after request %d, and started again: twelve documents, none twice',
		async (after) => {
			const list = Array.from({ length: ROWS }, (_, index) => ({
				title: `Offer ${index}`,
				candidate: 'a@example.com',
			}));
			const items = await rows(...list);
			const stop = new AbortController();
			const cutOff = (await freshN8n()).runNode(TYPE, { parameters, items, signal: stop.signal });
			while (bench.proxy.seen().length < after) await nextTurn();
			stop.abort();
			await cutOff;
			// The service carries out what it has received, whether anybody waits for the answer or not.
			while (bench.proxy.seen().some(({ status }) => status === 0)) await nextTurn();
			const sentBefore = calls().filter((call) => call === POST).length;

			const run = await (await freshN8n()).runNode(TYPE, { parameters, items });
			expect(run.error).toBeUndefined();
			expect(calls()).toEqual([LIST, ...Array.from({ length: ROWS - sentBefore }, () => POST)]);
			expect(run.items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
				list.map(({ title }, item) => [title, { item }]),
			);
			expect(run.items.filter(({ json }) => json.already_existed === true)).toHaveLength(
				sentBefore,
			);
			const all = (await bench.direct.documents()).map(({ id }) => id);
			expect(all.sort()).toEqual(run.items.map(({ json }) => json.id).sort());
		},
	);
});
