import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { binary, bytesOf, useBinaryDataMode } from '../../support/n8nCore/n8n';
import { titleFrom } from '../../../nodes/ESign/actions/document/create/newDocument';
import { PNG } from '../../client/support/samples';
import { bench, openBench } from '../support/operationRun';
import { byId, contract, DRAFT, withContract } from '../support/workbench';

openBench();
afterEach(async () => await useBinaryDataMode('default'));

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };
const GRACE = { name: 'Grace Hopper', email: 'grace@example.com' };
const COPY = { name: 'Copy', email: 'cc@example.com', type: 'cc' };
const BOX = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.05 };
const picture = async () => await binary(PNG, 'scan.png', 'image/png');

/** Recipients of a draft without fields. */
const json = (recipients: object[]): INodeParameters => ({
	fieldsInput: 'none',
	recipientsInput: 'json',
	recipientsJson: JSON.stringify(recipients),
});

/** Creates documents and hands back the output and the calls, as `POST /documents`. */
async function create(
	parameters: INodeParameters,
	items?: INodeExecutionData[],
): Promise<{ output: IDataObject[]; calls: string[]; bodies: IDataObject[]; hints: string[] }> {
	const run = await bench.run('document', 'create', parameters, {
		items: items ?? (await withContract({})),
	});
	expect(run.error).toBeUndefined();
	const requests = bench.takeRequests();
	return {
		output: run.items.map((item) => item.json),
		calls: requests.map(({ method, path }) => `${method} ${path}`),
		bodies: requests
			.filter(({ path }) => path !== '/files')
			.map(({ body }) => (body ?? {}) as IDataObject),
		hints: run.hints.map(({ message }) => message),
	};
}

it('A document is made of files that were uploaded before, without an upload', async () => {
	const items = await withContract({}, {});
	const { items: uploads } = await bench.run('file', 'upload', {}, { items });
	bench.takeRequests();
	const fileIds = `={{ "${String(uploads[0]?.json.id)} , ${String(uploads[1]?.json.id)}" }}`;
	const { calls, bodies } = await create({ ...json([ADA]), fileSource: 'fileIds', fileIds });
	expect(calls).toEqual(['POST /documents']);
	expect(bodies[0]?.files).toEqual(uploads.map((upload) => upload.json.id));
});

it.each<[string, INodeParameters]>([
	['on the last page', { fieldsInput: 'automatic' }],
	[
		'at a text',
		{
			fieldsInput: 'json',
			fieldsJson: JSON.stringify([
				{ recipient: 1, type: 'SIGNATURE', anchor: { text: 'Signature:', side: 'right' } },
			]),
		},
	],
])('Files are not judged where they are not read, with fields %s', async (_, fields) => {
	const recipients = [{ name: 'Ada', email: 'ada@' }];
	const parameters = { ...json(recipients), ...fields };
	const items = await withContract({});
	const { error } = await bench.run('document', 'createAndSend', parameters, { items });
	expect(error?.message).toBe('Recipients (JSON) > 1 > email: "ada@" is not a valid email address');
});

describe('Update Fields', () => {
	const fieldsOf = async (id: unknown, parameters: INodeParameters) => {
		const run = await bench.run('document', 'updateFields', {
			documentId: byId(id),
			...parameters,
		});
		expect(run.error).toBeUndefined();
		return (run.items[0]?.json.fields as IDataObject[]).map(({ type, recipient_id }) => [
			type,
			recipient_id,
		]);
	};

	it('places boxes automatically for those who sign, as a cc cannot be told from a signer', async () => {
		const { output } = await create(json([ADA, COPY, GRACE]));
		const [ada, , grace] = output[0]?.recipients as IDataObject[];
		const automatic = { pageNumber: 1, addDate: true, signers: `${GRACE.email}, 1` };
		await expect(fieldsOf(output[0]?.id, { fieldsInput: 'automatic', automatic })).resolves.toEqual(
			[
				['SIGNATURE', grace?.id],
				['DATE', grace?.id],
				['SIGNATURE', ada?.id],
				['DATE', ada?.id],
			],
		);
	});

	it('deletes all fields if None is chosen, without reading the document', async () => {
		const { output } = await create({ ...json([ADA]), fieldsInput: 'automatic' });
		await expect(fieldsOf(output[0]?.id, { fieldsInput: 'none' })).resolves.toEqual([]);
		expect(bench.takeRequests()).toMatchObject([{ method: 'PUT', body: { fields: [] } }]);
	});

	it('takes an email for that of a recipient, also where another one is called so', async () => {
		const called = { ...GRACE, name: ADA.email };
		const { output } = await create(json([ADA, called]));
		const [ada] = output[0]?.recipients as IDataObject[];
		const fieldsJson = JSON.stringify([{ recipient: ADA.email, type: 'TEXT', ...BOX }]);
		const update = { fieldsInput: 'json', fieldsJson };
		await expect(fieldsOf(output[0]?.id, update)).resolves.toEqual([['TEXT', ada?.id]]);
	});

	it('names the recipients of the document when a field names none of them', async () => {
		const { output } = await create(json([ADA]));
		const fieldsJson = JSON.stringify([{ recipient: 'x@example.com', type: 'TEXT', ...BOX }]);
		const parameters = { documentId: byId(output[0]?.id), fieldsInput: 'json', fieldsJson };
		const { error } = await bench.run('document', 'updateFields', parameters);
		expect(error?.message).toContain('"x@example.com" is not one of the recipients');
		expect(error?.description).toContain('1 (ada@example.com)');
		expect(bench.takeRequests()).toMatchObject([{ method: 'GET' }]);
	});
});

