import { DONE, LossyService, numbered, REFUSED, TEMPLATE_SEND, titlesOf } from '../support/lossyService';
import { said } from '../support/said';

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

	it('carries out a correction, once what was there before was named', async () => {
		service.loseForGood(TEMPLATE_SEND, DONE);
		const first = await service.run(await service.templateSend('Typo'));
		service.mend();
		const [made] = await service.documents();
		const told = await service.retry(first, await service.templateSend('Correct'));
		expect(said(told.error)).toContain(String(made?.id));
		const again = await service.retry(first, await service.templateSend('Correct'));
		expect(titlesOf(again)).toEqual(['Correct']);
		await expect(service.titles()).resolves.toEqual(['Correct', 'Typo']);
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
