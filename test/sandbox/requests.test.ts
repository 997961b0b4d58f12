import axios from 'axios';
import { fixture } from './pdf/fixture';
import { ANN, pdfBytes, SIGNATURE, Workspace, type Wire } from './workspace';

describe('requests and refusals (docs/service.md sections 2, 4 and 7)', () => {
	let workspace: Workspace;
	beforeAll(async () => (workspace = await Workspace.open()));
	afterAll(() => workspace.close());

	const long = (length: number) => 'x'.repeat(length);

	it('takes everything that the tables allow, at its limits', async () => {
		const files = [await workspace.fileId(workspace.test)];
		const { status } = await workspace.test.post('/documents', {
			files,
			title: long(160),
			routing: 'sequential',
			send: false,
			recipients: [{ name: long(160), email: 'a@example.com', type: 'signer', phone: long(32), pin: long(20) }],
			fields: [
				{
					...SIGNATURE,
					id: 'mine',
					recipientId: null,
					type: 'DROPDOWN',
					required: false,
					placeholderText: long(120),
					helpText: long(500),
					dropdownOptions: Array(40).fill(long(80)),
					dateFormat: long(20),
					radioLayout: 'INLINE',
					value: long(2000),
					fontFamily: 'TIMES',
					fontBold: true,
					fontItalic: false,
					fontSize: 48,
					fontColor: '#a0B1c2',
					fieldKey: `a${long(62)}`,
					customFieldId: 'c',
					fillMode: 'PREFILLED',
				},
				...Array(499).fill({ ...SIGNATURE, fontSize: 6 }),
			],
		});
		expect(status).toBe(201);
	});

	it('names every bad field at once', async () => {
		const { data } = await workspace.test.post<Wire>('/documents', { recipients: [{ email: 'x' }], colour: 1 });
		const named = data.error.details?.map(({ field: path }) => path).sort();
		expect(named).toEqual(['colour', 'files', 'recipients.0.email', 'recipients.0.name']);
	});

	it('refuses malformed JSON, bodies that are not JSON, and bodies that are no object', async () => {
		const post = (data: string, type: string) =>
			workspace.test.post<Wire>('/documents', data, {
				headers: { 'content-type': type },
				transformRequest: [(body: string) => body],
			});
		for (const answer of [
			await post('{"a":', 'application/json'),
			await post('a=1', 'text/plain'),
			await post('[1]', 'application/json'),
		]) {
			expect([answer.status, answer.data.error.code]).toEqual([400, 'validation_error']);
			expect(answer.data.error.details?.[0]?.field).toBe('body');
		}
	});

	it('refuses a body where none belongs, and takes an empty one', async () => {
		const { id } = await workspace.draft(workspace.test);
		const extra = await workspace.test.post<Wire>(`/documents/${id}/send`, { now: true });
		expect(extra.data.error.details?.[0]?.field).toBe('now');
		const empty = await workspace.test.post<Wire>(`/documents/${id}/cancel`, '', {
			headers: { 'content-type': 'application/json' },
			transformRequest: [(body: string) => body],
		});
		expect(empty.data.error.code).toBe('document_not_in_progress');
	});

	it('answers unknown paths with 404 and unknown methods with 405, in the envelope', async () => {
		const path = await workspace.test.get<Wire>('/envelopes');
		expect([path.status, path.data.error.code]).toEqual([404, 'not_found']);
		const method = await workspace.test.patch<Wire>('/documents');
		expect([method.status, method.data.error.code, method.headers.allow]).toEqual([
			405,
			'method_not_allowed',
			'GET, POST',
		]);
		expect((await workspace.test.get<Wire>('/documents/%zz')).data.error.code).toBe('not_found');
	});

	it('refuses a body of more than 16 MiB', async () => {
		const { status, data } = await workspace.test.post<Wire>('/documents', { title: long(16 * 1024 * 1024) });
		expect([status, data.error.code]).toEqual([413, 'request_too_large']);
	});

	it('knows the documents and only them: an unknown id is 404', async () => {
		for (const [method, path] of [
			['GET', ''],
			['POST', '/send'],
			['POST', '/cancel'],
			['POST', '/remind'],
			['GET', '/files/signed'],
		] as const) {
			const { status, data } = await workspace.test.request<Wire>({ method, url: `/documents/doc_x${path}` });
			expect([status, data.error.code]).toEqual([404, 'document_not_found']);
		}
	});
});

