import type { INodeParameters } from 'n8n-workflow';
import { byId, createAndSend, RETRY, TYPE } from '../actions/support/workbench';
import { ROLES } from '../client/support/samples';
import {
	DOCUMENTS,
	DONE,
	DOWN,
	LIMITED,
	NOT_DONE,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/losses';
import { numbered, titlesOf } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { whileLimited } from './support/whileLimited';
import { esign, GIVEN, ROUNDS, TELL, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const ON = { onError: 'continueRegularOutput' as const };
const TITLE = '={{ "T " + $json.n }}';

const inProgress = async () => {
	const documents = await service.documents();
	const out = documents.filter(({ status }) => status === 'in_progress');
	return out.map(({ title }) => title).sort();
};

/** Robots retry whatever has failed, as it was. */
describe('A robot that retries an older execution', () => {
	it('sends no draft of what was corrected, sent and cancelled since', async () => {
		service.lose('POST', SEND, REFUSED);
		const first = await service.run(createAndSend('Typo'), await numbered(1));
		const { items } = await service.retry(first, createAndSend('Right'));
		await service.direct.api('POST', `/documents/${String(items[0]?.json.id)}/cancel`);
		const { error } = await service.retry(first, createAndSend('Typo'));
		expect(error?.message).toBe(
			`This was sent before, and was cancelled since: ${String(items[0]?.json.id)}`,
		);
		await expect(inProgress()).resolves.toEqual([]);
	});

	it.each(['the same', 'another'])(
		'finds what Skip If Created has found of it in a new execution, in %s process',
		async (where) => {
			const options = { workflowId: 'W', items: [{ json: { n: 1 } }] };
			const parameters = await service.templateSend('T');
			const additionalFields = { title: 'T', skipIfCreatedWithin: 24 };
			const skipping = await service.templateSend('T', { additionalFields });
			service.loseForGood(TEMPLATE_SEND, DONE);
			const first = await service.n8n.runNode(TYPE, { ...options, parameters });
			expect(first.error).toBeDefined();
			service.mend();
			await service.clock.sleep(600_000);

			const process = where === 'another' ? await otherWorker(service) : service.n8n;
			const { items } = await process.runNode(TYPE, { ...options, parameters: skipping });
			expect(items[0]?.json.already_existed).toBe(true);
			const again = await process.retryNode(TYPE, first, { parameters });
			expect(again.items[0]?.json.id).toBe(items[0]?.json.id);
			await expect(service.titles()).resolves.toEqual(['T']);
		},
	);

	it.each(['as it was', 'corrected'])(
		'sends nothing again that a retry has sent of a lost request, %s',
		async (how) => {
			const parameters = await service.templateSend('T');
			const others = JSON.stringify(ROLES.map((one) => ({ ...one, email: `new.${one.email}` })));
			const retried = how === 'corrected' ? { ...parameters, recipientsJson: others } : parameters;
			service.loseForGood(TEMPLATE_SEND, NOT_DONE);
			const first = await service.run(parameters);
			expect(first.error?.context).toMatchObject({ outcome: 'in doubt' });
			service.mend();
			await service.clock.sleep(600_000);
			expect((await service.retry(first, retried)).error).toBeUndefined();

			await service.clock.sleep(600_000);
			for (const now of [parameters, retried]) {
				expect((await service.retry(first, now)).error).toBeUndefined();
			}
			await expect(inProgress()).resolves.toEqual(['T']);
		},
	);

	it.each(['were refused', 'had no answer'])(
		'finds what a newer one has sent whose answer was lost, where retries between them %s',
		async (how) => {
			const options = { workflowId: 'W', parameters: await service.templateSend('T') };
			service.loseForGood(TEMPLATE_SEND, NOT_DONE);
			const first = await service.n8n.runNode(TYPE, options);
			service.mend();
			service.lose('POST', TEMPLATE_SEND, how === 'were refused' ? REFUSED : DOWN, { times: 2 });
			const second = await service.n8n.retryNode(TYPE, first, options);
			expect(second.error).toBeDefined();
			service.mend();
			await service.clock.sleep(600_000);

			service.loseForGood(TEMPLATE_SEND, DONE);
			service.loseSend(DONE);
			const worker = await otherWorker(service);
			const third = await worker.retryNode(TYPE, second, options);
			expect(third.error?.context?.outcome).toBe('in doubt');
			service.mend();
			await service.clock.sleep(600_000);
			const last = await service.n8n.retryNode(TYPE, first, options);
			expect(last.items.map(({ json }) => json.status)).toEqual(['in_progress']);
			await expect(inProgress()).resolves.toEqual(['T']);
		},
	);

	it.each([0, 1])(
		'sends no draft once a correction may be out whose answer was lost: execution %d',
		async (which) => {
			const options = { workflowId: 'W', parameters: await service.templateSend('T') };
			service.loseForGood(TEMPLATE_SEND, NOT_DONE);
			const first = await service.n8n.runNode(TYPE, options);
			service.mend();
			service.lose('POST', SEND, REFUSED);
			const second = await service.n8n.retryNode(TYPE, first, options);
			expect(second.error).toMatchObject({ httpCode: '402' });
			await service.clock.sleep(600_000);

			const recipientsJson = JSON.stringify(ROLES.map((one) => ({ ...one, name: 'Corrected' })));
			const corrected = { ...options, parameters: { ...options.parameters, recipientsJson } };
			service.loseForGood(TEMPLATE_SEND, DONE);
			service.loseSend(DONE);
			const third = await service.n8n.retryNode(TYPE, second, corrected);
			expect(third.error?.context?.outcome).toBe('in doubt');
			service.mend();
			await service.clock.sleep(600_000);
			const worker = await otherWorker(service);
			const older = which === 0 ? first : second;
			const last = await worker.retryNode(TYPE, older, options);
			expect(last.items[0]?.json.recipients).toMatchObject([{ name: 'Corrected' }, {}]);
			await expect(inProgress()).resolves.toEqual(['T']);
		},
	);

	it('sends nothing again that a retry has sent under another title, because several fitted', async () => {
		const { clock, direct } = service;
		const emails = ROLES.map(({ email }) => email);
		service.lose('POST', TEMPLATE_SEND, DONE);
		clock.at(clock.now() + 20_000, async () => void (await direct.send('T', emails)));
		const first = await service.run(await service.templateSend('T'));
		expect(first.error?.message).toContain('It is not clear whether one of these documents');
		for (let times = 0; times < 2; times++) {
			const again = await service.retry(first, await service.templateSend('U'));
			expect(again.error).toBeUndefined();
			await clock.sleep(600_000);
		}
		await expect(inProgress()).resolves.toEqual(['T', 'T', 'U']);
	});

	it('gives an equal row of the next round its own, though the round before has failed rows', async () => {
		workflows.items = [1, 2, 2].map((n) => ({ json: { n } }));
		workflows.batch = 2;
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 3, body: 'T 1' });
		const node = esign('eSign', await service.templateSend(TITLE), { ...RETRY, ...ON });
		const lines = ['Given > Rounds', 'Rounds > eSign', 'eSign > Tell', 'Tell > Rounds'];
		const workflow = workflows.flow([GIVEN, ROUNDS, node, TELL], ...lines);
		workflows.failures = 1;
		const first = await workflows.run(workflow);
		await expect(service.titles()).resolves.toEqual(['T 2']);
		const again = await service.n8n.retry(workflow, first);
		expect(again.data.resultData.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['T 2', 'T 2']);
	});
});

