import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Remind', () => {
	it('POST /documents/{id}/remind with a body only for one recipient', async () => {
		const [first, second] = await documents(true);
		const { requests, output } = await run(
			['document', 'remind'],
			{ documentId: fromItem('documentId'), recipientId: fromItem('recipientId') },
			items({ documentId: first?.documentId, recipientId: '' }, { ...second }),
		);
		expect(asSent(requests)).toEqual([
			sent('POST', `/documents/${first?.documentId}/remind`),
			sent('POST', `/documents/${second?.documentId}/remind`, { body: { recipient_id: second?.recipientId } }),
		]);
		expect(output.map(({ reminded }) => reminded)).toEqual([1, 1]);
	});
});
