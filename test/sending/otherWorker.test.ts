import type { INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../support/n8nCore/n8n';
import {
	DOCUMENT,
	DOCUMENTS,
	DONE,
	DOWN,
	LATE,
	NOT_DONE,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/losses';
import { hintsOf, LossyService, numbered, titlesOf } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { contractOf, twoOfALine } from './support/twoOfALine';
import { ADA, byId, createAndSend, TYPE } from '../actions/support/workbench';

const service = LossyService.ofThisFile();

/** Once nothing is lost any more, in a worker that knows only what n8n has saved. */
async function retryInOther(failed: NodeRun, parameters: INodeParameters): Promise<NodeRun> {
	expect(failed.error).toBeDefined();
	service.mend();
	return await (await otherWorker(service)).retryNode(TYPE, failed, { parameters });
}

const TITLE = '={{ "T " + $json.n }}';

describe('Retry execution in another worker', () => {
	it.each(['another', 'the same'])(
		'sends nothing that was sent where n8n has saved nothing: %s',
		async (process) => {
			const options = { parameters: await service.templateSend(TITLE), workflowId: 'W' };
			service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
			// n8n writes the time of its own clock down, which the clock of the test is never behind from
			// then on.
			await service.clock.sleep(600_000);
			const failed = await service.n8n.runNode(TYPE, { ...options, items: await numbered(3) });
			await service.clock.sleep(600_000);
			const worker = process === 'another' ? await otherWorker(service) : service.n8n;
			expect((await worker.retryNode(TYPE, failed, options, 'stopped')).error).toBeUndefined();
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
		},
	);

	it('of an older execution sends once, though a newer one has left a draft, which was refused', async () => {
		const parameters = await service.templateSend(TITLE);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await service.run(parameters, await numbered(2));
		service.lose('POST', TEMPLATE_SEND, { how: 500, afterMs: 1 }, { body: 'T 2' });
		service.lose('POST', SEND, REFUSED);
		const newer = await service.retry(first, parameters);
		expect(newer.error?.message).toContain('was created, but');
		await service.clock.sleep(10_000);
		service.lose('POST', TEMPLATE_SEND, { how: 500, afterMs: 1, effectMs: 0 }, { body: 'T 2' });
		const worker = await otherWorker(service);
		for (const failed of [first, newer]) {
			expect((await worker.retryNode(TYPE, failed, { parameters })).error).toBeUndefined();
			await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress', 'in_progress']);
		}
	});

	it('sends nothing of an execution that has crashed so that n8n has saved nothing, unless Skip If Created looks', async () => {
		const options = { parameters: await service.templateSend(TITLE), workflowId: 'W' };
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
		const failed = await service.n8n.runNode(TYPE, { ...options, items: await numbered(3) });
		const worker = await otherWorker(service);
		const refused = await worker.retryNode(TYPE, failed, options, 'crashed');
		expect(refused.error?.message).toContain('Whether this was sent already is not known');
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		Object.assign(options.parameters.additionalFields ?? {}, { skipIfCreatedWithin: 1 });
		expect((await worker.retryNode(TYPE, failed, options, 'crashed')).error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it.each([
		['is there', DONE],
		['is not there', NOT_DONE],
	])('looks for what the other has sent, whose answer was lost: it %s', async (_, loss) => {
		const parameters = await service.templateSend('T');
		service.loseForGood(TEMPLATE_SEND, loss);
		expect(titlesOf(await retryInOther(await service.run(parameters), parameters))).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('waits once for what it has lost itself, and sends it by the ID of a draft then', async () => {
		const parameters = await service.templateSend('T');
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const failed = await service.run(parameters);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE);
		const before = service.clock.now();
		const worker = await otherWorker(service);
		expect(titlesOf(await worker.retryNode(TYPE, failed, { parameters }))).toEqual(['T']);
		expect(service.clock.now() - before).toBeLessThan(90_000);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('fails as the service refuses it, also where n8n’s database is away since', async () => {
		const parameters = await service.templateSend('T');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 2 });
		const failed = await service.run(parameters);
		const { lossOf } = service;
		service.lossOf = (...request) => {
			if (request[0] === 'POST') service.memories.failure = new Error('The database is away');
			return lossOf(...request);
		};
		const worker = await otherWorker(service);
		const { error } = await worker.retryNode(TYPE, failed, { parameters });
		service.lossOf = lossOf;
		expect(error).toMatchObject({ httpCode: '402' });
	});

	it.each([
		['createAndSend', '', 'in_progress', SEND],
		['send', 'create', 'in_progress', SEND],
		['cancel', 'createAndSend', 'cancelled', /\/cancel$/],
	])('succeeds with a %s whose answer was lost', async (operation, before, status, path) => {
		const items = await numbered(1);
		let parameters = createAndSend(operation);
		if (operation !== 'createAndSend') {
			const { items: made } = await service.run(
				createAndSend(operation, ADA, { operation: before }),
				items,
			);
			parameters = { resource: 'document', operation, documentId: byId(made[0]?.json.id) };
		}
		service.lose('POST', path, DONE);
		service.lose('POST', path, DOWN, { times: 5 });
		service.lose('GET', DOCUMENT, DOWN, { times: 2 });
		const again = await retryInOther(await service.run(parameters, items), parameters);
		expect(again.items.map(({ json }) => json.status)).toEqual([status]);
		await expect(service.documents()).resolves.toHaveLength(1);
	});
});

describe('Retry execution in another worker, and then in the first again', () => {
	it('waits for what comes late of a retry that was corrected and killed', async () => {
		const { older, newer } = await twoOfALine(service, 'A', 'B');
		const worker = await otherWorker(service);
		service.lose('POST', SEND, LATE);
		await service.killedAt(
			SEND,
			async (signal) => await worker.retryNode(TYPE, older, { ...contractOf('A'), signal }),
		);
		const run = await service.n8n.retryNode(TYPE, newer, contractOf('B'));
		expect(titlesOf(run)).toEqual(['A']);
		await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
	});

	it.each(['another', 'the same'])(
		'sends no draft in doubt of which the item was corrected since, and sent: %s',
		async (process) => {
			service.loseSend(NOT_DONE);
			const first = await service.run(createAndSend('Typo'), await numbered(1));
			service.mend();
			const worker = process === 'another' ? await otherWorker(service) : service.n8n;
			await worker.retryNode(TYPE, first, { parameters: createAndSend('Right') });
			expect(titlesOf(await service.retry(first, createAndSend('Typo')))).toEqual(['Right']);
			await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
		},
	);

	it.each([
		['sent', REFUSED],
		['sent, whose answer was lost', DONE],
	])('returns the draft that the other has %s, whatever was corrected', async (_, loss) => {
		service.lose('POST', SEND, REFUSED);
		const first = await service.run(createAndSend('Typo'), await numbered(1));
		if (loss === DONE) service.loseSend(DONE);
		const worker = await otherWorker(service);
		await worker.retryNode(TYPE, first, { parameters: createAndSend('Typo') });
		service.mend();

		const again = await service.retry(first, createAndSend('Right'));
		const [made] = await service.documents();
		expect(again.items.map(({ json }) => json.id)).toEqual([made?.id]);
		await expect(service.titles()).resolves.toEqual(['Typo']);
	});

	it('makes no other draft where the item was corrected, also after it was refused', async () => {
		service.lose('POST', DOCUMENTS, REFUSED);
		const draftFor = (email: string) =>
			createAndSend('T', { ...ADA, email }, { operation: 'create' });
		const first = await service.run(draftFor('typo@example.com'), await numbered(1));
		const corrected = { parameters: draftFor('right@example.com') };
		await (await otherWorker(service)).retryNode(TYPE, first, corrected);
		for (let times = 0; times < 2; times++) {
			const worker = await otherWorker(service);
			const parameters = draftFor('typo@example.com');
			expect((await worker.retryNode(TYPE, first, { parameters })).error).toBeDefined();
		}
		await expect(service.statuses()).resolves.toEqual(['draft']);
	});
});

it.each([
	['was carried out', (): void => service.loseSend(DONE)],
	['was not carried out', (): void => service.loseSend(NOT_DONE)],
	['was refused', (): void => service.lose('POST', SEND, REFUSED)],
])(
	'A new order has its own contract, where the send of an equal one %s, which a retry on another worker has sent',
	async (_, lose) => {
		const options = { workflowId: 'W', parameters: createAndSend('T') };
		const items = await numbered(1);
		lose();
		const first = await service.n8n.runNode(TYPE, { ...options, items });
		expect(first.error).toBeDefined();
		service.mend();
		const again = await (await otherWorker(service)).retryNode(TYPE, first, options);
		const next = await service.n8n.runNode(TYPE, { ...options, items });
		const ids = [again, next].map((run) => run.items[0]?.json.id);
		expect((await service.documents()).map(({ id }) => id).sort()).toEqual(ids.sort());
		expect(hintsOf(next)).not.toContain('earlier try');
	},
);
