import { asSent, bench, deliveries, openBench, sent } from '../support/operationRun';

openBench();

describe('Webhook Delivery > Replay Failed', () => {
	it('the log, then each event once, oldest first', async () => {
		const [made] = await deliveries();
		const { items: output, error } = await bench.run('webhookDelivery', 'replayFailed', {
			webhookId: { __rl: true, mode: 'id', value: made?.webhook as string },
		});
		expect(error).toBeUndefined();
		const requests = bench.takeRequests();
		expect(asSent(requests.slice(0, 1))).toEqual([
			sent('GET', `/webhooks/${made?.webhook}/deliveries`, { query: { limit: '100' } }),
		]);
		// Three attempts each at two events, and none succeeded.
		expect(requests).toHaveLength(3);
		expect(output.map(({ json }) => json.event)).toEqual(['document.sent', 'document.sent']);
		expect(new Set(output.map(({ json }) => json.event_id)).size).toBe(2);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	});
});
