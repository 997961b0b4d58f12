import type { INodeParameters } from 'n8n-workflow';
import { ADA, createAndSend } from '../actions/support/workbench';
import { DONE, hintsOf, numbered, REFUSED, SEND, TEMPLATE_SEND, titlesOf } from './support/lossyService';
import { BACK, esign, GIVEN, TELL, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const TITLE = '={{ "T " + $json.n }}';

/** After a retry that failed, the editor stays on the first execution, and offers its Retry again. */
describe('Retry execution, of any execution of the line', () => {
	it('sends only what no try has sent, however often', async () => {
		const parameters = await service.templateSend(TITLE);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const first = await service.run(parameters, await numbered(3));
		expect(first.error).toMatchObject({ httpCode: '402' });
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
		expect((await service.retry(first, parameters)).error).toBeDefined();
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		// Corrected to what resolves the same for the items that are done.
		const corrected = await service.templateSend('={{ "T " + Math.round($json.n) }}');
		for (let again = 0; again < 2; again++) {
			const { items } = await service.retry(first, corrected);
			expect(items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
				[0, 1, 2].map((item) => [`T ${item + 1}`, { item }]),
			);
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
		}
	});

	it('sends nothing twice where an item had failed because its parameters could not be read', async () => {
		const bad = await service.templateSend("={{ $json.n === 2 ? $('Nowhere').item.json.x : 'T ' + $json.n }}");
		const first = await service.run(bad, await numbered(2));
		expect(first.error).toBeDefined();
		for (let again = 0; again < 2; again++) {
			expect(titlesOf(await service.retry(first, await service.templateSend(TITLE)))).toEqual(['T 1', 'T 2']);
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		}
	});

	it('sends nothing twice after a hundred other executions that have failed', async () => {
		const parameters = await service.templateSend(TITLE);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const first = await service.run(parameters, await numbered(2));
		await service.retry(first, parameters);
		const other = await service.templateSend('Other');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'Other', times: 100 });
		for (let count = 0; count < 100; count++) await service.run(other);
		expect(titlesOf(await service.retry(first, parameters))).toEqual(['T 1', 'T 2']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});

	it('sends nothing twice that a retry has sent at a later node', async () => {
		const one = esign('One', await service.templateSend('First'));
		const two = esign('Two', await service.templateSend('Second'));
		// Back gives another value at each try.
		const lines = ['Given > One', 'One > Back', 'Back > Two', 'Two > Tell'];
		const workflow = workflows.flow([GIVEN, one, BACK, two, TELL], ...lines);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'First' });
		workflows.failures = 3;
		const first = await workflows.run(workflow);
		await Promise.all([service.n8n.retry(workflow, first), service.n8n.retry(workflow, first)]);
		await service.n8n.retry(workflow, first);
		await expect(service.titles()).resolves.toEqual(['First', 'Second']);
		// n8n's API retries what has succeeded meanwhile as well.
		for (let again = 0; again < 2; again++) {
			expect((await service.n8n.retry(workflow, first)).data.resultData.error).toBeUndefined();
			await expect(service.titles()).resolves.toEqual(['First', 'Second']);
		}
	});

	it('sends nothing twice that a retry has sent in a round of a loop', async () => {
		workflows.items = await numbered(4);
		const workflow = workflows.loop(await service.templateSend(TITLE));
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 4' });
		const first = await workflows.run(workflow);
		await service.n8n.retry(workflow, first);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
		const last = await service.n8n.retry(workflow, first);
		expect(last.data.resultData.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3', 'T 4']);
	});

	it.each(['a template', 'files'])(
		'sends no correction while what a lost answer had sent from %s is out, and says so every time',
		async (source) => {
			const titled = async (title: string) =>
				source === 'files' ? createAndSend(title) : await service.templateSend(title);
			service.loseForGood(TEMPLATE_SEND, DONE);
			service.loseSend(DONE);
			const first = await service.run(await titled('Typo'), workflows.items);
			service.mend();
			const [made] = await service.documents();
			for (let again = 0; again < 3; again++) {
				const told = await service.retry(first, await titled('Correct'));
				expect(told.error?.message).toBe(`The document ${made?.id} was already sent by an earlier try`);
				await expect(service.titles()).resolves.toEqual(['Typo']);
			}
			await service.direct.api('POST', `/documents/${made?.id}/cancel`);
			expect(titlesOf(await service.retry(first, await titled('Correct')))).toEqual(['Correct']);
		},
	);
});

it('A template document whose embed links alone were asked for since does not come out without them', async () => {
	service.loseForGood(TEMPLATE_SEND, DONE);
	const first = await service.run(await service.templateSend('T'), workflows.items);
	service.mend();
	const told = await service.retry(first, await service.templateSend('T', { embed: true }));
	const [made] = await service.documents();
	expect(told.error?.message).toBe(`The document ${made?.id} was already sent by an earlier try`);
	expect(titlesOf(await service.retry(first, await service.templateSend('T')))).toEqual(['T']);
	await expect(service.titles()).resolves.toEqual(['T']);
});

const box = { recipient: ADA.email, type: 'SIGNATURE', pageNumber: 1, xNorm: 0.5, yNorm: 0.5 };
const fieldsJson = JSON.stringify([{ ...box, widthNorm: 0.2, heightNorm: 0.1 }]);

it('A draft that is out does not come out as the item whose fields alone were corrected since', async () => {
	service.loseSend(DONE);
	const first = await service.run(createAndSend('T'), workflows.items);
	service.mend();
	const corrected = createAndSend('T', ADA, { fieldsInput: 'json', fieldsJson });
	const told = await service.retry(first, corrected);
	const [made] = await service.documents();
	expect(told.error?.message).toBe(`The document ${made?.id} was already sent by an earlier try`);
	await service.direct.api('POST', `/documents/${made?.id}/cancel`);
	expect(titlesOf(await service.retry(first, corrected))).toEqual(['T']);
});

describe('A draft whose send was refused', () => {
	it.each<[string, INodeParameters]>([
		['as it is', {}],
		['with the fields that were corrected', { fieldsInput: 'json', fieldsJson }],
	])('is gone on with, %s', async (_, corrected) => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(createAndSend('T'), await numbered(2));
		const again = await service.retry(failed, createAndSend('T', ADA, corrected));
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress', 'in_progress']);
		await expect(service.documents()).resolves.toHaveLength(2);
	});

	it.each([
		['address', { email: 'ada@right.example' }],
		['name', { name: 'Ada Lovelace' }],
	])(
		'never goes to a recipient whose %s was corrected in a variable: it is named, and another made',
		async (_, correction) => {
			const { variables } = service.n8n;
			Object.assign(variables, { email: 'ada@wrong.example', name: 'Ada' });
			const parameters = createAndSend('T', { name: '{{ $vars.name }}', email: '{{ $vars.email }}' });
			parameters.recipientsJson = `=${String(parameters.recipientsJson)}`;
			service.lose('POST', SEND, REFUSED);
			const failed = await service.run(parameters, await numbered(1));
			const [draft] = await service.documents();

			const corrected = Object.assign(variables, correction);
			const again = await service.retry(failed, parameters);
			expect(again.error).toBeUndefined();
			expect(hintsOf(again)).toContain(`The draft ${draft?.id} of an earlier try is never sent`);
			expect(again.items.map(({ json }) => json)).toMatchObject([{ status: 'in_progress', recipients: [corrected] }]);
			expect((await service.documents()).map(({ status }) => status).sort()).toEqual(['draft', 'in_progress']);
		},
	);
});
