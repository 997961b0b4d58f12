import type { IExecuteFunctions } from 'n8n-workflow';
import { forgetUploads, uploadFile } from '../../../nodes/ESign/actions/file/uploads';
import { client } from '../../../nodes/ESign/client';
import { Item } from '../../../nodes/ESign/operation/parameters';
import { inNode } from '../../client/support/inNode';
import { json, scriptedOfThisFile } from '../../client/support/scriptedService';

let failures = 0;
let sequence = 0;
const service = scriptedOfThisFile((_, response) => {
	if (failures-- > 0) return json(response, 400, { error: { code: 'corrupt_pdf', message: '' } });
	json(response, 201, { id: `file_${++sequence}`, size_bytes: 1 });
});

beforeAll(() => Object.assign(client.settings, { backoffMs: 1 }));

const pdf = {
	name: 'contract.pdf',
	bytes: Buffer.from('%PDF-1.7 contract'),
};

/** Uploads in turn, within one execution. */
async function upload(executionId: string, ...inputs: Array<typeof pdf>): Promise<string[]> {
	const ids: string[] = [];
	const work = async (context: IExecuteFunctions) => {
		const item = new Item(context, 0);
		for (const input of inputs) ids.push((await uploadFile(item, input)).id);
	};
	await inNode(service.credential, work, { executionId });
	return ids;
}

describe('An upload', () => {
	it('of the same bytes and name is sent once in an execution, from all its nodes and items', async () => {
		const [first, second] = await upload('e1', pdf, { ...pdf, bytes: Buffer.from(pdf.bytes) });
		const [third] = await upload('e1', pdf);
		expect([second, third]).toEqual([first, first]);
		expect(service.seen).toHaveLength(1);
	});

	it('is sent once even when two items want it at the same time', async () => {
		const { value } = await inNode(
			service.credential,
			async (context) =>
				await Promise.all([0, 1].map(async (row) => await uploadFile(new Item(context, row), pdf))),
			{ executionId: 'e2' },
		);
		expect(value[0]).toEqual(value[1]);
		expect(service.seen).toHaveLength(1);
	});

	it('of other bytes, under another name, with another key or in another execution is another one', async () => {
		const ids = [
			...(await upload(
				'e3',
				pdf,
				{ ...pdf, name: 'other.pdf' },
				{ ...pdf, bytes: Buffer.from('other') },
			)),
			...(await upload('e4', pdf)),
		];
		const { apiKey } = service.credential;
		service.credential.apiKey = 'sk_live_other';
		ids.push(...(await upload('e4', pdf)));
		service.credential.apiKey = apiKey;
		expect(new Set(ids).size).toBe(5);
	});

	it('that failed is not remembered', async () => {
		failures = 1;
		await expect(upload('e5', pdf)).rejects.toMatchObject({ context: { code: 'corrupt_pdf' } });
		await expect(upload('e5', pdf)).resolves.toHaveLength(1);
	});

	it('is sent again once the service has forgotten the file', async () => {
		const other = { ...pdf, name: 'kept.pdf' };
		const [first, kept] = await upload('e6', pdf, other);
		forgetUploads([String(first)]);
		const [second, keptAgain] = await upload('e6', pdf, other);
		expect(second).not.toBe(first);
		expect(keptAgain).toBe(kept);
		expect(service.seen).toHaveLength(3);
	});
});
