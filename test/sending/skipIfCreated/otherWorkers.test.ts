import type { INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../../support/n8nCore/n8n';
import { ADA, createAndSend, TYPE } from '../../actions/support/workbench';
import { ROLES } from '../../client/support/samples';
import { DOCUMENTS, DONE, DOWN, LATE, REFUSED, SEND, TEMPLATE_SEND } from '../support/losses';
import { LossyService, numbered } from '../support/lossyService';
import { otherWorker } from '../support/otherProcess';
import { LONG_MS, turns } from '../support/patience';

const service = LossyService.ofThisFile();

type Run = (signal?: AbortSignal) => Promise<NodeRun>;

const TITLE = '={{ "T " + $json.n }}';
const LIST = 'GET /documents';
const POST = 'POST /templates/…/send';

const skipping = async (title = TITLE): Promise<INodeParameters> =>
	await service.templateSend(title, { additionalFields: { title, skipIfCreatedWithin: 1 } });

/** Whoever waits for nobody is through by then. */
const manyTurns = async () => await turns(20_000);

const requests = () => service.requests.map((request) => request.replace(/tpl_\w+/, '…'));

describe('With Skip If Created Within', () => {
	it('two workers that go through the same rows at once send each of them once', async () => {
		const parameters = await skipping();
		const items = await numbered(3);
		const worker = await otherWorker(service);
		let others: Promise<unknown> | undefined;
		// The other worker has read its list, and waits for the rate limit.
		service.lose('POST', TEMPLATE_SEND, { how: 429, afterMs: 10_000 });
		service.clock.at(service.clock.now() + 5_000, async () => {
			others = service.n8n.runNode(TYPE, { workflowId: 'W', parameters, items: items.slice(1) });
			await manyTurns();
		});
		const { items: made } = await worker.runNode(TYPE, { workflowId: 'W', parameters, items });
		await others;
		expect(made.map(({ json }) => json.already_existed)).toEqual([undefined, true, true]);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it('rows that are there already take no time', async () => {
		const [parameters, items] = [await skipping(), await numbered(3)];
		await service.run(parameters, items);
		const before = service.clock.now();
		const { items: found } = await service.run(parameters, items);
		expect(service.clock.now() - before).toBeLessThan(2_000);
		expect(found.map(({ json }) => json.already_existed)).toEqual([true, true, true]);
	});

	it('who finds another worker at it waits, and returns what that has sent', async () => {
		const options = { workflowId: 'W', parameters: await skipping('T') };
		const worker = await otherWorker(service);
		service.lose('POST', TEMPLATE_SEND, { how: 'reset', afterMs: 1, effectMs: 60_000 });
		let second: ReturnType<typeof service.n8n.runNode> | undefined;
		service.clock.at(service.clock.now() + 10_000, async () => {
			second = service.n8n.runNode(TYPE, options);
			// It would be through by then, if it did not wait for the other.
			await manyTurns();
		});
		const first = await worker.runNode(TYPE, options);
		const ids = [first, await second].map((run) => run?.items[0]?.json.id);
		await expect(service.documents()).resolves.toMatchObject([{ id: ids[0] }]);
		expect(ids[1]).toBe(ids[0]);
	});

	// The service tells times in whole seconds.
	it.each([
		[3_600, 1],
		[3_610, 2],
	])('of one hour, two runs %d seconds apart send %d', async (seconds, count) => {
		const [parameters, items] = [await skipping(), await numbered(1)];
		await service.run(parameters, items);
		await service.clock.sleep(seconds * 1_000);
		await service.run(parameters, items);
		await expect(service.titles()).resolves.toHaveLength(count);
	});

	it.each<[string, () => void, string[]]>([
		[
			'a row was refused',
			() => service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' }),
			[LIST, POST, POST],
		],
		[
			'the list could not be read',
			() => service.lose('GET', DOCUMENTS, DOWN, { times: 2 }),
			[LIST, POST, POST, POST],
		],
	])('a retry after %s waits for nobody, and sends the rest', async (_, lose, expected) => {
		const parameters = await skipping();
		lose();
		const failed = await service.run(parameters, await numbered(3));
		expect(failed.error).toBeDefined();
		service.requests.length = 0;
		const before = service.clock.now();
		const run = await service.retry(failed, parameters);
		expect(run.error).toBeUndefined();
		expect(service.clock.now() - before).toBeLessThan(10_000);
		expect(requests()).toEqual(expected);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it('a retry does not send the draft that it has left, if another worker has sent the same since', async () => {
		const additionalFields = { skipIfCreatedWithin: 24 };
		const parameters: INodeParameters = { ...createAndSend('T'), additionalFields };
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(parameters, await numbered(1));
		const worker = await otherWorker(service);
		const sent = await worker.runNode(TYPE, { parameters, items: await numbered(1) });
		const again = await service.retry(failed, parameters);
		expect(again.items.map(({ json }) => json)).toMatchObject([
			{ id: sent.items[0]?.json.id, already_existed: true },
		]);
		await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
	});

	it('what a retry has found is not what a later order gets', async () => {
		const parameters = await skipping('T');
		service.lose('POST', TEMPLATE_SEND, { how: 'reset', afterMs: 1, effectMs: 0 });
		service.lose('GET', DOCUMENTS, DOWN, { times: 2, skip: 1 });
		const failed = await service.run(parameters);
		service.mend();
		const again = await service.retry(failed, parameters);
		expect(again.items.map(({ json }) => json.already_existed)).toEqual([true]);

		await service.clock.sleep(2 * 3_600_000);
		const next = await service.run(parameters);
		expect(next.items[0]?.json.id).not.toBe(again.items[0]?.json.id);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});

	it('what a retry has found is its own, also where an older execution is retried', async () => {
		service.lose('GET', DOCUMENTS, REFUSED);
		const first = await service.run(await skipping('A'), await numbered(1));
		service.lose('POST', TEMPLATE_SEND, DONE);
		service.lose('GET', DOCUMENTS, DOWN, { times: 2, skip: 1 });
		const second = await service.retry(first, await skipping('B'));
		service.mend();
		const third = await service.retry(second, await skipping('B'));
		expect(third.items.map(({ json }) => json.already_existed)).toEqual([true]);

		const again = await service.retry(first, await skipping('A'));
		expect(again.items[0]?.json.id).toBe(third.items[0]?.json.id);
		await expect(service.titles()).resolves.toEqual(['B']);
	});

	it('a list of titles that were sent last week takes as many requests as then', async () => {
		const [parameters, items] = [await skipping(), await numbered(3)];
		await service.run(parameters, items);
		const then = service.requests.splice(0).length;
		await service.clock.sleep(7 * 24 * 3_600_000);
		await service.run(parameters, items);
		expect(service.requests).toHaveLength(then);
		await expect(service.titles()).resolves.toHaveLength(6);
	});

	it.each([
		['', async () => await Promise.resolve()],
		[
			', also by the next one, where one could not look',
			async (run: Run) => {
				service.lose('GET', DOCUMENTS, REFUSED);
				expect((await run()).error).toBeDefined();
			},
		],
		[
			', also by the next one, where one was stopped that waited',
			async (run: Run) => {
				const { clock } = service;
				const { sleep } = clock;
				const stop = new AbortController();
				// Another clock than this one does not pass on to the end.
				clock.sleep = async (milliseconds) => {
					if (milliseconds < LONG_MS) return await sleep.call(clock, milliseconds);
					clock.sleep = sleep;
					await sleep.call(clock, 5_000);
					stop.abort();
				};
				expect((await run(stop.signal)).items).toEqual([]);
			},
		],
	])('what came of a killed worker late is looked for%s', async (_, before) => {
		service.lose('POST', TEMPLATE_SEND, LATE);
		const options = { workflowId: 'W', parameters: await skipping('T') };
		await service.killedAt(
			TEMPLATE_SEND,
			async (signal) => await service.n8n.runNode(TYPE, { ...options, signal }),
		);
		const worker = await otherWorker(service);
		const run: Run = async (signal) => await worker.runNode(TYPE, { ...options, signal });
		await before(run);
		const { items } = await run();
		expect(items.map(({ json }) => json.already_existed)).toEqual([true]);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('a retry returns its own draft as sent, if it is out', async () => {
		const additionalFields = { skipIfCreatedWithin: 24 };
		const parameters: INodeParameters = { ...createAndSend('T'), additionalFields };
		service.loseSend({ how: 'reset', afterMs: 1, effectMs: 0 });
		const failed = await service.run(parameters, await numbered(1));
		service.mend();
		const again = await service.retry(failed, parameters);
		expect(again.items.map(({ json }) => json.already_existed)).toEqual([undefined]);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('a retry that was corrected sends no second one, if somebody has sent its draft', async () => {
		const additionalFields = { skipIfCreatedWithin: 24 };
		const parameters: INodeParameters = { ...createAndSend('T'), additionalFields };
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(parameters, await numbered(1));
		const [draft] = await service.documents();
		await service.direct.api('POST', `/documents/${draft?.id}/send`);
		const recipientsJson = JSON.stringify([{ ...ADA, name: 'Corrected' }]);
		const again = await service.retry(failed, { ...parameters, recipientsJson });
		expect(again.items.map(({ json }) => json.id)).toEqual([draft?.id]);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('one document comes of two forms, though a new day begins between them', async () => {
		const { clock } = service;
		const parameters = await skipping('T');
		const renamed = String(parameters.recipientsJson).replace('Ada', 'Ada Lovelace');
		const day = 86_400_000;
		await clock.sleep(day - (clock.now() % day) - 30_000);
		service.lose('POST', TEMPLATE_SEND, { how: 'reset', afterMs: 1, effectMs: 60_000 });
		let second: ReturnType<typeof service.run> | undefined;
		clock.at(clock.now() + 40_000, async () => {
			second = service.run({ ...parameters, recipientsJson: renamed });
			// It would be through by then, if it did not wait for the first.
			await manyTurns();
		});
		const first = await service.run(parameters);
		const ids = [first, await second].map((run) => run?.items[0]?.json.id);
		expect(new Set(ids).size).toBe(1);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('what is out is returned where a draft is wanted, not a draft that came later', async () => {
		const emails = ROLES.map(({ email }) => email);
		const { id } = await service.direct.send('T', emails);
		await service.clock.sleep(5_000);
		await service.run(await service.templateSend('T', { send: false }));
		const run = await service.run({ ...(await skipping('T')), send: false });
		expect(run.items.map(({ json }) => json)).toMatchObject([{ id, already_existed: true }]);
	});

	it('a retry returns what came of its item, not a draft that a lost answer has left', async () => {
		const draft = async (title: string) => ({ ...(await skipping(title)), send: false });
		const isDone = { how: 'reset', afterMs: 1, effectMs: 0 } as const;
		service.lose('POST', TEMPLATE_SEND, isDone, { times: 2 });
		const failed = await service.run(await draft('Typo'));
		const corrected = await service.retry(failed, await draft('Right'));
		await service.direct.api('POST', `/documents/${corrected.items[0]?.json.id}/send`);
		const again = await service.retry(failed, await draft('Typo'));
		expect(again.error).toBeUndefined();
		expect(again.items[0]?.json.id).toBe(corrected.items[0]?.json.id);
	});

	it.each([
		['before', 0],
		['after', 45_000],
	])(
		'a draft that came %s the one that somebody has, of a lost answer, is nobody’s',
		async (_, effectMs) => {
			const parameters = { ...(await skipping('T')), send: false };
			const options = { parameters, workflowId: 'W' };
			service.lose('POST', TEMPLATE_SEND, { how: 'reset', afterMs: 1, effectMs });
			const first = await service.n8n.runNode(TYPE, options);
			await service.clock.sleep(120_000);
			const worker = await otherWorker(service);
			const second = await worker.runNode(TYPE, options);
			await expect(service.documents()).resolves.toHaveLength(2);
			expect(second.items[0]?.json.id).toBe(first.items[0]?.json.id);
		},
	);

	it('the newest is returned, if there are several', async () => {
		const emails = ROLES.map(({ email }) => email);
		await service.direct.send('T', emails);
		await service.clock.sleep(5_000);
		const { id } = await service.direct.send('T', emails);
		const run = await service.run(await skipping('T'));
		expect(run.items.map(({ json }) => json)).toMatchObject([{ id, already_existed: true }]);
	});

	it('a contract is there, though n8n’s clock was ahead and is set right during the look', async () => {
		const { clock } = service;
		await service.run(await skipping('T'));
		await clock.sleep(30 * 60_000);
		const { lossOf } = service;
		Object.assign(clock, { wallClock: () => clock.now() + 45 * 60_000 });
		service.lossOf = (method, path, body) => {
			delete (clock as { wallClock?: unknown }).wallClock;
			return lossOf(method, path, body);
		};
		const { items } = await service.run(await skipping('T'));
		service.lossOf = lossOf;
		expect(items[0]?.json.already_existed).toBe(true);
		await expect(service.titles()).resolves.toEqual(['T']);
	});
});
