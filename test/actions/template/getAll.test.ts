import { asSent, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Template > Get Many', () => {
	it('GET /templates', async () => {
		const { requests } = await run(['template', 'getAll'], { limit: 1 }, items({}, {}));
		const query = { limit: '1' };
		expect(asSent(requests)).toEqual([sent('GET', '/templates', { query }), sent('GET', '/templates', { query })]);
	});
});
