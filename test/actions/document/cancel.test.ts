import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Cancel', () => {
	it('POST /documents/{id}/cancel without a body', async () => {
		const made = await documents(true);
		const { requests, output } = await run(
			['document', 'cancel'],
			{ documentId: fromItem('documentId') },
			items(...made),
		);
		expect(asSent(requests)).toEqual(made.map(({ documentId }) => sent('POST', `/documents/${documentId}/cancel`)));
		expect(output.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
	});
});
