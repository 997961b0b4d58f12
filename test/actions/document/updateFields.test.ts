import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Update Fields', () => {
	it('GET for the ids, then PUT /documents/{id}/fields', async () => {
		const made = await documents(false);
		const box = { pageNumber: 1, xNorm: 0.1, yNorm: 0.2, widthNorm: 0.3, heightNorm: 0.05 };
		const { requests, output } = await run(
			['document', 'updateFields'],
			{ documentId: fromItem('documentId'), fieldsInput: 'json', fieldsJson: '={{ $json.fields }}' },
			items(
				{ ...made[0], fields: [{ recipient: 'ADA@example.com', type: 'SIGNATURE', ...box }] },
				{
					...made[1],
					fields: [{ recipient: 1, type: 'dropdown', ...box, dropdownOptions: ['x', 'y'], required: false }],
				},
			),
		);
		const [first, second] = made;
		expect(asSent(requests)).toEqual([
			sent('GET', `/documents/${first?.documentId}`),
			sent('PUT', `/documents/${first?.documentId}/fields`, {
				body: { fields: [{ recipientId: first?.recipientId, type: 'SIGNATURE', ...box }] },
			}),
			sent('GET', `/documents/${second?.documentId}`),
			sent('PUT', `/documents/${second?.documentId}/fields`, {
				body: {
					fields: [
						{
							recipientId: second?.recipientId,
							type: 'DROPDOWN',
							...box,
							dropdownOptions: ['x', 'y'],
							required: false,
						},
					],
				},
			}),
		]);
		expect(output).toMatchObject([{ fields: [{ type: 'SIGNATURE' }] }, { fields: [{ type: 'DROPDOWN' }] }]);
	});
});
