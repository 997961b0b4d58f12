import { asSent, fromItem, items, openBench, run, sent, templateIds } from '../support/operationRun';

openBench();

describe('Template > Get', () => {
	it('GET /templates/{id}', async () => {
		const { nda, offer } = await templateIds();
		const { requests, output } = await run(
			['template', 'get'],
			{ templateId: fromItem('id') },
			items({ id: nda }, { id: offer }),
		);
		expect(asSent(requests)).toEqual([sent('GET', `/templates/${nda}`), sent('GET', `/templates/${offer}`)]);
		expect(output.map(({ name }) => name)).toEqual(['Mutual NDA', 'Offer Letter']);
	});
});
