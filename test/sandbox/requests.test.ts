import { fixture } from '../fixtures/fixture';
import { ANN, pdfBytes, placesIn, refusal, Workspace } from './workspace';

const EMOJI = '\u{1F600}';
const FIELD = 'POST /documents fields.0';
const LINK = 'POST /templates/{id}/links';
const HOOK = 'POST /webhooks';

/** A body that holds nothing but this, in this place. */
const holding = (place: string, value: unknown) =>
	place
		.split('.')
		.reduceRight((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value) as object;

describe('requests and refusals (docs/service.md sections 2, 4 and 7)', () => {
	const workspace = Workspace.forTests();

	/** Sends these bytes as they are. */
	const sendRaw = (path: string, body: string, type = 'application/json') =>
		workspace.test.post(path, body, {
			headers: { 'content-type': type },
			transformRequest: [(data: string) => data],
		});

	/** The places that are refused. A body is looked at before what its path names. */
	async function refusedOf(endpoint: string, data: unknown): Promise<string[]> {
		const [method, path = ''] = endpoint.split(' ');
		const answer = await workspace.test.request({
			method,
			url: path.replace(/\{\w+\}/g, 'x'),
			data,
		});
		expect(refusal(answer)).toBe('400 validation_error');
		return placesIn(answer) ?? [];
	}

	// description.test.ts holds what each object may have, and its limits, against the tables.
	it('unknown properties are refused in every object of every request', async () => {
		const takers = workspace.description.operations.filter(
			({ method }) => method === 'POST' || method === 'PUT',
		);
		for (const { name, body } of takers.filter((one) => one.name !== 'POST /files')) {
			for (const at of body ? workspace.description.placesOf(body) : ['']) {
				const place = [at, 'colour'].filter(Boolean).join('.');
				expect([name, await refusedOf(name, holding(place, 'red'))]).toEqual([
					name,
					expect.arrayContaining([place]),
				]);
			}
		}
	});

	it.each<[string, unknown[], unknown[]]>([
		[
			`${LINK} signers.0.email`,
			['first.last+tag@a.example'],
			['', 'nobody', '@a.example', 'a@', 'a b@a.example'],
		],
		['POST /documents title', [EMOJI.repeat(160)], [EMOJI.repeat(161), null]],
		['POST /documents send', [true], ['true', 1, null]],
		[`${FIELD}.pageNumber`, [1], ['1', 1.5, 0, null]],
		[`${FIELD}.recipientId`, [null], [12]],
		[
			`${LINK} redirect_url`,
			['https://example.com:8443/a?b=c#d'],
			['', 'http://a.example/', 'a.example', 'https://'],
		],
		[
			`${LINK} redirect_url`,
			['https://example.com'],
			['https://a b.example/', 'ftp://example.com/'],
		],
		[
			`${LINK} expires_at`,
			['2030-01-01T00:00:00Z', '2030-01-01T02:00:00.500+02:00'],
			['', 'tomorrow', '2030-01-01'],
		],
		[
			`${LINK} expires_at`,
			[],
			['2030-02-30T00:00:00Z', '2030-01-01T00:00:00', '2016-12-31T23:59:60Z'],
		],
		// Well-formed by ISO 8601, and nothing that a Date can hold.
		[`${LINK} expires_at`, [], ['2030-01-01T00:00:00+02']],
		[
			`${HOOK} url`,
			['http://127.0.0.1:9/x', 'http://localhost/'],
			['http://a.example/', 'http://localhost.example.com/'],
		],
		[
			'POST /templates/{id}/send field_values.note',
			['', EMOJI.repeat(2000)],
			[EMOJI.repeat(2001), 12, null],
		],
	])('%s is %j, not %j', async (place, takes, refuses) => {
		const [, endpoint = '', path = ''] = /^(\S+ \S+) (.+)$/.exec(place) ?? [];
		// Something else is always missing, so that every answer is a refusal.
		for (const value of takes)
			expect(await refusedOf(endpoint, { ...holding(path, value), x: 1 })).not.toContain(path);
		for (const value of refuses)
			expect(await refusedOf(endpoint, holding(path, value))).toContain(path);
	});

	it.each([
		['/documents', 'status', ['draft'], ['', 'sent', 'DRAFT']],
		[
			'/documents',
			'limit',
			['1', '100'],
			['', '0', '101', '-1', '1.5', 'many', '1e1', ' 10', '+10', '0x10', '10.0'],
		],
		['/templates', 'cursor', [], ['', 'made-up']],
		['/documents', 'colour', [], ['red']],
		['/webhooks/x/deliveries', 'cursor', [], ['x']],
	])('the query of %s: %s is %j, not %j', async (url, name, takes, refuses) => {
		const query = (value: string) => workspace.test.get(url, { params: { [name]: value } });
		for (const value of takes) expect([value, (await query(value)).status]).toEqual([value, 200]);
		for (const value of refuses) {
			const answer = await query(value);
			expect([value, refusal(answer), placesIn(answer)]).toEqual([
				value,
				'400 validation_error',
				[name],
			]);
		}
	});

	it('as many as there may be are taken, and one more is refused', async () => {
		const { test } = workspace;
		const people = (count: number) =>
			Array.from({ length: count }, (_one, index) => ({ ...ANN, email: `${index}@example.com` }));
		const file = await workspace.fileId(test);
		const field = { pageNumber: 1, xNorm: 0, yNorm: 0, widthNorm: 1, heightNorm: 1, type: 'TEXT' };
		const body = {
			files: Array(10).fill(file),
			recipients: people(10),
			fields: Array(500).fill(field),
		};
		const { status, data } = await test.post('/documents', body);
		expect([status, data.recipients.length]).toEqual([201, 10]);
		for (const answer of [
			await test.post('/documents', { ...body, recipients: people(11) }),
			await test.put(`/documents/${data.id}/recipients`, { recipients: people(11) }),
		]) {
			expect(refusal(answer)).toBe('400 max_recipients_exceeded:10');
		}
		const roles = people(10).map(({ email }) => ({ role: email, type: 'SIGNER' as const }));
		const template = await workspace.published({ roles });
		const cast = people(11).map((one) => ({ ...one, role: one.email }));
		const send = (count: number) =>
			test.post(`/templates/${template}/send`, { recipients: cast.slice(0, count), send: false });
		expect((await send(10)).status).toBe(200);
		expect(placesIn(await send(11))).toEqual(['recipients']);
	});

	it('names every bad field at once', async () => {
		const places = await refusedOf('POST /documents', { recipients: [{ email: 'x' }], colour: 1 });
		expect(places.sort()).toEqual(['colour', 'files', 'recipients.0.email', 'recipients.0.name']);
	});

	it.each([
		['/documents', 'a body that is not JSON', 'a=1', 'text/plain'],
		['/documents', 'a body that is no object', '[1]', 'application/json'],
		['/documents', 'null', 'null', 'application/json'],
		['/documents/x/remind', 'null where a body may be absent', 'null', 'application/json'],
	])('%s refuses %s', async (path, _what, body, type) => {
		const answer = await sendRaw(path, body, type);
		expect([refusal(answer), placesIn(answer)]).toEqual(['400 validation_error', ['body']]);
	});

	it('takes an empty body where none belongs', async () => {
		const { id } = await workspace.draft(workspace.test);
		expect(refusal(await sendRaw(`/documents/${id}/cancel`, ''))).toBe(
			'409 document_not_in_progress',
		);
	});
});

describe('files (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();
	const post = async (form: unknown, headers = {}) =>
		refusal(await workspace.test.post('/files', form, { headers }));
	const formOf = (name: string, bytes: Buffer | string, fileName = 'x') => {
		const form = new FormData();
		form.append(
			name,
			new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]),
			fileName,
		);
		return form;
	};

	it('answers a file object, by the bytes and not by the name', async () => {
		const bytes = await pdfBytes();
		const { status, data } = await workspace.upload(workspace.test, bytes, 'Vertrag Ü.png');
		expect(status).toBe(201);
		expect(data).toMatchObject({
			mime_type: 'application/pdf',
			size_bytes: bytes.length,
			name: 'Vertrag Ü.png',
		});
	});

	it('refuses what is not multipart, has no part named file, an empty, an unknown, a nameless or a broken part', async () => {
		const two = formOf('file', await pdfBytes());
		two.append('title', 'x');
		const nameless = new FormData();
		nameless.append('file', 'just a text');
		const broken =
			'--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF';
		const json = 'application/json';
		for (const [form, expected, type] of [
			[{ file: 'x' }, '415 multipart_required'],
			['{', '415 multipart_required', json],
			[undefined, '415 multipart_required'],
			[formOf('document', await pdfBytes()), '400 file_missing'],
			[nameless, '400 file_missing'],
			[new FormData(), '400 file_missing'],
			[formOf('file', ''), '400 file_empty'],
			[formOf('file', fixture('picture.webp'), 'contract.pdf'), '415 unsupported_file_type'],
			[formOf('file', fixture('encrypted-user.pdf')), '400 password_protected_pdf'],
			[formOf('file', fixture('truncated.pdf')), '400 corrupt_pdf'],
			[two, '400 validation_error'],
			[broken, '400 validation_error', 'multipart/form-data; boundary=b'],
		] as const) {
			expect(await post(form, type && { 'content-type': type })).toBe(expected);
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
		const truncated = Buffer.from(
			'89504e470d0a1a0a0000000d4948445200000010000000100802000000',
			'hex',
		);
		const upload = await workspace.upload(workspace.test, truncated, 'scan.png');
		expect(upload.status).toBe(201);
		const { id } = await workspace.sendable(workspace.test, [ANN], { files: [upload.data.id] });
		expect(refusal(await workspace.test.get(`/documents/${id}/files/original`))).toBe(
			'404 original_not_available',
		);
		expect(placesIn(await workspace.test.post(`/documents/${id}/send`))).toEqual(['files']);
	});
});
