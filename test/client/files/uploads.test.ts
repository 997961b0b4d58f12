import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, startScripted, type ScriptedService } from '../support/scriptedService';

let service: ScriptedService;
let failures = 0;
let sequence = 0;

beforeAll(async () => {
	service = await startScripted((_, response) => {
		if (failures-- > 0) return json(response, 400, { error: { code: 'corrupt_pdf', message: '' } });
		json(response, 201, {
			id: `file_${++sequence}`,
			name: 'n',
			mime_type: 'application/pdf',
			size_bytes: 1,
			created_at: '',
		});
	});
});
beforeEach(() => {
	service.seen.length = 0;
	failures = 0;
});
afterAll(async () => await service.close());

const client = quickClient();
const pdf = { name: 'contract.pdf', mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.7 contract') };

/** Uploads in turn, within one execution. */
async function upload(executionId: string, ...inputs: Array<typeof pdf>): Promise<string[]> {
	const { value } = await inNode(
		service.credential,
		async (context) => {
			const ids: string[] = [];
			for (const input of inputs) ids.push((await client.upload(context, input)).id);
			return ids;
		},
		{ executionId },
	);
	return value;
}

describe('An upload', () => {
	it('is one part named file, with its name in any script', async () => {
		await upload('e0', { ...pdf, name: 'Vertrag "Ä" 契約.pdf' });
		const [request] = service.seen;
		expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(request?.body.match(/Content-Disposition/g)).toHaveLength(1);
		expect(request?.body).toContain('name="file"; filename="Vertrag %22Ä%22 契約.pdf"');
		expect(request?.body).toContain('%PDF-1.7 contract');
	});

	it('of the same bytes and name is sent once in an execution, from all its nodes and items', async () => {
		const [first, second] = await upload('e1', pdf, { ...pdf, bytes: Buffer.from(pdf.bytes) });
		const [third] = await upload('e1', pdf);
		expect([second, third]).toEqual([first, first]);
		expect(service.seen).toHaveLength(1);
	});

	it('is sent once even when two items want it at the same time', async () => {
		const { value } = await inNode(
			service.credential,
			async (context) => await Promise.all([client.upload(context, pdf), client.upload(context, pdf)]),
			{ executionId: 'e2' },
		);
		expect(value[0]).toEqual(value[1]);
		expect(service.seen).toHaveLength(1);
	});

	it('of other bytes, under another name or in another execution is another one', async () => {
		const ids = [
			...(await upload('e3', pdf, { ...pdf, name: 'other.pdf' }, { ...pdf, bytes: Buffer.from('other') })),
			...(await upload('e4', pdf)),
		];
		expect(new Set(ids).size).toBe(4);
	});

	it('that failed is not remembered', async () => {
		failures = 1;
		await expect(upload('e5', pdf)).rejects.toMatchObject({ context: { code: 'corrupt_pdf' } });
		await expect(upload('e5', pdf)).resolves.toHaveLength(1);
	});

	it('is sent again once the service has forgotten the file', async () => {
		const { value } = await inNode(
			service.credential,
			async (context) => {
				const first = await client.upload(context, pdf);
				const kept = await client.upload(context, { ...pdf, name: 'kept.pdf' });
				client.forgetUpload([first.id]);
				return [
					first,
					kept,
					await client.upload(context, pdf),
					await client.upload(context, { ...pdf, name: 'kept.pdf' }),
				];
			},
			{ executionId: 'e6' },
		);
		const [first, kept, second, keptAgain] = value.map(({ id }) => id);
		expect(second).not.toBe(first);
		expect(keptAgain).toBe(kept);
		expect(service.seen).toHaveLength(3);
	});
});
