import { TYPE } from '../actions/support/workbench';
import { DOCUMENTS, REFUSED, SEND } from './support/losses';
import { LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { contractOf } from './support/twoOfALine';

const service = LossyService.ofThisFile();

it('A draft whose item was refused, and which a person sent by hand then, is not sent once more', async () => {
	service.lose('POST', SEND, REFUSED);
	const options = { ...contractOf('T'), items: await numbered(1) };
	const failed = await service.n8n.runNode(TYPE, options);
	const [draft] = await service.documents();
	await service.direct.api('POST', `/documents/${draft?.id}/send`);
	const retried = await service.n8n.retryNode(TYPE, failed, contractOf('T'));
	expect(retried.items.map(({ json }) => json.id)).toEqual([draft?.id]);
	await expect(service.statuses()).resolves.toEqual(['in_progress']);
});

it.each(['this', 'another'])(
	'What another execution has taken over, and sent, is not what was corrected, on %s worker',
	async (which) => {
		service.lose('POST', SEND, REFUSED);
		const items = await numbered(1);
		const first = await service.n8n.runNode(TYPE, { ...contractOf('Typo'), items });
		await service.n8n.runNode(TYPE, { ...contractOf('Typo'), items });
		await service.clock.sleep(660_000);
		const worker = which === 'this' ? service.n8n : await otherWorker(service);
		await worker.retryNode(TYPE, first, contractOf('Right'));
		await expect(service.titles()).resolves.toEqual(['Right', 'Typo']);
	},
);

it('What was refused before there was a draft waits for nothing in the next retry', async () => {
	service.lose('POST', SEND, REFUSED);
	const first = await service.n8n.runNode(TYPE, { ...contractOf('T'), items: await numbered(1) });
	service.lose('POST', DOCUMENTS, REFUSED);
	const worker = await otherWorker(service);
	const second = await worker.retryNode(TYPE, first, contractOf('U'));
	const begun = service.clock.now();
	const third = await worker.retryNode(TYPE, second, contractOf('U'));
	expect(third.items).toMatchObject([{ json: { title: 'U', status: 'in_progress' } }]);
	expect(service.clock.now() - begun).toBeLessThan(30_000);
});
