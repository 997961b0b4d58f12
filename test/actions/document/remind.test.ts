import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Remind', () => {
	it('POST /documents/{id}/remind with a body only for one recipient', async () => {
		const [first, second] = await documents(true);
		const { requests, output } = await run(
			['document', 'remind'],
			{ documentId: fromItem('documentId'), recipientId: fromItem('recipientId') },
			items({ ...first }, { ...second }),
		);
		expect(asSent(requests)).toEqual(
			[first, second].map((made) =>
				sent('POST', `/documents/${made?.documentId}/remind`, { body: { recipient_id: made?.recipientId } }),
			),
		);
		expect(output.map(({ reminded }) => reminded)).toEqual([1, 1]);
		const everyone = { documentId: fromItem('documentId'), recipientId: { __rl: true, mode: 'list', value: '' } };
		const all = await run(['document', 'remind'], everyone, items({ ...first }, { ...second }));
		expect(asSent(all.requests)).toEqual(
			[first, second].map((made) => sent('POST', `/documents/${made?.documentId}/remind`)),
		);
	});
});
