import { asSent, items, openBench, run, sent, webhooks } from '../support/operationRun';

openBench();

describe('Webhook > Get Many', () => {
	it('GET /webhooks, the limit applied here', async () => {
		const [, newest] = await webhooks();
		const { requests, output } = await run(['webhook', 'getAll'], { limit: 1 }, items({}, {}));
		expect(asSent(requests)).toEqual([sent('GET', '/webhooks'), sent('GET', '/webhooks')]);
		expect(output.map(({ id }) => id)).toEqual([newest, newest]);
	});
});
