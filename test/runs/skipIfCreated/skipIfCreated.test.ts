import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { asTool } from '../../../harness/n8nCore/toolCalls';
import { bench, openBench, templateIds } from '../../actions/support/operationRun';
import { byId, DRAFT, withContract } from '../../actions/support/workbench';

openBench();

/** A row of a list: whom an offer goes to, and what it is called. */
interface Row {
	title?: string;
	candidate: string;
	hr?: string;
}

const OFFER: INodeParameters = {
	templateId: byId('={{ $json.template }}'),
	recipientsInput: 'json',
	recipientsJson:
		'={{ [{ role: "HR", name: "H", email: $json.hr || "hr@example.com" }, { role: "Candidate", name: "N", email: $json.candidate }] }}',
};

async function rows(...list: Row[]): Promise<INodeExecutionData[]> {
	const { offer } = await templateIds();
	return list.map((row) => ({ json: { ...row, template: offer } }));
}

/** Sends offers, and says what came out and which requests that took. */
async function send(items: INodeExecutionData[], changed: INodeParameters = {}, titled = true) {
	const options: IDataObject = { skipIfCreatedWithin: 24, ...(titled && { title: '={{ $json.title }}' }) };
	const { additionalFields, ...others } = changed;
	const parameters = { ...OFFER, ...others, additionalFields: { ...options, ...(additionalFields as object) } };
	const settings = { onError: 'continueRegularOutput' as const };
	const run = await bench.run('template', 'send', parameters as INodeParameters, { items, settings });
	const calls = bench.takeRequests().map(({ method, path }) => `${method} ${path.replace(/tpl_\w+/, '{id}')}`);
	return { output: run.items.map(({ json }) => json), calls };
}

const LIST = 'GET /documents';
const POST = 'POST /templates/{id}/send';

async function everyDocument(): Promise<IDataObject[]> {
	const { items } = await bench.run('document', 'getAll', { returnAll: true });
	bench.takeRequests();
	return items.map(({ json }) => json);
}

const recipientOf = (document: IDataObject | undefined, role: string) =>
	String((document?.recipients as IDataObject[]).find((one) => one.role === role)?.id);

/** Lets time pass at the service, and the node see it in answers: of twenty readings of its clock the lowest counts. */
async function pass(seconds: number): Promise<void> {
	await bench.sandbox.control.advance(seconds);
	await bench.run('account', 'get', {}, { items: Array.from({ length: 20 }, () => ({ json: {} })) });
	bench.takeRequests();
}

describe('With Skip If Created Within, a template that was sent', () => {
	it('comes out again instead of being sent, for one request', async () => {
		const items = await rows({ title: 'Offer', candidate: 'ada@example.com' });
		const first = await send(items);
		expect(first.calls).toEqual([LIST, POST]);
		expect(first.output[0]).not.toHaveProperty('already_existed');
		const second = await send(items);
		expect(second.calls).toEqual([LIST]);
		expect(second.output).toEqual([{ ...first.output[0], already_existed: true }]);
	});

	it.each<[string, Row]>([
		['in upper case', { title: 'Offer', candidate: 'ADA@Example.COM' }],
		['with spaces around the title', { title: '  Offer ', candidate: 'ada@example.com' }],
	])('is found %s', async (_, row) => {
		await send(await rows({ title: 'Offer', candidate: 'ada@example.com' }));
		const { output, calls } = await send(await rows(row));
		expect(output).toMatchObject([{ already_existed: true }]);
		expect(calls).toEqual([LIST]);
	});

	it.each<[string, Row]>([
		['another title', { title: 'Offer 2', candidate: 'ada@example.com' }],
		['a title in another case', { title: 'OFFER', candidate: 'ada@example.com' }],
		['another recipient', { title: 'Offer', candidate: 'bob@example.com' }],
		['another recipient of a copy', { title: 'Offer', candidate: 'ada@example.com', hr: 'boss@example.com' }],
	])('is not taken for one with %s', async (_, row) => {
		await send(await rows({ title: 'Offer', candidate: 'ada@example.com' }));
		const { output, calls } = await send(await rows(row));
		expect(output[0]).not.toHaveProperty('already_existed');
		expect(calls).toEqual([LIST, POST]);
		expect(await everyDocument()).toHaveLength(2);
	});

	it('is found by a title in any script, however its characters are composed', async () => {
		const title = 'Vertrag Nº 7 – Ünal & 株式会社 📄';
		await send(await rows({ title: title.normalize('NFC'), candidate: 'ada@example.com' }));
		const { output } = await send(await rows({ title: title.normalize('NFD'), candidate: 'ada@example.com' }));
		expect(output).toMatchObject([{ title: title.normalize('NFC'), already_existed: true }]);
	});

	it('without a title is found by the name of the template, which is read once', async () => {
		const people = await rows({ candidate: 'ada@example.com' }, { candidate: 'bob@example.com' });
		const read = 'GET /templates/{id}';
		expect((await send(people, {}, false)).calls).toEqual([read, LIST, POST, POST]);
		const { output, calls } = await send(people, {}, false);
		expect(output).toMatchObject([
			{ title: 'Offer Letter', already_existed: true },
			{ title: 'Offer Letter', already_existed: true },
		]);
		expect(calls).toEqual([read, LIST]);
	});

	it('is found by its title under a template of another name', async () => {
		await send(await rows({ title: 'Offer Letter', candidate: 'ada@example.com' }));
		expect((await send(await rows({ candidate: 'ada@example.com' }), {}, false)).output).toMatchObject([
			{ already_existed: true },
		]);
	});

	it('is sent again once the time is over, and not a moment before', async () => {
		const items = await rows({ title: 'Offer', candidate: 'ada@example.com' });
		const additionalFields = { skipIfCreatedWithin: 2 };
		await send(items, { additionalFields });
		await pass(2 * 3_600 - 10);
		expect((await send(items, { additionalFields })).output).toMatchObject([{ already_existed: true }]);
		await pass(20);
		expect((await send(items, { additionalFields })).calls).toEqual([LIST, POST]);
	});
});

