import { asSent, fromItem, items, openBench, run, sent, webhooks } from '../support/operationRun';

openBench();

describe('Webhook > Delete', () => {
	it('DELETE /webhooks/{id}', async () => {
		const made = await webhooks();
		const { requests, output } = await run(
			['webhook', 'delete'],
			{ webhookId: fromItem('id') },
			items(...made.map((id) => ({ id }))),
		);
		expect(asSent(requests)).toEqual(made.map((id) => sent('DELETE', `/webhooks/${id}`)));
		expect(output).toEqual(made.map((id) => ({ id, deleted: true })));
	});
});
