import { asSent, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Document > Download', () => {
	it('GET /documents/{id}/files/{variant}, then the URL it gives', async () => {
		const made = await documents(false);
		const { requests, output } = await run(
			['document', 'download'],
			{ documentId: fromItem('documentId'), variants: ['original'] },
			items(...made),
		);
		expect(asSent(requests)).toEqual(
			made.map(({ documentId }) => sent('GET', `/documents/${documentId}/files/original`)),
		);
		expect(output.map(({ variant, mime_type }) => [variant, mime_type])).toEqual([
			['original', 'application/pdf'],
			['original', 'application/pdf'],
		]);
	});
});