describe('What counts as there already', () => {
	const end: Record<string, (document: IDataObject | undefined) => Promise<unknown>> = {
		in_progress: async () => undefined,
		completed: async (document) => await bench.sandbox.control.sign(recipientOf(document, 'Candidate')),
		declined: async (document) => await bench.sandbox.control.decline(recipientOf(document, 'Candidate')),
		cancelled: async (document) => await bench.prepare('document', 'cancel', { documentId: byId(document?.id) }),
		expired: async (document) => await bench.sandbox.control.expire(String(document?.id)),
	};

	it.each([
		['in_progress', true, true],
		['completed', true, true],
		['declined', true, true],
		['cancelled', false, false],
		['expired', false, false],
	])('a document that is %s: with Send on %s, with Send off %s', async (status, counts, countsAsDraft) => {
		const items = await rows({ title: 'Offer', candidate: 'ada@example.com' });
		const [document] = (await send(items)).output;
		await end[status]?.(document);
		for (const [isSent, expected] of [
			[false, countsAsDraft],
			[true, counts],
		] as const) {
			const [found] = (await send(items, { send: isSent })).output;
			expect([isSent, found?.already_existed === true && found.status === status]).toEqual([isSent, expected]);
		}
	});

	it("a draft counts with Send off only: nobody was written to, and it may be anybody's", async () => {
		const items = await rows({ title: 'Offer', candidate: 'ada@example.com' });
		const [draft] = (await send(items, { send: false })).output;
		expect((await send(items, { send: false })).output).toEqual([{ ...draft, already_existed: true }]);
		const [sent] = (await send(items)).output;
		expect(sent).not.toHaveProperty('already_existed');
		expect(sent?.id).not.toBe(draft?.id);
	});

	it('of several the newest comes out', async () => {
		const items = await rows({ title: 'Offer', candidate: 'ada@example.com' });
		await send(items, { additionalFields: { skipIfCreatedWithin: '' } });
		await bench.sandbox.control.advance(1);
		const [newer] = (await send(items, { additionalFields: { skipIfCreatedWithin: '' } })).output;
		expect((await send(items)).output).toMatchObject([{ id: newer?.id, already_existed: true }]);
	});
});

