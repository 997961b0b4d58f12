import { bench, openBench, run } from '../support/operationRun';
import { contract, DRAFT } from '../support/workbench';

openBench();

describe('File > Upload', () => {
	it('POST /files with one part named file', async () => {
		const files = [
			{ json: {}, binary: { data: await contract('first.pdf') } },
			{ json: {}, binary: { data: await contract('zweiter Vertrag ü.pdf') } },
		];
		const { requests, output } = await run(['file', 'upload'], { binaryPropertyName: 'data' }, files);
		expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
			['POST', '/files', 201],
			['POST', '/files', 201],
		]);
		for (const { body, contentType } of requests) {
			expect(contentType).toMatch(/^multipart\/form-data; boundary=/);
			expect(String(body).match(/content-disposition: form-data; name="[^"]*"/gi)).toEqual([
				'Content-Disposition: form-data; name="file"',
			]);
		}
		expect(output).toMatchObject([
			{ name: 'first.pdf', mime_type: 'application/pdf' },
			{ name: 'zweiter Vertrag ü.pdf', mime_type: 'application/pdf' },
		]);
	});
});

describe('A file that no parameter names', () => {
	it.each([
		['document', 'create'],
		['file', 'upload'],
	])('is taken, whatever its field is called, if it is the only one: %s > %s', async (resource, operation) => {
		const one = [{ json: {}, binary: { Your_contract: await contract() } }];
		const { error } = await bench.run(resource, operation, resource === 'document' ? DRAFT : {}, { items: one });
		expect(error).toBeUndefined();
		const two = [{ json: {}, binary: { Your_contract: await contract(), Annex: await contract() } }];
		const refused = await bench.run(resource, operation, resource === 'document' ? DRAFT : {}, { items: two });
		expect(refused.error?.message).toMatch(/the item has no file "data"; it has: Your_contract, Annex$/);
	});
});
