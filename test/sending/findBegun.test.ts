import type { INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../support/n8nCore/n8n';
import { ADA, createAndSend, TYPE } from '../actions/support/workbench';
import { ROLES } from '../client/support/samples';
import { DOCUMENTS, DONE, DOWN, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { hintsOf, LossyService, numbered, titlesOf } from './support/lossyService';
import { otherWorker } from './support/otherProcess';

const service = LossyService.ofThisFile();

const EMAILS = ROLES.map(({ email }) => email);
const TITLE = '={{ "T " + $json.n }}';
const WAYS_OUT =
	/^Nothing more was sent. If it is this one, set Skip If Created Within .* another title/;

/** As after a kill: n8n has saved when the execution began, and what the node has recorded. */
async function retryKilled(killed: NodeRun, parameters: INodeParameters): Promise<NodeRun> {
	expect(killed.error).toBeDefined();
	service.mend();
	const worker = await otherWorker(service);
	return await worker.retryNode(TYPE, killed, { parameters }, 'stopped');
}

/** One template that is begun, and of which nothing more is known. */
async function begun(loss = DONE): Promise<NodeRun> {
	service.loseForGood(TEMPLATE_SEND, loss);
	return await service.run(await service.templateSend('T'));
}

describe('In a retry of what was killed, an item that was begun', () => {
	it('is the one document that is out with its title for its people', async () => {
		const killed = await begun();
		await service.direct.send('Another', EMAILS);
		await service.direct.send('T', ['somebody@example.com']);
		const documents = await service.documents();
		const run = await retryKilled(killed, await service.templateSend('T'));
		expect(documents.map(({ id }) => id)).toContain(run.items[0]?.json.id);
		const message = /Sent by an earlier try, and not sent again: doc_\w+\. To send it/;
		const [hint] = run.hints.filter((one) => message.test(one.message));
		expect(hint?.type).toBe('info');
		await expect(service.documents()).resolves.toHaveLength(3);
	});

	it('is begun also where it was stopped while it looked', async () => {
		const stop = new AbortController();
		const { lossOf } = service;
		service.lose('POST', TEMPLATE_SEND, { how: 502, afterMs: 1, effectMs: 50_000 });
		service.lossOf = (method, path, body) => {
			if (method === 'GET' && DOCUMENTS.test(path)) stop.abort();
			return lossOf(method, path, body);
		};
		const parameters = await service.templateSend('T');
		const stopped = await service.n8n.runNode(TYPE, { parameters, signal: stop.signal });
		service.lossOf = lossOf;
		await service.answered();
		const run = await retryKilled(stopped, parameters);
		expect(titlesOf(run)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('is sent if there is none, once nothing can come of it', async () => {
		const killed = await begun(NOT_DONE);
		const before = service.clock.now();
		const run = await retryKilled(killed, await service.templateSend('T'));
		// A request may have been under way when it was killed.
		const { clock } = service;
		expect(clock.now() - before).toBeGreaterThanOrEqual(65_000);
		expect(titlesOf(run)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it.each([
		['with Skip If Created', { title: 'T', skipIfCreatedWithin: 1 }, 'T', ['T', 'T']],
		['with another title', { title: 'U' }, 'U', ['T', 'T', 'U']],
	])('fails, and names both ways out, if several are: %s', async (_, way, title, titles) => {
		const killed = await begun();
		await service.direct.send('T', EMAILS);
		const ids = (await service.documents()).map(({ id }) => id);
		const failed = await retryKilled(killed, await service.templateSend('T'));
		for (const id of ids) expect(failed.error?.message).toContain(id);
		expect(failed.error).toMatchObject({
			description: expect.stringMatching(WAYS_OUT) as string,
			context: { outcome: 'in doubt' },
		});

		const parameters = await service.templateSend(title, { additionalFields: way });
		const worker = await otherWorker(service);
		const run = await worker.retryNode(TYPE, failed, { parameters });
		expect(titlesOf(run)).toEqual([title]);
		await expect(service.titles()).resolves.toEqual(titles);
	});

	it('is no document that was out before its execution began', async () => {
		const { id } = await service.direct.send('T', EMAILS);
		await service.clock.sleep(86_400_000);
		const ahead = service.clock.now() - Date.now();
		const now = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() + ahead);
		const killed = await begun(NOT_DONE);
		await service.clock.sleep(600_000);
		const run = await retryKilled(killed, await service.templateSend('T'));
		now.mockRestore();
		expect(run.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(run.items[0]?.json.id).not.toBe(id);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});

	it('is no document that is recorded as that of an equal row', async () => {
		const parameters = await service.templateSend('T');
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		service.lose('GET', DOCUMENTS, DOWN, { times: 9 });
		const killed = await service.run(parameters, [{ json: {} }, { json: {} }]);
		const run = await retryKilled(killed, parameters);
		expect(new Set(run.items.map(({ json }) => json.id)).size).toBe(2);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});

	it.each<[string, 'cancel' | 'expire']>([
		['was cancelled', 'cancel'],
		['has expired', 'expire'],
	])('fails if its document %s since, and is not sent again', async (words, end) => {
		const parameters = await service.templateSend(TITLE);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const killed = await service.run(parameters, await numbered(2));
		const [made] = await service.documents();
		const { control } = service.sandbox;
		if (end === 'expire') await control.expire(String(made?.id));
		else await service.direct.api('POST', `/documents/${made?.id}/cancel`);
		const { error } = await retryKilled(killed, parameters);
		expect(error?.message).toBe(`This was sent before, and ${words} since: ${made?.id}`);
		expect(error?.description).toContain('run it alone in a new execution');
		await expect(service.documents()).resolves.toHaveLength(1);
	});

	it.each<[string, INodeParameters, string[]]>([
		['is its draft, which is sent', createAndSend('T'), ['in_progress']],
		[
			'leaves its draft, if it was corrected, and names it',
			createAndSend('T', { ...ADA, name: 'Ada L.' }),
			['draft', 'in_progress'],
		],
	])('%s', async (_, parameters, statuses) => {
		service.loseSend(NOT_DONE);
		const killed = await service.run(createAndSend('T'), await numbered(1));
		const [draft] = await service.documents();
		const run = await retryKilled(killed, parameters);
		expect(run.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		await expect(service.statuses()).resolves.toEqual(statuses);
		const isNamed = hintsOf(run).includes(`which is never sent: ${draft?.id}.`);
		expect(isNamed).toBe(statuses.length > 1);
	});

	it('is out where it was corrected, though its draft was sent after the list was read', async () => {
		const stop = new AbortController();
		const { lossOf } = service;
		service.lose('PUT', /fields$/, { how: 429, afterMs: 20_000 });
		service.lose('POST', SEND, { how: 'reset', afterMs: 1, effectMs: 60_000 });
		service.lossOf = (...request) => {
			if (SEND.test(request[1])) stop.abort();
			return lossOf(...request);
		};
		const options = { parameters: createAndSend('Typo'), items: await numbered(1) };
		const killed = await service.n8n.runNode(TYPE, { ...options, signal: stop.signal });
		service.lossOf = lossOf;
		await service.answered();
		const run = await retryKilled(killed, createAndSend('Right'));
		expect(titlesOf(run)).toEqual(['Typo']);
		expect(hintsOf(run)).toContain('before the item was changed, and not sent again');
		await expect(service.titles()).resolves.toEqual(['Typo']);
	});

	it('is out by its ID also where the clock was ten minutes ahead, and is right since', async () => {
		const ahead = service.clock.now() + 600_000 - Date.now();
		const now = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() + ahead);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const parameters = await service.templateSend(TITLE);
		const killed = await service.run(parameters, await numbered(2));
		now.mockRestore();
		await service.clock.sleep(1_200_000);
		const run = await retryKilled(killed, parameters);
		expect(titlesOf(run)).toEqual(['T 1', 'T 2']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});

	it('is looked for also where the clock of the other worker was ahead', async () => {
		const ahead = service.clock.now() + 30_000 - Date.now();
		const now = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() + ahead);
		const killed = await begun();
		now.mockRestore();
		const run = await retryKilled(killed, await service.templateSend('T'));
		expect(titlesOf(run)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it.each([
		['is sent', {}],
		['is sent with Skip If Created', { skipIfCreatedWithin: 1 }],
	])('%s where n8n was killed while it asked its memory', async (_, skip) => {
		const killed = await begun(NOT_DONE);
		await service.direct.send('Another', EMAILS);
		const { memories } = service;
		const remove = jest.spyOn(memories, 'removeProcessed').mockRejectedValue(new Error('dead'));
		await retryKilled(killed, await service.templateSend('T'));
		remove.mockRestore();

		const additionalFields = { title: 'T', ...skip };
		const run = await retryKilled(killed, await service.templateSend('T', { additionalFields }));
		expect(titlesOf(run)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['Another', 'T']);
	});

	it.each<[string, () => void, string]>([
		[
			'the list cannot be read',
			() => service.lose('GET', DOCUMENTS, DOWN, { times: 9 }),
			'Could not list the documents',
		],
		[
			'the memory of the node cannot be read',
			() => (service.memories.failure = new Error('away')),
			"Whether this was sent already is not known: n8n's memory of this node cannot be read (away)",
		],
	])('is not sent where %s', async (_, lose, words) => {
		const killed = await begun();
		const parameters = await service.templateSend('T');
		service.mend();
		lose();
		const worker = await otherWorker(service);
		const failed = await worker.retryNode(TYPE, killed, { parameters }, 'stopped');
		expect(failed.error?.message).toContain(words);
		service.mend();
		service.memories.failure = undefined;
		await expect(service.titles()).resolves.toEqual(['T']);
	});
});

it('Rows that were not begun are sent without a look', async () => {
	const parameters = await service.templateSend(TITLE);
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	const killed = await service.run(parameters, await numbered(3));
	service.requests.length = 0;
	const run = await retryKilled(killed, parameters);
	expect(titlesOf(run)).toEqual(['T 1', 'T 2', 'T 3']);
	const sends = Array.from({ length: 3 }, () => 'POST /templates/…/send');
	const requests = service.requests.map((request) => request.replace(/tpl_\w+/, '…'));
	expect(requests).toEqual(sends);
});

it('An execution that nobody has retried does not wait for what others write to its memory', async () => {
	const before = service.clock.now();
	await service.run(createAndSend(TITLE), await numbered(3));
	expect(service.clock.now() - before).toBeLessThan(2_000);
	await expect(service.statuses()).resolves.toEqual(Array(3).fill('in_progress'));
});