describe('files (docs/service.md section 4)', () => {
	let workspace: Workspace;
	beforeAll(async () => (workspace = await Workspace.open()));
	afterAll(() => workspace.close());
	const refusal = async (form: unknown, headers = {}) => {
		const { status, data } = await workspace.test.post<Wire>('/files', form, { headers });
		return [status, data.error.code];
	};
	const formOf = (name: string, bytes: Buffer | string, fileName = 'x') => {
		const form = new FormData();
		form.append(name, new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), fileName);
		return form;
	};

	it('answers a file object, by the bytes and not by the name', async () => {
		const bytes = await pdfBytes();
		const { status, data } = await workspace.upload(workspace.test, bytes, 'Vertrag Ü.png');
		expect(status).toBe(201);
		expect(data).toMatchObject({ mime_type: 'application/pdf', size_bytes: bytes.length, name: 'Vertrag Ü.png' });
	});

	it.each([
		['contract.pdf', 'application/pdf'],
		['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
		['letter.doc', 'application/msword'],
		['picture.png', 'image/png'],
		['upright.jpg', 'image/jpeg'],
	])('accepts %s, whatever it is called, and builds a document from it', async (file, type) => {
		const { data } = await workspace.upload(workspace.test, fixture(file), 'thing.exe');
		expect([data.mime_type, data.name]).toEqual([type, 'thing.exe']);
		const draft = (await workspace.test.post<Wire>('/documents', { files: [data.id], recipients: [ANN] })).data;
		expect((await workspace.test.get(`/documents/${draft.id}/files/original`)).status).toBe(200);
	});

	it.each([
		['picture.webp', 415, 'unsupported_file_type'],
		['picture.heic', 415, 'unsupported_file_type'],
		['picture.svg', 415, 'unsupported_file_type'],
		['encrypted-user.pdf', 400, 'password_protected_pdf'],
		['truncated.pdf', 400, 'corrupt_pdf'],
	])('refuses %s with %i %s', async (file, status, code) => {
		expect(await refusal(formOf('file', fixture(file), 'contract.pdf'))).toEqual([status, code]);
	});

	it('refuses what is not multipart, has no part named file, an empty or an unknown part', async () => {
		expect(await refusal({ file: 'x' })).toEqual([415, 'multipart_required']);
		expect(await refusal('{', { 'content-type': 'application/json' })).toEqual([415, 'multipart_required']);
		expect(await refusal(undefined)).toEqual([415, 'multipart_required']);
		expect(await refusal(formOf('document', await pdfBytes()))).toEqual([400, 'file_missing']);
		expect(await refusal(new FormData())).toEqual([400, 'file_missing']);
		expect(await refusal(formOf('file', ''))).toEqual([400, 'file_empty']);
		const two = formOf('file', await pdfBytes());
		two.append('title', 'x');
		expect(await refusal(two)).toEqual([400, 'validation_error']);
	});

	it('refuses types it does not take, and broken PDFs', async () => {
		expect(await refusal(formOf('file', 'just text', 'a.pdf'))).toEqual([415, 'unsupported_file_type']);
		expect(await refusal(formOf('file', '<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual([
			415,
			'unsupported_file_type',
		]);
		expect(await refusal(formOf('file', '%PDF-1.7\nrubbish'))).toEqual([400, 'corrupt_pdf']);
		const pdf = (await pdfBytes())
			.toString('latin1')
			.replace('/Root', '/Encrypt<</Filter/Standard/V 1/R 2/P -1/O(x)/U(y)>>/Root');
		const encrypted = Buffer.from(pdf, 'latin1');
		expect(await refusal(formOf('file', encrypted))).toEqual([400, 'password_protected_pdf']);
	});

	it('takes 25 MB and refuses one byte more with 413', async () => {
		const limit = 25 * 1024 * 1024;
		const pdf = await pdfBytes();
		const padded = (size: number) => Buffer.concat([pdf, Buffer.alloc(size - pdf.length, '\n')]);
		expect(await refusal(formOf('file', padded(limit + 1)))).toEqual([413, 'file_too_large']);
		expect((await workspace.upload(workspace.test, padded(limit))).status).not.toBe(413);
	});

	it('has no original, and sends nothing, when the source cannot be built', async () => {
		const truncated = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100802000000', 'hex');
		const upload = await workspace.upload(workspace.test, truncated, 'scan.png');
		expect(upload.status).toBe(201);
		const draft = await workspace.test.post<Wire>('/documents', { files: [upload.data.id], recipients: [ANN] });
		const original = await workspace.test.get<Wire>(`/documents/${draft.data.id}/files/original`);
		expect([original.status, original.data.error.code]).toEqual([404, 'original_not_available']);
		const recipientId = draft.data.recipients[0]?.id;
		await workspace.test.put(`/documents/${draft.data.id}/fields`, { fields: [{ ...SIGNATURE, recipientId }] });
		const sent = await workspace.test.post<Wire>(`/documents/${draft.data.id}/send`);
		expect(sent.data.error.details?.[0]?.field).toBe('files');
	});

	it('refuses a multipart stream that breaks off', async () => {
		const type = 'multipart/form-data; boundary=b';
		const broken = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF';
		expect(await refusal(broken, { 'content-type': type })).toEqual([400, 'validation_error']);
		expect((await axios.get(`${workspace.origin}/v1/openapi.json`)).status).toBe(200);
	});
});
