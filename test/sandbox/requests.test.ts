import axios from 'axios';
import { fixture } from './pdf/fixture';
import { ANN, pdfBytes, placesIn, refusal, SIGNATURE, Workspace } from './workspace';

describe('requests and refusals (docs/service.md sections 2, 4 and 7)', () => {
	const workspace = Workspace.forTests();

	/** Sends these bytes as they are. */
	const sendRaw = (path: string, body: string, type = 'application/json') =>
		workspace.test.post(path, body, { headers: { 'content-type': type }, transformRequest: [(data: string) => data] });

	it('names every bad field at once', async () => {
		const answer = await workspace.test.post('/documents', { recipients: [{ email: 'x' }], colour: 1 });
		expect(placesIn(answer)?.sort()).toEqual(['colour', 'files', 'recipients.0.email', 'recipients.0.name']);
	});

	it.each([
		['malformed JSON', '{"a":', 'application/json'],
		['a body that is not JSON', 'a=1', 'text/plain'],
		['a body that is no object', '[1]', 'application/json'],
	])('refuses %s', async (_what, body, type) => {
		const answer = await sendRaw('/documents', body, type);
		expect([refusal(answer), placesIn(answer)]).toEqual(['400 validation_error', ['body']]);
	});

	it('takes an empty body where none belongs', async () => {
		const { id } = await workspace.draft(workspace.test);
		expect(refusal(await sendRaw(`/documents/${id}/cancel`, ''))).toBe('409 document_not_in_progress');
	});

	it('answers unknown paths with 404 and unknown methods with 405, in the envelope', async () => {
		expect(refusal(await workspace.test.get('/envelopes'))).toBe('404 not_found');
		expect(refusal(await workspace.test.patch('/documents'))).toBe('405 method_not_allowed');
		expect(refusal(await workspace.test.get('/documents/%zz'))).toBe('404 not_found');
	});
});

describe('files (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();
	const post = async (form: unknown, headers = {}) => refusal(await workspace.test.post('/files', form, { headers }));
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
		['picture.webp', '415 unsupported_file_type'],
		['picture.heic', '415 unsupported_file_type'],
		['picture.svg', '415 unsupported_file_type'],
		['encrypted-user.pdf', '400 password_protected_pdf'],
		['truncated.pdf', '400 corrupt_pdf'],
	])('refuses %s: %s', async (file, expected) => {
		expect(await post(formOf('file', fixture(file), 'contract.pdf'))).toBe(expected);
	});

	it('refuses what is not multipart, has no part named file, an empty or an unknown part', async () => {
		const two = formOf('file', await pdfBytes());
		two.append('title', 'x');
		for (const [form, expected] of [
			[{ file: 'x' }, '415 multipart_required'],
			['{', '415 multipart_required'],
			[undefined, '415 multipart_required'],
			[formOf('document', await pdfBytes()), '400 file_missing'],
			[new FormData(), '400 file_missing'],
			[formOf('file', ''), '400 file_empty'],
			[two, '400 validation_error'],
		] as const) {
			expect(await post(form, form === '{' ? { 'content-type': 'application/json' } : {})).toBe(expected);
		}
	});

	it('takes 25 MB and refuses one byte more with 413', async () => {
		const limit = 25 * 1024 * 1024;
		const pdf = await pdfBytes();
		const padded = (size: number) => Buffer.concat([pdf, Buffer.alloc(size - pdf.length, '\n')]);
		expect(await post(formOf('file', padded(limit + 1)))).toBe('413 file_too_large');
		expect((await workspace.upload(workspace.test, padded(limit))).status).not.toBe(413);
	});

	it('has no original, and sends nothing, when the source cannot be built', async () => {
		const truncated = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100802000000', 'hex');
		const upload = await workspace.upload(workspace.test, truncated, 'scan.png');
		expect(upload.status).toBe(201);
		const { id, recipients } = await workspace.draft(workspace.test, [ANN], { files: [upload.data.id] });
		expect(refusal(await workspace.test.get(`/documents/${id}/files/original`))).toBe('404 original_not_available');
		const field = { ...SIGNATURE, recipientId: recipients[0].id };
		await workspace.test.put(`/documents/${id}/fields`, { fields: [field] });
		expect(placesIn(await workspace.test.post(`/documents/${id}/send`))).toEqual(['files']);
	});

	it('refuses a multipart stream that breaks off', async () => {
		const type = 'multipart/form-data; boundary=b';
		const broken = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF';
		expect(await post(broken, { 'content-type': type })).toBe('400 validation_error');
		expect((await axios.get(`${workspace.origin}/v1/openapi.json`)).status).toBe(200);
	});
});
