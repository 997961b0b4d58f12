import type { INodeParameters, Workflow } from 'n8n-workflow';
import { createAndSend, TYPE } from '../actions/support/workbench';
import { nodeRun } from '../support/n8nCore/n8n';
import { DONE, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { toAda } from './support/toAda';
import { esign, GIVEN, outputsOf, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

/** A contract, and behind it a letter, which goes out in one request. */
async function twoNodes(contract: INodeParameters, letter: string) {
	const parameters = await toAda(service, letter);
	const nodes = [GIVEN, esign('Contract', contract), esign('Letter', parameters)];
	return workflows.flow(nodes, 'Given > Contract', 'Contract > Letter');
}

/** n8n is killed as it sends one, of which it has saved nothing. */
async function retryKilled(workflow: Workflow, path: RegExp, meanwhile = async () => {}) {
	const killed = await workflows.killedAt(path, workflow);
	await meanwhile();
	const worker = await workflows.otherWorker(workflow);
	return nodeRun(await worker.retry(killed, 'killed'), 'Letter');
}

/** The letter's path. */
function pathOf({ nodes }: Workflow): RegExp {
	const { templateId } = (nodes.Letter?.parameters ?? {}) as { templateId: { value: string } };
	return new RegExp(`^/templates/${templateId.value}/send$`);
}

describe('What one node has sent is not taken for what another one sends, of the same title', () => {
	const twins = async () => await twoNodes(await toAda(service, 'Onboarding'), 'Onboarding');

	it.each([
		['and was not carried out', NOT_DONE],
		['and was', DONE],
	])('whose answer was lost %s', async (_, loss) => {
		const workflow = await twins();
		service.lose('POST', pathOf(workflow), loss);
		const run = nodeRun(await workflows.run(workflow), 'Letter');
		expect(run.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['Onboarding', 'Onboarding']);
	});

	it('and was killed', async () => {
		const workflow = await twins();
		service.lose('POST', pathOf(workflow), NOT_DONE);
		const run = await retryKilled(workflow, pathOf(workflow));
		expect(run.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['Onboarding', 'Onboarding']);
	});

	it('nor what another workflow has sent right before', async () => {
		const parameters = await service.templateSend('NDA');
		await service.n8n.runNode(TYPE, { parameters, workflowId: 'First' });
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		const run = await service.n8n.runNode(TYPE, { parameters, workflowId: 'Second' });
		expect(run.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['NDA', 'NDA']);
	});

	it('nor what another workflow has sent, for a draft that a killed retry has not made', async () => {
		const parameters = { ...(await toAda(service, 'T')), send: false };
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const failed = await service.run(parameters);
		const worker = await otherWorker(service);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		await service.killedAt(TEMPLATE_SEND, async (signal) => {
			return await worker.retryNode(TYPE, failed, { parameters, signal });
		});
		await (await otherWorker(service)).runNode(TYPE, { parameters: { ...parameters, send: true } });
		const again = await worker.retryNode(TYPE, failed, { parameters });
		expect(again.items.map(({ json }) => json.status)).toEqual(['draft']);
		await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
	});

	it("nor a row for the next one, where n8n's database was away", async () => {
		const { memories } = service;
		const record = memories.checkProcessedAndRecord.bind(memories);
		// As often as the node tries.
		let times = 5;
		memories.checkProcessedAndRecord = async (entries, ...more) => {
			const isDocument = entries.some((entry) => String(entry).startsWith('doc_'));
			if (isDocument && times-- > 0) throw new Error('The database is away');
			return await record(entries, ...more);
		};
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const run = await service.run(await toAda(service, 'T'), await numbered(2));
		memories.checkProcessedAndRecord = record;
		expect(run.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});
});

describe('A node behind another one, whose document comes anew after a kill, sends once:', () => {
	it.each([
		['one of a template', async () => await toAda(service, 'Contract')],
		['one of a file', async () => await Promise.resolve(createAndSend('Contract'))],
	])('%s', async (_, contract) => {
		const workflow = await twoNodes(await contract(), 'Letter');
		const run = await retryKilled(workflow, pathOf(workflow));
		expect(run.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['Contract', 'Letter']);
	});

	it('also where somebody has looked at it', async () => {
		const workflow = await twoNodes(await toAda(service, 'Contract'), 'Letter');
		const run = await retryKilled(workflow, pathOf(workflow), async () => {
			const documents = await service.documents();
			const contract = documents.find(({ title }) => title === 'Contract');
			await service.sandbox.control.view(contract?.recipients[0]?.id ?? '');
		});
		expect(run.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['Contract', 'Letter']);
	});
});

it('What one node finds with Skip If Created is still what another one has sent, after a kill', async () => {
	const contract = createAndSend('T');
	const nodes = [
		GIVEN,
		esign('Skipping', { ...contract, additionalFields: { skipIfCreatedWithin: 1_000 } }),
		{ ...GIVEN, name: 'Again' },
		esign('Sending', contract),
		{ ...GIVEN, name: 'Last' },
		esign('Letter', createAndSend('Letter')),
	];
	const lines = ['Given > Skipping', 'Skipping > Again', 'Again > Sending', 'Sending > Last'];
	const workflow = workflows.flow(nodes, ...lines, 'Last > Letter');
	service.lose('POST', SEND, NOT_DONE, { skip: 2 });
	const killed = await workflows.killedAt(SEND, workflow, 2);
	const [sent] = outputsOf(killed, 'Sending');
	const retried = await workflows.retryLater(workflow, killed);
	const out = outputsOf(retried, 'Sending');
	expect(out).toMatchObject([{ id: sent?.id }]);
	expect(out[0]).not.toHaveProperty('already_existed');
	await expect(service.titles()).resolves.toEqual(['Letter', 'T', 'T']);
});
