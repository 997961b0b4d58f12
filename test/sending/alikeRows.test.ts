import { nodeRun } from '../support/n8nCore/n8n';
import { createAndSend } from '../actions/support/workbench';
import { DONE, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { hintsOf } from './support/lossyService';
import { retryIn } from './support/retryIn';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import { CONTINUE, esign, GIVEN, outputsOf, ROUNDS, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const TITLE = '={{ "T " + $json.name }}';

describe('Rows of a loop that have the same title and people go out once each, where n8n was killed', () => {
	async function loop() {
		const node = esign('eSign', await toAda(service), { onError: 'continueRegularOutput' });
		const lines = ['Given > Rounds', 'Rounds > eSign', 'eSign > Rounds'];
		return workflows.flow([GIVEN, ROUNDS, node], ...lines);
	}

	it('also one that was refused', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = await loop();
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 2);
		await expect(sentTitles(service)).resolves.toHaveLength(1);
		const retried = await workflows.retryLater(workflow, killed);
		const ids = outputsOf(retried).map(({ id }) => id);
		expect(ids).toHaveLength(3);
		expect(new Set(ids).size).toBe(3);
		await expect(sentTitles(service)).resolves.toHaveLength(3);
	});

	it('also a new one before them', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = await loop();
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		workflows.items = await rowsAt('ten', 'New', 'A', 'B');
		const retried = await workflows.retryLater(workflow, killed);
		const ids = outputsOf(retried).map(({ id }) => id);
		expect(new Set(ids).size).toBe(3);
		await expect(sentTitles(service)).resolves.toHaveLength(3);
	});
});

describe('What was cancelled after a kill is not sent again', () => {
	it.each(['ten', 'eleven'])('where its row says %s', async (time) => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = workflows.list(await toAda(service, TITLE));
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		const [made] = await service.documents();
		await service.direct.api('POST', `/documents/${made?.id}/cancel`);
		workflows.items = await rowsAt(time, 'A', 'B');
		const retried = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
		const out = (await service.documents()).filter(({ status }) => status === 'in_progress');
		expect(hintsOf(retried)).not.toContain('created this draft');
		expect(out.map(({ title }) => title)).toEqual([]);
		expect(retried.error?.message).toContain('was cancelled since');
	});
});

it('A row made anew does not take what another workflow of the process has sent since', async () => {
	const parameters = await toAda(service, TITLE);
	workflows.items = await rowsAt('ten', 'A');
	const workflow = workflows.list(parameters);
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	const killed = await workflows.killedAt(TEMPLATE_SEND, workflow);
	await expect(sentTitles(service)).resolves.toEqual([]);
	await service.clock.sleep(600_000);
	// n8n is started again, and another workflow sends the same contract in its turn.
	const n8n = await workflows.otherN8n();
	const other = n8n.workflow(Object.values(workflow.nodes), {
		connections: workflow.connectionsBySourceNode,
	});
	const theirs = nodeRun(await n8n.execute(other, 'Given'), 'eSign');
	expect(theirs.error).toBeUndefined();
	await service.clock.sleep(600_000);
	workflows.items = await rowsAt('eleven', 'A');
	const retried = nodeRun(await retryIn(n8n, workflow, killed, 'killed'), 'eSign');
	expect(retried.error).toBeUndefined();
	expect(retried.items[0]?.json.id).not.toBe(theirs.items[0]?.json.id);
	await expect(sentTitles(service)).resolves.toEqual(['T A', 'T A']);
});

it('A row made anew does not take what another execution has sent since, on another worker', async () => {
	workflows.items = await rowsAt('ten', 'A');
	const workflow = workflows.list(await toAda(service, TITLE));
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	const killed = await workflows.killedAt(TEMPLATE_SEND, workflow);
	await service.clock.sleep(600_000);
	workflows.items = await rowsAt('half past ten', 'A');
	const theirs = nodeRun(await workflows.run(workflow), 'eSign');
	workflows.items = await rowsAt('eleven', 'A');
	const retried = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
	expect(retried.error).toBeUndefined();
	expect(retried.items[0]?.json.id).not.toBe(theirs.items[0]?.json.id);
	await expect(sentTitles(service)).resolves.toEqual(['T A', 'T A']);
});

