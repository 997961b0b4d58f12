import type { IDataObject } from 'n8n-workflow';
import { asSent, openBench, run, sent, SIGNERS } from '../support/operationRun';
import { contract } from '../support/workbench';

openBench();

describe('Document > Create', () => {
	it('POST /documents with nothing that is not set', async () => {
		const uploads = [
			{ json: { who: SIGNERS[0] as IDataObject, title: 'First' }, binary: { data: await contract('a.pdf') } },
			{ json: { who: SIGNERS[1] as IDataObject, title: 'Second' }, binary: { data: await contract('b.pdf') } },
		];
		const { requests, output } = await run(
			['document', 'create'],
			{
				recipients: { recipient: [{ name: '={{ $json.who.name }}', email: '={{ $json.who.email }}' }] },
				fieldsInput: 'none',
				title: '={{ $json.title }}',
				additionalFields: { routing: 'sequential' },
			},
			uploads,
		);
		const posts = requests.filter(({ path }) => path === '/documents');
		expect(asSent(posts)).toEqual([
			sent('POST', '/documents', {
				body: {
					files: output[0]?.file_ids,
					recipients: [{ ...SIGNERS[0], type: 'signer' }],
					title: 'First',
					routing: 'sequential',
				},
			}),
			sent('POST', '/documents', {
				body: {
					files: output[1]?.file_ids,
					recipients: [{ ...SIGNERS[1], type: 'signer' }],
					title: 'Second',
					routing: 'sequential',
				},
			}),
		]);
		expect(output).toMatchObject([
			{ status: 'draft', title: 'First' },
			{ status: 'draft', title: 'Second' },
		]);
	});
});
