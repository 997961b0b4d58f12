import axios from 'axios';
import { fixture } from './pdf/fixture';
import { ANN, pdfBytes, SIGNATURE, Workspace, type Wire } from './workspace';

describe('requests and refusals (docs/service.md sections 2, 4 and 7)', () => {
	const workspace = Workspace.forTests();

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
		for (const [body, type] of [
			['{"a":', 'application/json'],
			['a=1', 'text/plain'],
			['[1]', 'application/json'],
		] as const) {
			const answer = await post(body, type);
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
});

describe('files (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();
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
