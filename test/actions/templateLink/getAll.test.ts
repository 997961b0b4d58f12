import { asSent, fromItem, items, links, openBench, run, sent, templateIds } from '../support/operationRun';

openBench();

describe('Template Link > Get Many', () => {
	it('GET /templates/{id}/links, the limit applied here', async () => {
		const [, newest] = await links();
		const { nda } = await templateIds();
		const { requests, output } = await run(
			['templateLink', 'getAll'],
			{ templateId: fromItem('id'), limit: 1 },
			items({ id: nda }, { id: nda }),
		);
		expect(asSent(requests)).toEqual([sent('GET', `/templates/${nda}/links`), sent('GET', `/templates/${nda}/links`)]);
		expect(output.map(({ id }) => id)).toEqual([newest, newest]);
	});
});
