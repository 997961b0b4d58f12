import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';
import { createAndSend } from '../actions/support/workbench';
import { nodeRun } from '../support/n8nCore/n8n';
import { DOCUMENTS, DONE, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { numbered } from './support/lossyService';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import { NAMED, outputsOf, savedAs, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const GIVE_IT_THE_TITLE =
	/If it is this one, set Skip If Created Within .* looks for title and recipients, give it those of that document, and retry/;

const skipping = (parameters: INodeParameters): INodeParameters => ({
	...parameters,
	additionalFields: {
		...(parameters.additionalFields as INodeParameters),
		skipIfCreatedWithin: 24,
	},
});

function expectNamed(run: IRun): void {
	expect(nodeRun(run, 'eSign').error).toMatchObject({
		message: expect.stringMatching(NAMED) as string,
		description: expect.stringMatching(GIVE_IT_THE_TITLE) as string,
	});
}

async function bareRows(count: number, nameOf = (row: number) => `${row}`) {
	const items = await numbered(count);
	return items.map(({ binary }, row): INodeExecutionData => ({
		json: {},
		binary: { data: { ...binary!.data!, fileName: nameOf(row) } },
	}));
}

describe('What was named, and is this one, comes out as the message says:', () => {
	it.each([
		['for other people', true, {}, 'ada@example.org'],
		['for other people, without data', false, {}, 'ada@example.org'],
		['under another title, without data', false, { title: 'U' }, 'ada@example.com'],
	])('a template that n8n was killed at, and that was corrected since, %s', async (...given) => {
		const [, hasData, changed, email] = given;
		workflows.items = hasData ? await rowsAt('ten', 'A') : [{ json: {} }];
		const parameters = await toAda(service, 'T');
		const workflow = workflows.list(parameters);
		service.lose('POST', TEMPLATE_SEND, DONE);
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow);
		const corrected = workflows.list({
			...parameters,
			additionalFields: { title: 'T', ...changed },
			recipientsJson: `={{ [{ role: "Signer", name: "Ada", email: "${email}" }] }}`,
		});
		const retried = await workflows.retryLater(savedAs(workflow, corrected), killed);
		expectNamed(retried);
		const asItWas = workflows.list(skipping(parameters));
		const last = await workflows.retryLater(savedAs(workflow, asItWas), retried);
		expect(outputsOf(last).map(({ title }) => title)).toEqual(['T']);
		await expect(sentTitles(service)).resolves.toEqual(['T']);
	});

	it('rows without data under another title, where n8n was killed at the last one', async () => {
		const titled = (title: string) => createAndSend(`={{ "${title} " + $itemIndex }}`);
		workflows.items = await bareRows(3);
		const workflow = workflows.list(titled('T'));
		service.lose('POST', SEND, NOT_DONE, { skip: 2 });
		const killed = await workflows.killedAt(SEND, workflow, 2);
		await expect(sentTitles(service)).resolves.toEqual(['T 0', 'T 1']);
		const corrected = savedAs(workflow, workflows.list(titled('U')));
		const retried = await workflows.retryLater(corrected, killed);
		expectNamed(retried);
		const asTheyWere = savedAs(workflow, workflows.list(skipping(titled('T'))));
		const last = await workflows.retryLater(asTheyWere, retried);
		expect(outputsOf(last).map(({ title }) => title)).toEqual(['T 0', 'T 1', 'T 2']);
		await expect(sentTitles(service)).resolves.toEqual(['T 0', 'T 1', 'T 2']);
	});

	it('a row without data whose title changes by itself', async () => {
		workflows.items = await bareRows(1, () => 'ten.pdf');
		const workflow = workflows.list(createAndSend('={{ $binary.data.fileName }}'));
		service.lose('POST', SEND, DONE);
		const killed = await workflows.killedAt(SEND, workflow);
		workflows.items = await bareRows(1, () => 'eleven.pdf');
		const retried = await workflows.retryLater(workflow, killed);
		expectNamed(retried);
		const likewise = savedAs(workflow, workflows.list(skipping(createAndSend('ten.pdf'))));
		const last = await workflows.retryLater(likewise, retried);
		expect(outputsOf(last)).toMatchObject([{ title: 'ten.pdf', already_existed: true }]);
		await expect(sentTitles(service)).resolves.toEqual(['ten.pdf']);
	});
});

it('What a person has said to be this one is not sent where the node is corrected once more', async () => {
	workflows.items = await bareRows(2);
	const make = (title: string, change = (parameters: INodeParameters) => parameters) =>
		workflows.list(change(createAndSend(`={{ "${title} " + $itemIndex }}`)));
	const workflow = make('T');
	service.lose('POST', DOCUMENTS, REFUSED);
	const first = await workflows.run(workflow);
	service.lose('POST', DOCUMENTS, REFUSED, { skip: 1 });
	await service.n8n.retry(workflow, first);
	await expect(sentTitles(service)).resolves.toEqual(['T 0']);
	const named = await service.n8n.retry(savedAs(workflow, make('U')), first);
	expect(named.data.resultData.error?.message).toMatch(NAMED);

	service.lose('POST', DOCUMENTS, REFUSED);
	await service.n8n.retry(savedAs(workflow, make('T', skipping)), named);
	const again = await service.n8n.retry(savedAs(workflow, make('V', skipping)), first);
	expect(again.data.resultData.error?.message).toMatch(NAMED);
	await expect(sentTitles(service)).resolves.toEqual(['T 0']);
});