it('A draft with which an item is done is not sent where Send was switched on and the title corrected', async () => {
	const parameters = async (title: string, send: boolean) =>
		await service.templateSend(`={{ "${title} " + $json.n }}`, { send });
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	const first = await service.run(await parameters('Typo', false), items);
	service.lose('POST', TEMPLATE_SEND, REFUSED, { skip: 1 });
	await service.retry(first, await parameters('Typo', false));
	const again = await service.retry(first, await parameters('Right', true));
	expect(titlesOf(again)).toEqual(['Right 1', 'Right 2']);
	await expect(inProgress()).resolves.toEqual(['Right 1', 'Right 2']);
});

it.each([
	['Retry On Fail', RETRY],
	['Retry execution', {}],
])('A title that an expression changes in %s is none that a person has given', async (_, on) => {
	service.lose('POST', TEMPLATE_SEND, DONE);
	const emails = ROLES.map(({ email }) => email);
	const { clock } = service;
	clock.at(clock.now() + 30_000, async () => void (await service.direct.send('Another', emails)));
	const parameters: INodeParameters = await service.templateSend('={{ "T " + Math.random() }}');
	const first = await service.run(parameters, undefined, on);
	const again = await service.retry(first, parameters);
	for (const { error } of [first, again])
		expect(error?.message).toContain('It is not clear whether one of these documents');
	await expect(service.titles()).resolves.toHaveLength(2);
});

