import type { N8n } from '../../harness/n8nCore/n8n';
import { TYPE } from '../actions/everyOperation/faultyService';
import {
	DOCUMENT,
	DOCUMENTS,
	DONE,
	DOWN,
	hintsOf,
	LossyService,
	NOT_DONE,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from './support/lossyService';
import { otherProcess } from './support/otherProcess';
import { ADA, byId, createAndSend } from '../actions/support/workbench';

const service = LossyService.ofThisFile();

async function otherWorker(): Promise<N8n> {
	return await otherProcess({ clock: service.clock, attempts: 2 }, service.credential);
}

describe('Retry execution in another worker', () => {
	it('succeeds with a document whose send was in doubt, and carried out', async () => {
		service.lose('POST', SEND, DONE);
		service.lose('POST', SEND, DOWN);
		service.lose('GET', DOCUMENT, DOWN, { times: 5 });
		const failed = await service.run(createAndSend('T1'), await numbered(1));
		expect(failed.error).toBeDefined();
		service.mend();
		const worker = await otherWorker();
		const again = await worker.retryNode(TYPE, failed, { parameters: createAndSend('T1') });
		expect(again.error).toBeUndefined();
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		await expect(service.documents()).resolves.toHaveLength(1);
	});

	it('sends only what had not been sent', async () => {
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const parameters = await service.templateSend('={{ "T " + $json.n }}');
		const failed = await service.run(parameters, await numbered(2));
		const worker = await otherWorker();
		const again = await worker.retryNode(TYPE, failed, { parameters });
		expect(titlesOf(again)).toEqual(['T 1', 'T 2']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});

	it('sends nothing that was sent where n8n has saved nothing of what the nodes did', async () => {
		const parameters = await service.templateSend('={{ "T " + $json.n }}');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
		// n8n writes the time of its own clock down, which the clock of the test is never behind from then on.
		await service.clock.sleep(600_000);
		const failed = await service.run(parameters, await numbered(3));
		await service.clock.sleep(600_000);
		const worker = await otherWorker();
		const again = await worker.retryNode(TYPE, failed, { parameters }, true);
		expect(again.error).toBeUndefined();
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it('names the draft that stays behind when the item was corrected', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(createAndSend('Typo'), await numbered(1));
		const [draft] = await service.documents();
		const worker = await otherWorker();
		const again = await worker.retryNode(TYPE, failed, { parameters: createAndSend('Right') });
		expect(titlesOf(again)).toEqual(['Right']);
		expect(hintsOf(again)).toContain(`The draft ${draft?.id} of an earlier try is never sent`);
	});

	it('and in the first again sends nothing that the other has sent', async () => {
		const parameters = await service.templateSend('={{ "T " + $json.n }}');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const first = await service.run(parameters, await numbered(3));
		const worker = await otherWorker();
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
		const second = await worker.retryNode(TYPE, first, { parameters });
		expect(second.error).toMatchObject({ httpCode: '402' });
		const third = await service.retry(second, parameters);
		expect(titlesOf(third)).toEqual(['T 1', 'T 2', 'T 3']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it('and in the first again goes on with the draft that the other has made', async () => {
		service.lose('POST', DOCUMENTS, REFUSED);
		const first = await service.run(createAndSend('T5'), await numbered(1));
		const worker = await otherWorker();
		service.lose('POST', SEND, REFUSED);
		const second = await worker.retryNode(TYPE, first, { parameters: createAndSend('T5') });
		const third = await service.retry(second, createAndSend('T5'));
		expect(third.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		await expect(service.documents()).resolves.toHaveLength(1);
	});

	it.each([
		['is there', DONE],
		['is not there', NOT_DONE],
	])('looks for what the other has sent, whose answer was lost: it %s', async (_, loss) => {
		const parameters = await service.templateSend('T');
		service.loseForGood(TEMPLATE_SEND, loss);
		const failed = await service.run(parameters);
		expect(failed.error).toBeDefined();
		service.mend();
		const again = await (await otherWorker()).retryNode(TYPE, failed, { parameters });
		expect(titlesOf(again)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it.each(['cancel', 'send'])('succeeds with a %s whose answer was lost', async (operation) => {
		const { items } = await service.run(
			createAndSend('T7', ADA, { operation: operation === 'cancel' ? 'createAndSend' : 'create' }),
			await numbered(1),
		);
		const id = items[0]?.json.id;
		const parameters = { resource: 'document', operation, documentId: byId(id) };
		const path = new RegExp(`/${operation}$`);
		service.lose('POST', path, DONE);
		service.lose('POST', path, DOWN, { times: 5 });
		service.lose('GET', DOCUMENT, DOWN, { times: 9 });
		const failed = await service.run(parameters);
		expect(failed.error).toBeDefined();
		service.mend();
		const worker = await otherWorker();
		const again = await worker.retryNode(TYPE, failed, { parameters });
		expect(again.items.map(({ json }) => json.status)).toEqual([operation === 'cancel' ? 'cancelled' : 'in_progress']);
	});

	it('and in the first again, where it had been refused, does not send what the other has sent and lost', async () => {
		const parameters = await service.templateSend('T');
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const refused = await service.run(parameters);
		const worker = await otherWorker();
		service.loseForGood(TEMPLATE_SEND, DONE);
		const lost = await worker.retryNode(TYPE, refused, { parameters });
		service.mend();
		for (const one of [refused, lost, refused]) {
			expect(titlesOf(await service.retry(one, parameters))).toEqual(['T']);
			await expect(service.titles()).resolves.toEqual(['T']);
		}
	});

	it('succeeds with a deletion whose answer was lost', async () => {
		const { id } = await service.direct.call('POST', '/webhooks', {
			url: 'https://127.0.0.1:9/hook',
			events: ['document.sent'],
		});
		const parameters = { resource: 'webhook', operation: 'delete', webhookId: byId(id) };
		service.lose('DELETE', /\/webhooks\//, DONE);
		service.lose('DELETE', /\/webhooks\//, DOWN, { times: 5 });
		const failed = await service.run(parameters);
		expect(failed.error).toBeDefined();
		service.mend();
		const worker = await otherWorker();
		const again = await worker.retryNode(TYPE, failed, { parameters });
		expect(again.items.map(({ json }) => json)).toEqual([{ id, deleted: true }]);
	});
});
