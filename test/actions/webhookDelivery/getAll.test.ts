import type { IDataObject } from 'n8n-workflow';
import { deliveriesOf } from '../everyOperation/cases';
import { answerOf, bench, openBench } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

describe('Webhook Delivery > Get Many', () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

	it('gives ten flat fields of a failed attempt, which n8n does not take for a failure of the node', async () => {
		const [made] = await deliveriesOf(bench.direct);
		const parameters = { webhookId: byId(made?.webhookId), limit: 1 };
		const { items: output, error } = await bench.run('webhookDelivery', 'getAll', parameters, {
			settings,
		});
		expect(error).toBeUndefined();
		expect(bench.takeRequests()).toHaveLength(1);
		expect(output.map(({ json }) => json)).toEqual([
			{
				id: made?.deliveryId,
				event: 'document.sent',
				event_id: expect.stringMatching(/^evt_/) as string,
				document_id: expect.stringMatching(/^doc_/) as string,
				document_title: expect.any(String) as string,
				attempt: 3,
				succeeded: false,
				response_status: null,
				delivery_error: expect.stringMatching(/./) as string,
				created_at: expect.any(String) as string,
			},
		]);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'gives the records as the API sent them under a name of their own, also with %s',
		async (onError) => {
			const [made] = await deliveriesOf(bench.direct);
			const parameters = { webhookId: byId(made?.webhookId), simplify: false };
			const { outputs } = await bench.run('webhookDelivery', 'getAll', parameters, {
				settings: { ...settings, onError },
			});
			expect(bench.takeRequests()).toHaveLength(1);
			const { data } = (await answerOf(`/webhooks/${made?.webhookId}/deliveries?limit=50`)) as {
				data: IDataObject[];
			};
			expect(data.some(({ error }) => typeof error === 'string')).toBe(true);
			expect(outputs[0]?.map(({ json }) => json)).toEqual(data.map((delivery) => ({ delivery })));
			expect(outputs[1] ?? []).toEqual([]);
		},
	);
});
