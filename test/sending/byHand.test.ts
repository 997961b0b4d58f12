import { createAndSend, TYPE } from '../actions/support/workbench';
import { REFUSED, SEND } from './support/losses';
import { hintsOf, LossyService, numbered } from './support/lossyService';
import { otherWorker } from './support/otherProcess';
import { contractOf, twoOfALine } from './support/twoOfALine';

const service = LossyService.ofThisFile();

/** As the message of a refused item says. */
async function sendByHand(): Promise<string | undefined> {
	const [draft] = await service.documents();
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
});
