import { asSent, deliveries, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Webhook Delivery > Replay', () => {
	it('POST .../{deliveryId}/replay', async () => {
		const made = await deliveries();
		const { requests, output } = await run(
			['webhookDelivery', 'replay'],
			{ webhookId: fromItem('webhook'), deliveryId: fromItem('delivery') },
			items(...made),
		);
		expect(asSent(requests)).toEqual(
			made.map(({ webhook, delivery }) => sent('POST', `/webhooks/${webhook}/deliveries/${delivery}/replay`)),
		);
		expect(output).toMatchObject([{ replayed: true }, { replayed: true }]);
	});
});
