import { createAndSend, TYPE } from '../actions/support/workbench';
import { DOCUMENTS, REFUSED, SEND } from './support/losses';
import { hintsOf, LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { contractOf, twoOfALine } from './support/twoOfALine';

const service = LossyService.ofThisFile();

/** As the message of a refused item says. */
async function sendByHand(title?: string): Promise<string | undefined> {
	const documents = await service.documents();
	const draft = documents.find((one) => title === undefined || one.title === title);
	await service.direct.api('POST', `/documents/${draft?.id}/send`);
	return draft?.id;
}

describe('A draft whose item was refused, and which a person sent by hand then,', () => {
	it.each([
		['as it was', {}, {}],
		['under another title', { title: 'Corrected' }, {}],
		[
			'under another title, with Skip If Created',
			{ title: 'Corrected' },
			{ additionalFields: { skipIfCreatedWithin: 1 } },
		],
	])('is not sent once more, where the execution is retried %s', async (_, changed, both) => {
		const options = { workflowId: 'W', parameters: { ...createAndSend('T'), ...both } };
		service.lose('POST', SEND, REFUSED);
		const failed = await service.n8n.runNode(TYPE, { ...options, items: await numbered(1) });
		const id = await sendByHand();
		const parameters = { ...options.parameters, ...changed };
		const retried = await service.n8n.retryNode(TYPE, failed, { ...options, parameters });
		expect(retried.items.map(({ json }) => json.id)).toEqual([id]);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
		if ('title' in changed) expect(hintsOf(retried)).toContain('before the item was changed');
	});

	it.each(['T', 'Corrected'])(
		'is not sent once more, where a retry has left it under the title %s, and the first is retried again',
		async (title) => {
			const { older } = await twoOfALine(service, 'T', title);
			const id = await sendByHand();
			const worker = await otherWorker(service);
			const retried = await worker.retryNode(TYPE, older, contractOf('T'));
			expect(retried.items.map(({ json }) => json.id)).toEqual([id]);
			await expect(service.statuses()).resolves.toEqual(['in_progress']);
		},
	);

	it.each([
		['the second draft', 'the first', 'Corrected', 'Corrected'],
		['the second draft', 'the first', 'Corrected', 'Third'],
		['the second draft', 'the first', 'Corrected', 'T'],
		['the first draft', 'the second', 'T', 'Corrected'],
	] as const)(
		'is not sent once more, where two executions have left one each, it is %s, and %s execution is retried',
		async (_, whichRun, sent, title) => {
			service.lose('POST', SEND, REFUSED, { times: 2 });
			const items = await numbered(1);
			const first = await service.n8n.runNode(TYPE, { ...contractOf('T'), items });
			const second = await service.n8n.retryNode(TYPE, first, contractOf('Corrected'));
			const id = await sendByHand(sent);
			const worker = await otherWorker(service);
			const run = whichRun === 'the first' ? first : second;
			const retried = await worker.retryNode(TYPE, run, contractOf(title));
			expect(retried.items.map(({ json }) => json.id)).toEqual([id]);
			const statuses = await service.statuses();
			expect(statuses.sort()).toEqual(['draft', 'in_progress']);
		},
	);
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
