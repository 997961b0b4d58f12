import { asSent, deliveries, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Webhook Delivery > Get Many', () => {
	it('GET /webhooks/{id}/deliveries with limit', async () => {
		const made = await deliveries();
		const { requests, output } = await run(
			['webhookDelivery', 'getAll'],
			{ webhookId: fromItem('webhook'), limit: 1 },
			items(...made),
		);
		expect(asSent(requests)).toEqual(
			made.map(({ webhook }) => sent('GET', `/webhooks/${webhook}/deliveries`, { query: { limit: '1' } })),
		);
		expect(output.map(({ id }) => id)).toEqual(made.map(({ delivery }) => delivery));
	});
});
