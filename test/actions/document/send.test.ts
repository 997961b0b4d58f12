import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Send', () => {
	it('POST /documents/{id}/send without a body', async () => {
		const made = await documents(false);
		const { requests, output } = await run(
			['document', 'send'],
			{ documentId: fromItem('documentId') },
			items(...made),
		);
		expect(asSent(requests)).toEqual(made.map(({ documentId }) => sent('POST', `/documents/${documentId}/send`)));
		expect(output.map(({ status }) => status)).toEqual(['in_progress', 'in_progress']);
	});
});
