import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Get', () => {
	it('GET /documents/{id}', async () => {
		const made = await documents(false);
		const { requests, output } = await run(['document', 'get'], { documentId: fromItem('documentId') }, items(...made));
		expect(asSent(requests)).toEqual(made.map(({ documentId }) => sent('GET', `/documents/${documentId}`)));
		expect(output.map(({ id }) => id)).toEqual(made.map(({ documentId }) => documentId));
	});
});
