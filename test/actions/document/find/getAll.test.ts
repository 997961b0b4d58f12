import { asSent, bench, documents, items, openBench, run, sent } from '../../support/operationRun';

openBench();

describe('Document > Get Many', () => {
	it('GET /documents with limit and status', async () => {
		await documents(false);
		const { requests, output } = await run(
			['document', 'getAll'],
			{ limit: '={{ $json.limit }}', filters: { status: 'draft' } },
			items({ limit: 1 }, { limit: 1 }),
		);
		const query = { limit: '1', status: 'draft' };
		expect(asSent(requests)).toEqual([sent('GET', '/documents', { query }), sent('GET', '/documents', { query })]);
		expect(output).toHaveLength(2);
	});

	it('without a filter no status is sent', async () => {
		await bench.run('document', 'getAll', { returnAll: true });
		expect(asSent(bench.takeRequests())).toEqual([sent('GET', '/documents', { query: { limit: '100' } })]);
	});
});
