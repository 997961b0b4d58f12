import type { INodeParameters, Workflow } from 'n8n-workflow';
import { nodeRun } from '../support/n8nCore/n8n';
import { createAndSend } from '../actions/support/workbench';
import { DOCUMENTS, DONE, DOWN, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { retryIn } from './support/retryIn';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import { esign, GIVEN, ROUNDS, TELL, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const TITLE = '={{ "T " + $json.name }}';
const TEMPLATE = /^\/templates\/[^/]+$/;

const flowOf = (parameters: INodeParameters): Workflow =>
	workflows.flow([GIVEN, esign('eSign', parameters)], 'Given > eSign');

describe('An execution has failed, its retry has sent and failed later, and the first is retried again:', () => {
	it('the rounds of a loop whose rows note the time go out once', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const node = esign('eSign', await toAda(service, TITLE));
		const lines = ['Given > Rounds', 'Rounds > eSign', 'eSign > Rounds'];
		const workflow = workflows.flow([GIVEN, ROUNDS, node], ...lines);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await workflows.run(workflow);
		expect(first.data.resultData.error).toBeDefined();

		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T C' });
		const second = await service.n8n.retry(workflow, first);
		expect(second.data.resultData.error).toBeDefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);

		await service.clock.sleep(600_000);
		workflows.items = await rowsAt('twelve', 'A', 'B', 'C');
		const third = await service.n8n.retry(workflow, first);
		expect(third.data.resultData.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});

	it('what a second node sends goes out once, where one before it notes the time', async () => {
		workflows.items = await rowsAt('ten', 'A');
		const nodes = [
			GIVEN,
			esign('One', await toAda(service, 'Contract')),
			ROUNDS,
			esign('Two', await toAda(service, 'Letter')),
			TELL,
		];
		const lines = ['Given > One', 'One > Rounds', 'Rounds > Two', 'Two > Tell'];
		const workflow = workflows.flow(nodes, ...lines);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		workflows.failures = 1;
		const first = await workflows.run(workflow);
		workflows.items = await rowsAt('eleven', 'A');
		const second = await service.n8n.retry(workflow, first);
		expect(second.data.resultData.error).toBeDefined();
		await expect(sentTitles(service)).resolves.toEqual(['Contract', 'Letter']);

		await service.clock.sleep(600_000);
		workflows.items = await rowsAt('twelve', 'A');
		const third = await service.n8n.retry(workflow, first);
		expect(third.data.resultData.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['Contract', 'Letter']);
	});

	it('what a second node sends goes out once, where the first document was viewed since', async () => {
		workflows.items = [{ json: { name: 'A' } }];
		const nodes = [
			GIVEN,
			esign('One', await toAda(service, 'Contract')),
			esign('Two', await toAda(service, 'Letter')),
			TELL,
		];
		const workflow = workflows.flow(nodes, 'Given > One', 'One > Two', 'Two > Tell');
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		workflows.failures = 1;
		const first = await workflows.run(workflow);
		const second = await service.n8n.retry(workflow, first);
		expect(second.data.resultData.error).toBeDefined();
		const contract = (await service.documents()).find(({ title }) => title === 'Contract');
		await service.sandbox.control.view(contract?.recipients[0]?.id ?? '');

		await service.clock.sleep(600_000);
		const third = await service.n8n.retry(workflow, first);
		expect(third.data.resultData.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['Contract', 'Letter']);
	});

	it('what a loop of Create and Send has sent goes out once', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const create = esign('Create', { ...createAndSend(TITLE), operation: 'create' });
		const send = esign('Send', {
			resource: 'document',
			operation: 'send',
			documentId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		});
		const rounds = ['Send > Tell', 'Tell > Rounds'];
		const lines = ['Given > Rounds', 'Rounds > Create', 'Create > Send', ...rounds];
		const workflow = workflows.flow([GIVEN, ROUNDS, create, send, TELL], ...lines);
		service.lose('POST', DOCUMENTS, REFUSED);
		const first = await workflows.run(workflow);
		workflows.items = await rowsAt('eleven', 'A', 'B');
		service.lose('POST', SEND, DONE);
		workflows.failures = 1;
		const second = await service.n8n.retry(workflow, first);
		expect(second.data.resultData.error).toBeDefined();
		await service.n8n.retry(workflow, second);
		workflows.items = await rowsAt('twelve', 'A', 'B');
		await service.n8n.retry(workflow, first);
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
	});
});

describe('n8n was killed, its retry has failed before it asked, and is retried: each row goes out once', () => {
	async function killed(parameters: INodeParameters) {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = flowOf(parameters);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 2 });
		const run = await workflows.killedAt(TEMPLATE_SEND, workflow, 2);
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
		await service.clock.sleep(600_000);
		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		return { workflow, run };
	}

	async function fromForm(): Promise<INodeParameters> {
		const templateId = await service.bareTemplate();
		return {
			resource: 'template',
			operation: 'send',
			templateId: { __rl: true, mode: 'id', value: templateId },
			people: {
				mappingMode: 'autoMapInputData',
				value: null,
				schema: [],
			},
			additionalFields: { title: TITLE },
		};
	}

	it('where it could not read the template', async () => {
		const { workflow, run } = await killed(await fromForm());
		const worker = await workflows.otherWorker(workflow);
		service.lose('GET', TEMPLATE, DOWN, { times: 9 });
		const failed = await worker.retry(run, 'killed');
		expect(nodeRun(failed, 'eSign').error).toBeDefined();
		service.mend();
		const last = nodeRun(await worker.retry(failed), 'eSign');
		expect(last.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});

	it('where it had a wrong key', async () => {
		const { workflow, run } = await killed(await fromForm());
		const n8n = await workflows.otherN8n();
		const apiKey = `${service.sandbox.keys.test.slice(0, -4)}zzzz`;
		n8n.credentials.use({ ...service.credential, apiKey });
		const failed = await retryIn(n8n, workflow, run, 'killed');
		expect(nodeRun(failed, 'eSign').error).toMatchObject({ httpCode: '401' });
		n8n.credentials.use(service.credential);
		const last = nodeRun(await retryIn(n8n, workflow, failed), 'eSign');
		expect(last.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});

	it('where a parameter was refused that is corrected since', async () => {
		const good = await toAda(service, TITLE);
		const { workflow, run } = await killed(good);
		const worker = await workflows.otherWorker(
			Object.assign(
				flowOf({
					...good,
					recipientsJson: '={{ [{ role: "Signer", name: "Ada", email: "ada.example.com" }] }}',
				}),
				{ id: workflow.id },
			),
		);
		const failed = await worker.retry(run, 'killed');
		expect(nodeRun(failed, 'eSign').error).toBeDefined();
		const last = nodeRun(await (await workflows.otherWorker(workflow)).retry(failed), 'eSign');
		expect(last.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});

	it("where n8n's memory was away", async () => {
		const { workflow, run } = await killed(await toAda(service, TITLE));
		const worker = await workflows.otherWorker(workflow);
		service.memories.failure = new Error('The database is away');
		const failed = await worker.retry(run, 'killed');
		expect(nodeRun(failed, 'eSign').error?.message).toContain('memory of this node cannot be read');
		service.memories.failure = undefined;
		const last = nodeRun(await worker.retry(failed), 'eSign');
		expect(last.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});
});