it.each([
	['knows neither', 0],
	['has kept the other', 1],
])(
	'Of two drafts the one that an item is done with goes on, where a retry %s',
	async (_, which) => {
		workflows.items = await numbered(2);
		const create = esign('Create', { ...createAndSend(TITLE), operation: 'create' });
		const documentId = byId('={{ $json.id }}');
		const send = esign('Send', { resource: 'document', operation: 'send', documentId });
		const workflow = workflows.flow([GIVEN, create, send], 'Given > Create', 'Create > Send');
		service.lose('POST', DOCUMENTS, REFUSED);
		const first = await workflows.run(workflow);
		service.lose('PUT', /\/fields$/, REFUSED);
		const second = await (await workflows.otherWorker(workflow)).retry(first);
		service.lose('POST', DOCUMENTS, REFUSED, { skip: 1 });
		const third = await service.n8n.retry(workflow, first);
		for (const failed of [[first, second][which] ?? first, third])
			await service.n8n.retry(workflow, failed);
		await expect(inProgress()).resolves.toEqual(['T 1', 'T 2']);
	},
);

it('A node that was renamed after n8n was killed sends only the rest', async () => {
	workflows.items = [1, 2].map((n) => ({ json: { n } }));
	const parameters = await service.templateSend(TITLE);
	const flow = (name: string) => {
		return workflows.flow([GIVEN, esign(name, parameters)], `Given > ${name}`);
	};
	const workflow = flow('eSign');
	service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
	const killed = await workflows.run(workflow);
	const renamed = Object.assign(flow('Renamed'), { id: workflow.id });
	await service.n8n.retry(renamed, killed, { lost: 'killed' });
	await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
});

it('One that began while the clock was ahead, and was killed, sends only the rest', async () => {
	const ahead = service.clock.now() + 3_600_000 - Date.now();
	const now = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() + ahead);
	const options = { workflowId: 'W', parameters: await service.templateSend(TITLE) };
	service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
	const killed = await service.n8n.runNode(TYPE, { ...options, items: await numbered(2) });
	now.mockRestore();
	await service.clock.sleep(300_000);
	const worker = await otherWorker(service);
	await worker.retryNode(TYPE, killed, options, 'killed');
	await expect(inProgress()).resolves.toEqual(['T 1', 'T 2']);
});

it('Two workers that retry it at once make one draft, which another node sends', async () => {
	const create = esign('Create', { ...createAndSend('T'), operation: 'create' });
	const documentId = byId('={{ $json.id }}');
	const send = esign('Send', { resource: 'document', operation: 'send', documentId });
	const workflow = workflows.flow([GIVEN, create, send], 'Given > Create', 'Create > Send');
	service.lose('POST', DOCUMENTS, REFUSED);
	const first = await workflows.run(workflow);

	const other = await workflows.otherWorker(workflow);
	service.lose('POST', DOCUMENTS, LIMITED);
	await whileLimited(
		service,
		async () => await service.n8n.retry(workflow, first),
		async () => await other.retry(first),
	);
	await expect(inProgress()).resolves.toEqual(['T']);
});
