import { DONE, LossyService, numbered, REFUSED, TEMPLATE_SEND, titlesOf } from './support/lossyService';

const service = LossyService.ofThisFile();

/** After a retry that failed, the editor stays on the first execution, and offers its Retry again. */
describe('An execution that is retried again after its retries', () => {
	it('sends nothing that they have sent, whether they failed or not', async () => {
		const parameters = await service.templateSend('={{ "T " + $json.n }}');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const first = await service.run(parameters, await numbered(3));
		expect(first.error).toBeDefined();
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
		const second = await service.retry(first, parameters);
		expect(second.error).toBeDefined();
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		for (let again = 0; again < 2; again++) {
			const retried = await service.retry(first, parameters);
			expect(titlesOf(retried)).toEqual(['T 1', 'T 2', 'T 3']);
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
		}
	});

	it('sends no correction while what an earlier try has sent is out, and says so at every retry', async () => {
		service.loseForGood(TEMPLATE_SEND, DONE);
		const first = await service.run(await service.templateSend('Typo'));
		service.mend();
		const [made] = await service.documents();
		const correct = await service.templateSend('Correct');
		for (let again = 0; again < 3; again++) {
			const told = await service.retry(first, correct);
			expect(told.error?.message).toBe(`The document ${made?.id} was already sent by an earlier try`);
			await expect(service.titles()).resolves.toEqual(['Typo']);
		}
		await service.direct.call('POST', `/documents/${made?.id}/cancel`);
		expect(titlesOf(await service.retry(first, correct))).toEqual(['Correct']);
	});

	it('sends nothing twice where an item had failed because its parameters could not be read', async () => {
		const bad = await service.templateSend("={{ $json.n === 2 ? $('Nowhere').item.json.x : 'T ' + $json.n }}");
		const good = await service.templateSend('={{ "T " + $json.n }}');
		const first = await service.run(bad, await numbered(2));
		expect(first.error).toBeDefined();
		for (let again = 0; again < 2; again++) {
			expect(titlesOf(await service.retry(first, good))).toEqual(['T 1', 'T 2']);
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		}
	});

	it('sends nothing twice after a hundred other executions that have failed', async () => {
		const parameters = await service.templateSend('={{ "T " + $json.n }}');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const first = await service.run(parameters, await numbered(2));
		await service.retry(first, parameters);
		const other = await service.templateSend('Other');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'Other', times: 100 });
		for (let count = 0; count < 100; count++) await service.run(other);
		expect(titlesOf(await service.retry(first, parameters))).toEqual(['T 1', 'T 2']);
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
	});
});
