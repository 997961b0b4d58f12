import { create, DOCUMENT, DONE, DOWN, LossyService, numbered, REFUSED, SEND, titlesOf } from '../support/lossyService';
import { said } from '../support/said';

const service = LossyService.ofThisFile();

const FIELDS = /\/fields$/;

/** What a person does at the service with a draft that an error has named. */
async function sendByHand(id: string): Promise<void> {
	const document: { recipients?: Array<{ id: string }> } = await service.direct.call('GET', `/documents/${id}`);
	const field = { type: 'SIGNATURE', pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.05 };
	const fields = document.recipients?.map((recipient) => ({ ...field, recipientId: recipient.id }));
	await service.direct.call('PUT', `/documents/${id}/fields`, { fields });
	await service.direct.call('POST', `/documents/${id}/send`);
}

describe('A person goes on by hand with the draft that an error has named, and retries the execution for the other items', () => {
	it.each([
		['placing the fields', 'PUT', FIELDS],
		['sending it', 'POST', SEND],
	])('after %s was refused: it comes out as it is', async (_, method, path) => {
		service.lose(method, path, REFUSED, { skip: 1 });
		const parameters = create('={{ "T " + $json.n }}');
		const failed = await service.run(parameters, await numbered(3));
		expect(said(failed.error)).toContain('go on with it by Update Fields and Send');
		const draft = (await service.documents()).find(({ status }) => status === 'draft');
		await sendByHand(String(draft?.id));
		const again = await service.retry(failed, parameters);
		expect(titlesOf(again)).toEqual(['T 1', 'T 2', 'T 3']);
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress', 'in_progress', 'in_progress']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
	});

	it('and cancels it after it was perhaps sent: it comes out cancelled, and the others are sent', async () => {
		service.lose('POST', SEND, DONE);
		service.lose('POST', SEND, DOWN, { times: 5 });
		service.lose('GET', DOCUMENT, DOWN, { times: 9 });
		const parameters = create('={{ "T " + $json.n }}');
		const failed = await service.run(parameters, await numbered(2));
		service.mend();
		const [made] = await service.documents();
		await service.direct.call('POST', `/documents/${made?.id}/cancel`);
		const again = await service.retry(failed, parameters);
		expect(again.items.map(({ json }) => [json.title, json.status])).toEqual([
			['T 1', 'cancelled'],
			['T 2', 'in_progress'],
		]);
	});
});
