import type { INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../support/n8nCore/n8n';
import { createAndSend, TYPE } from '../actions/support/workbench';
import { ROLES } from '../client/support/samples';
import { DONE, LATE, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { LossyService, numbered, titlesOf } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { turns } from './support/patience';

const service = LossyService.ofThisFile();

const killedWhileItSends = async (title: string): Promise<NodeRun> =>
	await service.killedAt(SEND, async (signal) => {
		const options = { parameters: createAndSend(title), items: await numbered(1), signal };
		return await service.n8n.runNode(TYPE, options);
	});

const killedAtTemplate = async (parameters: INodeParameters, n = 1): Promise<NodeRun> =>
	await service.killedAt(TEMPLATE_SEND, async (signal) => {
		const options = { parameters, items: [{ json: { n } }], workflowId: 'W', signal };
		return await service.n8n.runNode(TYPE, options);
	});

const isSent = async () => (await service.statuses()).filter((status) => status !== 'draft');

describe('A draft that a killed try may be sending just now', () => {
	it('is in doubt though it is refused now, and is found once it is out', async () => {
		service.lose('POST', SEND, LATE);
		const killed = await killedWhileItSends('Typo');
		const worker = await otherWorker(service);
		service.lose('POST', SEND, REFUSED);
		const settings = { onError: 'continueRegularOutput' as const };
		const refusing = { parameters: createAndSend('Typo'), settings };
		const { items } = await worker.retryNode(TYPE, killed, refusing, 'stopped');
		expect(items[0]?.json).toMatchObject({ error_details: { httpCode: '402', in_doubt: true } });

		const corrected = { parameters: createAndSend('Right') };
		const again = await worker.retryNode(TYPE, killed, corrected, 'stopped');
		expect(titlesOf(again)).toEqual(['Typo']);
		await expect(isSent()).resolves.toEqual(['in_progress']);
	});

	it('is waited for also where an older execution has kept it as never sent', async () => {
		service.lose('POST', SEND, REFUSED);
		const first = await service.run(createAndSend('Typo'), await numbered(1));
		const worker = await otherWorker(service);
		service.lose('POST', SEND, LATE);
		await service.killedAt(SEND, async (signal) => {
			return await worker.retryNode(TYPE, first, { parameters: createAndSend('Typo'), signal });
		});
		for (const title of ['Typo', 'Right']) {
			expect(titlesOf(await service.retry(first, createAndSend(title)))).toEqual(['Typo']);
		}
		await expect(isSent()).resolves.toEqual(['in_progress']);
	});

	it('is the one that goes out, where an older execution has lost a request', async () => {
		service.loseForGood(TEMPLATE_SEND, NOT_DONE);
		const parameters = await service.templateSend('T');
		const first = await service.run(parameters);
		service.mend();
		await service.clock.sleep(600_000);
		service.lose('POST', SEND, LATE);
		await service.killedAt(SEND, async (signal) => {
			return await service.n8n.retryNode(TYPE, first, { parameters, signal });
		});
		await (await otherWorker(service)).retryNode(TYPE, first, { parameters });
		await expect(isSent()).resolves.toEqual(['in_progress']);
	});

	it('is out, though the next try was about to place its fields', async () => {
		service.lose('POST', SEND, LATE);
		const killed = await killedWhileItSends('T');
		service.lose('PUT', /fields$/, { how: 429, afterMs: 60_000 });
		const worker = await otherWorker(service);
		const parameters = createAndSend('T');
		const again = await worker.retryNode(TYPE, killed, { parameters }, 'stopped');
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('is waited for before another one of the item is sent', async () => {
		service.lose('POST', SEND, REFUSED, { times: 2 });
		const first = await service.run(createAndSend('Typo'), await numbered(1));
		const corrected = await service.retry(first, createAndSend('Right'));
		service.lose('POST', SEND, LATE);
		await service.killedAt(SEND, async (signal) => {
			const options = { parameters: createAndSend('Typo'), signal };
			return await service.n8n.retryNode(TYPE, first, options);
		});
		const worker = await otherWorker(service);
		await worker.retryNode(TYPE, corrected, { parameters: createAndSend('Right') });
		await expect(isSent()).resolves.toEqual(['in_progress']);
	});
});

it('A draft is sent once it is recorded, however slow n8n’s database is', async () => {
	const { memories } = service;
	const record = memories.checkProcessedAndRecord.bind(memories);
	const slow = jest.spyOn(memories, 'checkProcessedAndRecord');
	slow.mockImplementation(async (...asked) => {
		await turns(2_000);
		return await record(...asked);
	});
	service.lose('POST', SEND, DONE);
	const killed = await killedWhileItSends('T');
	slow.mockRestore();
	const worker = await otherWorker(service);
	await worker.retryNode(TYPE, killed, { parameters: createAndSend('T') }, 'stopped');
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});

it('What was killed without a title is no other one for its people, and none of its name for others', async () => {
	const parameters = await service.templateSend('', { additionalFields: {} });
	const killed = await killedAtTemplate(parameters);
	const [made] = await service.documents();
	const emails = ROLES.map(({ email }) => email);
	await service.direct.send('Another', emails);
	await service.direct.send('Mutual NDA', ['somebody@example.com']);
	const worker = await otherWorker(service);
	const again = await worker.retryNode(TYPE, killed, { parameters }, 'stopped');
	expect(again.items.map(({ json }) => json.id)).toEqual([made?.id]);
	await expect(service.documents()).resolves.toHaveLength(3);
});

it('A question that was killed makes no document another item’s', async () => {
	const parameters = await service.templateSend('={{ "T " + $json.n }}');
	const [one, two] = [await killedAtTemplate(parameters), await killedAtTemplate(parameters, 2)];
	await service.clock.sleep(600_000);
	const { memories } = service;
	const removeProcessed = memories.removeProcessed.bind(memories);
	let questions = 0;
	const remove = jest.spyOn(memories, 'removeProcessed').mockImplementation(async (...entries) => {
		// The last one asks whose the document is.
		if (++questions > 1) throw new Error('n8n is dead');
		await removeProcessed(...entries);
	});
	const worker = await otherWorker(service);
	const dead = await worker.retryNode(TYPE, one, { parameters }, 'stopped');
	expect(dead.error?.message).toContain('n8n is dead');
	remove.mockRestore();

	const last = await otherWorker(service);
	const [again, other] = [
		await last.retryNode(TYPE, one, { parameters }, 'stopped'),
		await last.retryNode(TYPE, two, { parameters }, 'stopped'),
	];
	expect([again, other].flatMap(titlesOf)).toEqual(['T 1', 'T 2']);
	await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
});

describe('A retry that was killed as it sent', () => {
	/** What retries the same execution, each in another worker. */
	async function retryOfKilled() {
		const parameters = await service.templateSend('T');
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await service.run(parameters);
		const retry = async (signal?: AbortSignal) =>
			await (await otherWorker(service)).retryNode(TYPE, first, { parameters, signal });
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		await service.killedAt(TEMPLATE_SEND, retry);
		return retry;
	}

	it('is waited for by the next one, and by none after that, though it was refused', async () => {
		const retry = await retryOfKilled();
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const begun = service.clock.now();
		expect((await retry()).error).toMatchObject({ httpCode: '402' });
		const before = service.clock.now();
		expect(before - begun).toBeGreaterThanOrEqual(90_000);
		expect(titlesOf(await retry())).toEqual(['T']);
		expect(service.clock.now() - before).toBeLessThan(90_000);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('holds up nobody for good, though the next one was killed as it took its turn', async () => {
		const retry = await retryOfKilled();
		const stop = new AbortController();
		const { memories } = service;
		const record = memories.checkProcessedAndRecord.bind(memories);
		const ask = jest.spyOn(memories, 'checkProcessedAndRecord');
		ask.mockImplementation(async (entries, ...more) => {
			const answer = await record(entries, ...more);
			if (/ in turn 0$/.test(String(entries[0]))) {
				memories.failure = new Error('n8n is dead');
				stop.abort();
			}
			return answer;
		});
		expect((await retry(stop.signal)).items).toEqual([]);
		expect(stop.signal.aborted).toBe(true);
		ask.mockRestore();
		memories.failure = undefined;

		expect(titlesOf(await retry())).toEqual(['T']);
		await expect(isSent()).resolves.toEqual(['in_progress']);
	});
});

describe('With Skip If Created, what a killed try may be sending just now is waited for', () => {
	const additionalFields = { title: 'T', skipIfCreatedWithin: 1 };

	it('where that try was without it', async () => {
		service.lose('POST', TEMPLATE_SEND, LATE);
		const killed = await killedAtTemplate(await service.templateSend('T'));
		const parameters = await service.templateSend('T', { additionalFields });
		await (await otherWorker(service)).retryNode(TYPE, killed, { parameters }, 'stopped');
		await expect(isSent()).resolves.toEqual(['in_progress']);
	});

	it('where the title was corrected since', async () => {
		const skipping = (title: string) => ({ ...createAndSend(title), additionalFields });
		service.lose('POST', SEND, LATE);
		const killed = await service.killedAt(SEND, async (signal) => {
			const options = { parameters: skipping('Typo'), items: await numbered(1), signal };
			return await service.n8n.runNode(TYPE, options);
		});
		const worker = await otherWorker(service);
		const corrected = { parameters: skipping('Right') };
		const again = await worker.retryNode(TYPE, killed, corrected, 'stopped');
		expect(titlesOf(again)).toEqual(['Typo']);
		await expect(isSent()).resolves.toEqual(['in_progress']);
	});
});

it('What a killed try has sent goes before the draft of another order of the same', async () => {
	const parameters = await service.templateSend('T');
	const killed = await killedAtTemplate(parameters);
	await service.answered();
	await service.clock.sleep(600_000);
	const worker = await otherWorker(service);
	const options = { parameters, items: [{ json: { n: 1 } }], workflowId: 'W' };
	// Its answer is lost, nothing came of it, and its draft is refused.
	service.lose('POST', TEMPLATE_SEND, NOT_DONE);
	service.lose('POST', SEND, REFUSED);
	const refused = await worker.runNode(TYPE, options);
	expect(refused.error).toBeDefined();

	const again = await worker.retryNode(TYPE, killed, options, 'killed');
	expect(again.error).toBeUndefined();
	await expect(isSent()).resolves.toEqual(['in_progress']);
});
