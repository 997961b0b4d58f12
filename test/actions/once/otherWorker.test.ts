import { N8n } from '../../../harness/n8nCore/n8n';
import { TYPE } from '../everyOperation/faultyService';
import {
	ADA,
	create,
	DOCUMENT,
	DOCUMENTS,
	DONE,
	DOWN,
	LossyService,
	NOT_DONE,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from '../support/lossyService';
import { said } from '../support/said';
import { byId, RETRY } from '../support/workbench';

const service = LossyService.ofThisFile();

/** An n8n in another process: nothing of what the modules of the package hold is known to it. */
async function otherWorker(): Promise<N8n> {
	let worker: N8n | undefined;
	await jest.isolateModulesAsync(async () => {
		const { ESign } = await import('../../../nodes/ESign/ESign.node.js');
		const { sharedSettings } = await import('../../../nodes/ESign/transport/index.js');
		Object.assign(sharedSettings, { clock: service.clock, attempts: 2 });
		worker = new N8n({ [TYPE]: new ESign() }, service.credential);
	});
	if (!worker) throw new Error('No modules were loaded');
	return worker;
}

describe('Retry execution in another worker', () => {
	it('succeeds with a document whose send was in doubt, and carried out', async () => {
		service.lose('POST', SEND, DONE);
		service.lose('POST', SEND, DOWN);
		service.lose('GET', DOCUMENT, DOWN, { times: 5 });
		const failed = await service.run(create('T'), await numbered(1));
		expect(failed.error).toBeDefined();
		service.mend();
		const worker = await otherWorker();
		const again = await worker.retryNode(TYPE, failed, { parameters: create('T') });
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

	it('names the draft of the first request before a corrected one begins', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(create('Typo'), await numbered(1));
		const [draft] = await service.documents();
		const worker = await otherWorker();
		const told = await worker.retryNode(TYPE, failed, { parameters: create('Right') });
		expect(said(told.error)).toContain(`The draft ${draft?.id} was created.`);
		const again = await worker.retryNode(TYPE, told, { parameters: create('Right') });
		expect(titlesOf(again)).toEqual(['Right']);
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
		const first = await service.run(create('T'), await numbered(1));
		const worker = await otherWorker();
		service.lose('POST', SEND, REFUSED);
		const second = await worker.retryNode(TYPE, first, { parameters: create('T') });
		const third = await service.retry(second, create('T'));
		expect(third.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		await expect(service.documents()).resolves.toHaveLength(1);
	});

	it.each([
		['is there, and is found by the first', DONE, true],
		['is not there', NOT_DONE, false],
	])(
		'does not send what the other has sent, whose answer was lost, unless a person asks again: it %s',
		async (_, loss, isThere) => {
			const parameters = await service.templateSend('T');
			service.loseForGood(TEMPLATE_SEND, loss);
			const failed = await service.run(parameters);
			service.mend();
			const worker = await otherWorker();
			const told = await worker.retryNode(TYPE, failed, { parameters, settings: RETRY });
			expect(said(told.error)).toContain('whether it has created anything is not known');
			await expect(service.titles()).resolves.toEqual(isThere ? ['T'] : []);
			const again = isThere
				? await service.retry(told, parameters)
				: await worker.retryNode(TYPE, told, { parameters });
			expect(titlesOf(again)).toEqual(['T']);
			await expect(service.titles()).resolves.toEqual(['T']);
		},
	);

	it.each(['cancel', 'send'])('succeeds with a %s whose answer was lost', async (operation) => {
		const { items } = await service.run(
			create('T', ADA, { operation: operation === 'cancel' ? 'createAndSend' : 'create' }),
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
		const told = await service.retry(lost, parameters);
		expect(said(told.error)).toContain('whether it has created anything is not known');
		await expect(service.titles()).resolves.toEqual(['T']);
		// As the error advises.
		const additionalFields = { title: 'T', skipIfCreatedWithin: 1 };
		const again = await service.retry(told, { ...parameters, additionalFields });
		expect(titlesOf(again)).toEqual(['T']);
		await expect(service.titles()).resolves.toEqual(['T']);
	});

	it('and corrected in the first, names what the other has carried out', async () => {
		const titled = (name: string) => create(`={{ "${name} " + $json.n }}`);
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(titled('A'), await numbered(2));
		const told = await service.retry(failed, titled('B'));
		expect(said(told.error)).toContain('was created.');
		const worker = await otherWorker();
		service.lose('POST', DOCUMENTS, REFUSED, { body: 'A 2' });
		const other = await worker.retryNode(TYPE, told, { parameters: titled('A') });
		expect(other.error).toMatchObject({ httpCode: '402' });
		const corrected = await service.retry(other, titled('C'));
		expect(said(corrected.error)).toContain('1 item was carried out');
		await expect(service.titles()).resolves.toEqual(['A 1']);
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