it('A retry of sixty approvals that are alike waits no longer than one of titles of their own', async () => {
	const names = Array.from({ length: 60 }, (__, n) => `A${n}`);

	async function took(title: string): Promise<number> {
		await service.reset();
		workflows.items = await rowsAt('ten', ...names, 'Last');
		const workflow = workflows.list(await toAda(service, title));
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: names.length });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, names.length);
		await service.clock.sleep(600_000);
		const worker = await workflows.otherWorker(workflow);
		const before = service.clock.now();
		const retried = nodeRun(await worker.retry(killed, 'killed'), 'eSign');
		expect(retried.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toHaveLength(names.length + 1);
		return service.clock.now() - before;
	}

	const ofTheirOwn = await took(TITLE);
	expect((await took('Approval')) - ofTheirOwn).toBeLessThan(30_000);
});

it('No draft that the next round sends is said never to be sent', async () => {
	workflows.items = await rowsAt('ten', 'A');
	const workflow = workflows.flow(
		[GIVEN, ROUNDS, esign('eSign', createAndSend('Approval'))],
		...['Given > Rounds', 'Rounds > eSign', 'eSign > Rounds'],
	);
	service.lose('POST', SEND, NOT_DONE);
	const killed = await workflows.killedAt(SEND, workflow);
	workflows.items = await rowsAt('ten', 'New', 'A');
	const retried = await workflows.retryLater(workflow, killed);
	const hints = (retried.data.resultData.runData.eSign ?? []).flatMap((task) => task.hints ?? []);
	const text = hints.map(({ message }) => message).join(' ');
	const never = /never sent: (doc_\w+)/.exec(text)?.[1];
	const out = (await service.documents()).filter(({ status }) => status === 'in_progress');
	expect(out).toHaveLength(2);
	expect(out.map(({ id }) => id)).not.toContain(never);
});

it('A row that was in doubt before a kill, and is made anew, goes out once, also where an equal one came after it', async () => {
	workflows.items = await rowsAt('ten', 'A', 'B');
	const parameters = await toAda(service, 'Approval');
	const node = esign('eSign', parameters, { onError: 'continueRegularOutput' });
	const workflow = workflows.flow([GIVEN, node], 'Given > eSign');
	service.loseForGood(TEMPLATE_SEND, DONE);
	service.lose('POST', SEND, DONE);
	const killed = await workflows.killedAt(SEND, workflow);
	await expect(sentTitles(service)).resolves.toHaveLength(2);
	service.mend();
	workflows.items = await rowsAt('eleven', 'A', 'B');
	await workflows.retryLater(workflow, killed);
	await expect(sentTitles(service)).resolves.toHaveLength(2);
});

describe('Of alike rows, after a kill, none is told of a document upon which another one has come:', () => {
	it('what was cancelled ends one of them, and the one after it is sent', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = workflows.list(await toAda(service, 'T'), CONTINUE);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 2 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 2);
		const [, made] = await service.documents();
		await service.direct.api('POST', `/documents/${made?.id}/cancel`);
		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		const { items } = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
		const errors = items.map(({ json }) => json.error);
		expect(errors).toEqual([undefined, expect.stringContaining('was cancelled since'), undefined]);
		const out = 'in_progress';
		await expect(service.statuses()).resolves.toEqual(['cancelled', out, out]);
	});

	it.each(['ten', 'eleven'])('each has a draft of its own, where rows say %s', async (time) => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = workflows.list(createAndSend('T'), CONTINUE);
		service.loseSend(NOT_DONE);
		service.lose('POST', SEND, NOT_DONE);
		const killed = await workflows.killedAt(SEND, workflow, 2);
		service.mend();
		workflows.items = await rowsAt(time, 'A', 'B');
		service.lose('POST', SEND, REFUSED);
		const { items } = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
		const [first, second] = items.map(({ json }) => json);
		expect(first?.error).toContain('sending it failed');
		expect(first?.error).not.toContain(second?.id);
		await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
	});
});
