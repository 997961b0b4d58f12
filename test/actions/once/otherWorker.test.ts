import { N8n } from '../../../harness/n8nCore/n8n';
import { TYPE } from '../everyOperation/faultyService';
import {
	create,
	DOCUMENT,
	DONE,
	DOWN,
	LossyService,
	numbered,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
	titlesOf,
} from '../support/lossyService';
import { said } from '../support/said';

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
});