describe('In one run', () => {
	it('one list serves a hundred items, and of equal items only the first is sent', async () => {
		const list = Array.from({ length: 100 }, (_, index) => ({
			title: `Offer ${index % 98}`,
			candidate: 'a@example.com',
		}));
		const { output, calls } = await send(await rows(...list));
		expect(calls.filter((call) => call === LIST)).toHaveLength(1);
		expect(calls.filter((call) => call === POST)).toHaveLength(98);
		expect(output.map(({ already_existed: existed }) => existed === true)).toEqual(list.map((_, index) => index >= 98));
		expect(output.slice(98).map(({ id }) => id)).toEqual(output.slice(0, 2).map(({ id }) => id));
		const again = await send(await rows(...list));
		expect(again.calls).toEqual([LIST]);
		expect(again.output.map(({ id }) => id)).toEqual(output.map(({ id }) => id));
	});

	it('a list that cannot be read fails the items, and nothing is sent', async () => {
		const items = await rows({ title: 'A', candidate: 'a@example.com' }, { title: 'B', candidate: 'b@example.com' });
		const refusal = { error: { code: 'insufficient_scope', message: 'No' } };
		items.forEach(() => bench.proxy.refuseNext(({ path }) => path === '/documents', 403, refusal));
		const { output, calls } = await send(items);
		expect(calls).toEqual([LIST, LIST]);
		for (const json of output) {
			expect(json).toMatchObject({ code: 'insufficient_scope', httpCode: '403' });
			expect(json.description).toContain(
				'Nothing was created, because it is not known whether the document exists already',
			);
		}
		expect(await everyDocument()).toEqual([]);
	});

	it.each(['={{ $json.nothing }}', 0, -1, 'soon'])('%p for the hours is refused before any request', async (hours) => {
		const items = await rows({ title: 'A', candidate: 'a@example.com' });
		const { output, calls } = await send(items, { additionalFields: { skipIfCreatedWithin: hours } });
		expect(output[0]?.error).toContain('Skip If Created Within (Hours)');
		expect(calls).toEqual([]);
	});

	it('Retry On Fail sends what is missing: the list is read anew, and items done come from memory', async () => {
		const items = await rows(...['1', '2', '3'].map((title) => ({ title, candidate: 'a@example.com' })));
		const refusal = { error: { code: 'api_not_enabled', message: 'No', requiredPlan: 'BUSINESS' } };
		const isThird = (body: unknown) => JSON.stringify(body ?? '').includes('"title":"3"');
		bench.proxy.refuseNext(({ body }) => isThird(body), 402, refusal);
		const additionalFields = { title: '={{ $json.title }}', skipIfCreatedWithin: 24 };
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const run = await bench.run('template', 'send', { ...OFFER, additionalFields }, { items, settings });
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ json }) => [json.title, json.already_existed])).toEqual([
			['1', undefined],
			['2', undefined],
			['3', undefined],
		]);
		expect(bench.takeRequests().map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST', 'GET', 'POST']);
	});
});

describe('As a tool of an agent', () => {
	it('a call made twice gives the same document; hours that the model leaves out mean no look', async () => {
		const { offer } = await templateIds();
		bench.takeRequests();
		const recipient = [
			{ role: 'HR', name: 'H', email: 'hr@example.com' },
			{ role: 'Candidate', name: 'N', email: 'ada@example.com' },
		];
		const tool = asTool(bench.n8n, 'n8n-nodes-esign.eSign', {
			parameters: {
				resource: 'template',
				operation: 'send',
				templateId: byId(offer),
				recipientsInput: 'json',
				recipientsJson: JSON.stringify(recipient),
				additionalFields: { title: 'Offer', skipIfCreatedWithin: '={{ $fromAI("hours", "", "number") }}' },
			},
		});
		const [first] = [await tool({ hours: 24 })].flat() as Array<{ id: string }>;
		const again = [await tool({ hours: 24 })].flat();
		expect(again).toMatchObject([{ id: first?.id, already_existed: true }]);
		const [other] = [await tool({})].flat() as Array<{ id: string }>;
		expect(other?.id).not.toBe(first?.id);
		expect(bench.takeRequests().map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
	});
});

describe('Document > Create and Send', () => {
	const parameters = (changed: object = {}): INodeParameters => ({
		...DRAFT,
		recipientsInput: 'json',
		recipientsJson: '={{ $json.people }}',
		title: 'Contract',
		additionalFields: { skipIfCreatedWithin: 24, ...changed },
	});
	const ADA = { name: 'Ada', email: 'ada@example.com' };
	const COPY = { name: 'Copy', email: 'copy@example.com', type: 'cc' };

	it('uploads nothing for a document that is there, whatever the order of its recipients', async () => {
		const first = await bench.run('document', 'createAndSend', parameters(), {
			items: await withContract({ people: [ADA, COPY] }),
		});
		bench.takeRequests();
		const items = await withContract({ people: [COPY, { ...ADA, name: 'A. Lovelace' }] });
		const second = await bench.run('document', 'createAndSend', parameters(), { items });
		expect(second.items).toMatchObject([{ json: { id: first.items[0]?.json.id, already_existed: true } }]);
		expect(bench.takeRequests().map(({ path }) => path)).toEqual(['/documents']);
		const third = await bench.run('document', 'createAndSend', parameters(), {
			items: await withContract({ people: [ADA] }),
		});
		expect(third.items[0]?.json).not.toHaveProperty('already_existed');
	});

	it('goes on with its own draft after a step has failed, though drafts count where a draft is wanted', async () => {
		bench.proxy.refuseNext(({ method }) => method === 'PUT', 402, {
			error: { code: 'api_not_enabled', message: 'No' },
		});
		const run = await bench.run('document', 'create', parameters(), {
			items: await withContract({ people: [ADA] }),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(run.error).toBeUndefined();
		expect(run.items[0]?.json).toMatchObject({ status: 'draft', fields: [{ type: 'SIGNATURE' }] });
		expect(run.items[0]?.json).not.toHaveProperty('already_existed');
		expect(await everyDocument()).toHaveLength(1);
	});
});
