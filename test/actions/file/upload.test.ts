import { openBench, run } from '../support/operationRun';
import { contract } from '../support/workbench';

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
