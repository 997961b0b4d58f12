import { asSent, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Account > Get', () => {
	it('GET /account', async () => {
		const { requests, output } = await run(['account', 'get'], {}, items({}, {}));
		expect(asSent(requests)).toEqual([sent('GET', '/account'), sent('GET', '/account')]);
		expect(output[1]).toMatchObject({ mode: 'TEST', usage: { documents_used: 0 } });
	});
});
