import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { bytesOf } from '../../../harness/n8nCore/n8n';
import { asSent, bench, documents, fromItem, items, openBench, sent } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

describe('Document > Download', () => {
	it('GET /documents/{id}/files/{variant}, then the URL it gives: a paired item for each file', async () => {
		const made = await documents(true);
		for (const { recipientId } of made) await bench.sandbox.control.sign(recipientId);
		const variants = ['signed', 'certificate'];
		const { items: output } = await bench.run(
			'document',
			'download',
			{ documentId: fromItem('documentId'), variants, binaryPropertyName: 'pdf' },
			{ items: items(...made) },
		);
		const expected = made.flatMap(({ documentId }, item) => variants.map((variant) => ({ documentId, variant, item })));
		// Several items are read at once.
		expect(asSent(bench.takeRequests())).toEqual(
			expect.arrayContaining(
				expected.map(({ documentId, variant }) => sent('GET', `/documents/${documentId}/files/${variant}`)),
			),
		);
		expect(output.map(({ json: { variant }, pairedItem }) => ({ variant, pairedItem }))).toEqual(
			expected.map(({ variant, item }) => ({ variant, pairedItem: { item } })),
		);
		const names = output.map(({ binary }) => binary?.pdf?.fileName);
		expect(names.every((name) => name?.endsWith('.pdf'))).toBe(true);
		expect(new Set(names.slice(0, 2)).size).toBe(2);
	});

	it('says of a document that is not signed that the file does not exist yet', async () => {
		const [made] = await documents(false);
		const { error } = await bench.run('document', 'download', { documentId: byId(made?.documentId) });
		expect(error?.context).toMatchObject({ code: 'signed_not_available', itemIndex: 0 });
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
