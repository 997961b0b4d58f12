import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Update Recipients', () => {
	it('PUT /documents/{id}/recipients', async () => {
		const made = await documents(false);
		const { requests, output } = await run(
			['document', 'updateRecipients'],
			{
				documentId: fromItem('documentId'),
				recipientsInput: 'json',
				recipientsJson: '={{ $json.recipients }}',
			},
			items(
				{ ...made[0], recipients: [{ name: 'A', email: 'a@example.com', pin: 4711 }] },
				{ ...made[1], recipients: [{ name: 'B', email: 'b@example.com', type: 'cc', phone: '+44 1' }] },
			),
		);
		expect(asSent(requests)).toEqual([
			sent('PUT', `/documents/${made[0]?.documentId}/recipients`, {
				body: { recipients: [{ name: 'A', email: 'a@example.com', pin: '4711' }] },
			}),
			sent('PUT', `/documents/${made[1]?.documentId}/recipients`, {
				body: { recipients: [{ name: 'B', email: 'b@example.com', type: 'cc', phone: '+44 1' }] },
			}),
		]);
		expect(output).toMatchObject([
			{ recipients: [{ email: 'a@example.com' }] },
			{ recipients: [{ email: 'b@example.com' }] },
		]);
	});
});
