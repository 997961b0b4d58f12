import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { bytesOf } from '../../../harness/n8nCore/n8n';
import { asSent, bench, documents, fromItem, items, openBench, run, sent } from '../support/operationRun';

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

	it('All in One Item: every file in the field of its name', async () => {
		const [made] = await documents(true);
		await bench.sandbox.control.sign(String(made?.recipientId));
		const variants = ['signed', 'certificate', 'original'];
		const { items: output, error } = await bench.run(
			'document',
			'download',
			{ documentId: fromItem('documentId'), variants, options: { oneItem: true } },
			{ items: items({ ...made }) },
		);
		expect(error).toBeUndefined();
		expect(output).toHaveLength(1);
		expect(output[0]?.json).toMatchObject({
			document_id: made?.documentId,
			files: variants.map((variant) => ({ variant, mime_type: 'application/pdf' })),
		});
		expect(Object.keys(output[0]?.binary ?? {})).toEqual(variants);
		for (const [index, variant] of variants.entries()) {
			const bytes = await bytesOf(output[0]?.binary?.[variant] as IBinaryData);
			expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
			expect((output[0]?.json.files as IDataObject[])[index]?.size_bytes).toBe(bytes.length);
		}
	});
});