describe('Automatic fields', () => {
	it.each<[string, INodeParameters, number]>([
		['first', { page: '={{ "first" }}', pageNumber: 2 }, 1],
		['last', { page: 'last', pageNumber: 2 }, 3],
		['a number', { page: 'number', pageNumber: 2 }, 2],
		['a number alone', { pageNumber: 2 }, 2],
	])('on Page: %s', async (_, automatic, pageNumber) => {
		expect((await create({ ...DRAFT, automatic })).bodies[1]?.fields).toMatchObject([
			{ pageNumber },
		]);
	});

	it('on the last page of all files together', async () => {
		const items = [{ json: {}, binary: { data: await contract(), scan: await picture() } }];
		const { output } = await create({ ...DRAFT, binaryPropertyNames: 'data, scan' }, items);
		expect(output[0]?.fields).toMatchObject([{ type: 'SIGNATURE', page: 4 }]);
	});
});

describe('Without a title', () => {
	it.each([
		['Service Agreement v1.2.pdf', 'Service Agreement v1.2'],
		['Service Agreement v1.2', 'Service Agreement v1.2'],
		['no extension', 'no extension'],
		['../../etc/passwd.pdf', 'passwd'],
		['C:\\Users\\ada\\NDA.DOCX', 'NDA'],
		['a\r\nX: 1.pdf', 'a X: 1'],
		[`${'\u{1F4DD}'.repeat(170)}.pdf`, '\u{1F4DD}'.repeat(160)],
		['.pdf', ''],
		['\u200b.pdf', ''],
		['\ufeffNDA.pdf', 'NDA'],
		['in/', ''],
	])('the file %j gives the title %j', (fileName, title) =>
		expect(titleFrom(fileName)).toBe(title),
	);

	it.each([undefined, '', '.pdf'])('a file called %j asks for one', async (fileName) => {
		const file = { ...(await contract()), fileName };
		const items = [{ json: {}, binary: { data: file } }];
		const { error } = await bench.run('document', 'create', DRAFT, { items });
		expect(error?.message).toBe('Title is empty, and the first file has no name');
		expect(bench.takeRequests()).toEqual([]);
		expect((await create({ ...DRAFT, title: 'NDA' }, items)).output).toMatchObject([
			{ title: 'NDA' },
		]);
	});
});

it('Fields placed one by one take the name of a recipient', async () => {
	const box = { ...BOX, place: 'atPosition', recipient: 'Ada Lovelace', type: 'SIGNATURE' };
	const field = [box, { ...box, type: 'DATE', yNorm: 0.12 }];
	const { output, bodies } = await create({
		...DRAFT,
		fieldsInput: 'form',
		fields: { field },
	} as INodeParameters);
	const [ada] = output[0]?.recipients as IDataObject[];
	expect(bodies[1]?.fields).toMatchObject([{ recipientId: ada?.id }, { recipientId: ada?.id }]);
});

describe.each(['default', 'filesystem'] as const)('With binary data in %s mode', (mode) => {
	it('files are merged in the order named, and come back as they went in', async () => {
		await useBinaryDataMode(mode);
		const item = { json: {}, binary: { scan: await picture(), data: await contract() } };
		const parameters = { ...json([ADA]), binaryPropertyNames: ' data , scan' };
		const { output } = await create(parameters, [item, item]);
		expect(output).toHaveLength(2);
		const documentId = byId(output[1]?.id);
		const [original] = (
			await bench.run('document', 'download', { documentId, variants: ['original'] })
		).items;
		const bytes = await bytesOf(original?.binary?.data ?? { data: '', mimeType: '' });
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(original?.binary?.data).toMatchObject({
			mimeType: 'application/pdf',
			fileExtension: 'pdf',
		});
		expect(original?.json).toMatchObject({ document_id: output[1]?.id, size_bytes: bytes.length });
	});
});

describe('A file that the service no longer knows', () => {
	const unknownFile = {
		error: { code: 'unknown_file', message: 'Unknown file', file_ids: ['file_1'] },
	};

	it('is uploaded again, and the document created', async () => {
		bench.proxy.refuseNext(
			({ method, path }) => method === 'POST' && path === '/documents',
			400,
			unknownFile,
		);
		const { calls, output } = await create(json([ADA]));
		expect(calls).toEqual(['POST /files', 'POST /documents', 'POST /files', 'POST /documents']);
		expect(output).toMatchObject([{ status: 'draft' }]);
	});

	it('is named if it was given by ID', async () => {
		const parameters = {
			...json([ADA]),
			fileSource: 'fileIds',
			fileIds: Array(10).fill('file_unknown').join(),
		};
		const { error } = await bench.run('document', 'create', parameters);
		expect(error?.context).toMatchObject({ code: 'unknown_file', itemIndex: 0 });
		expect(bench.takeRequests()).toHaveLength(1);
	});
});
