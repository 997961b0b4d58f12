import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { bytesOf } from '../../support/n8nCore/n8n';
import { bench, documents, fromItem, openBench } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

describe('Document > Download', () => {
	it('puts out a paired item for each file, with the file in the field that is named', async () => {
		const made = await documents(true);
		for (const { recipientId } of made) await bench.sandbox.control.sign(recipientId);
		const variants = ['signed', 'certificate'];
		const parameters = { documentId: fromItem('documentId'), variants, binaryPropertyName: 'pdf' };
		const items = made.map((json) => ({ json }));
		const { items: output } = await bench.run('document', 'download', parameters, { items });
		expect(
			output.map(({ json, binary, pairedItem }) => [
				json.document_id,
				binary?.pdf?.fileName,
				pairedItem,
			]),
		).toEqual(
			made.flatMap(({ documentId }, item) =>
				variants.map((variant) => [
					documentId,
					expect.stringMatching(`${variant}.*\\.pdf$`),
					{ item },
				]),
			),
		);
	});

	it('says of a document that is not signed that the file does not exist yet', async () => {
		const [made] = await documents(false);
		const { error } = await bench.run('document', 'download', {
			documentId: byId(made?.documentId),
		});
		expect(error?.context).toMatchObject({ code: 'signed_not_available', itemIndex: 0 });
	});

	it('All in One Item: every file in the field of its name', async () => {
		const [made] = await documents(true);
		await bench.sandbox.control.sign(String(made?.recipientId));
		const variants = ['signed', 'certificate', 'original'];
		const parameters = { documentId: fromItem('documentId'), variants, options: { oneItem: true } };
		const items = [{ json: { ...made } }];
		const { items: output, error } = await bench.run('document', 'download', parameters, { items });
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
