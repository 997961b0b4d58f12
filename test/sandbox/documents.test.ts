import axios from 'axios';
import { FIELD_TYPES } from '../../sandbox/state/vocabulary';
import { ANN, BOB, SIGNATURE, Workspace, type Wire } from './workspace';

describe('documents (docs/service.md sections 2 to 4)', () => {
	const workspace = Workspace.forTests();
	const refusal = async (body: object) => (await workspace.test.post<Wire>('/documents', body)).data.error;
	const file = () => workspace.fileId(workspace.test);
	const ten = (count: number) =>
		Array.from({ length: count }, (_x, n) => ({ name: `P${n}`, email: `p${n}@example.com` }));

	it('creates a draft by default, untitled, in the mode of the key, with everyone waiting', async () => {
		const draft = await workspace.draft(workspace.test, [ANN, { ...BOB, type: 'cc', phone: '+1', pin: '1234' }]);
		expect(draft).toMatchObject({ status: 'draft', title: 'Untitled document', mode: 'TEST' });
		expect(draft.recipients.map(({ status, role }) => [status, role])).toEqual([
			['waiting', null],
			['waiting', null],
		]);
		expect((await workspace.test.get<Wire>(`/documents/${draft.id}`)).data).toEqual(draft);
	});

	it('refuses unknown and foreign files and names them', async () => {
		const known = await file();
		expect(await refusal({ files: [known, 'file_x', 'file_y'], recipients: [ANN] })).toMatchObject({
			code: 'unknown_file',
			file_ids: ['file_x', 'file_y'],
		});
	});

	it('merges files in the listed order, and a file may serve two documents', async () => {
		const [one, two] = [await workspace.fileId(workspace.test, 1), await workspace.fileId(workspace.test, 2)];
		for (const files of [[one, two, one], [two]]) {
			const { data } = await workspace.test.post<Wire>('/documents', { files, recipients: [ANN] });
			const last = files.length === 1 ? 2 : 4;
			const at = (pageNumber: number) => ({ fields: [{ ...SIGNATURE, pageNumber }] });
			expect((await workspace.test.put(`/documents/${data.id}/fields`, at(last))).status).toBe(200);
			const beyond = await workspace.test.put<Wire>(`/documents/${data.id}/fields`, at(last + 1));
			expect(beyond.data.error.code).toBe('field_out_of_bounds');
		}
	});

	it('refuses a field that leaves the page, and takes one that ends at its edge', async () => {
		const create = async (field: object) =>
			workspace.test.post<Wire>('/documents', {
				files: [await file()],
				recipients: [ANN],
				fields: [{ ...SIGNATURE, ...field }],
			});
		expect((await create({ xNorm: 0.7, widthNorm: 0.3 })).status).toBe(201);
		expect((await create({ xNorm: 0.71, widthNorm: 0.3 })).data.error.code).toBe('field_out_of_bounds');
		expect((await create({ yNorm: 0.97 })).data.error.code).toBe('field_out_of_bounds');
		expect((await create({ pageNumber: 2 })).data.error.code).toBe('field_out_of_bounds');
	});

	it('refuses to send while a signer has no signature field, names who, and leaves no document behind', async () => {
		const before = (await workspace.test.get<Wire>('/documents?limit=1')).data.data[0]?.id;
		const body = { files: [await file()], recipients: [ANN, BOB, { ...ten(1)[0], type: 'cc' }], send: true };
		expect((await refusal(body)).code).toMatch(/^signer_missing_signature_field:rcp_\w+,rcp_\w+$/);
		expect((await workspace.test.get<Wire>('/documents?limit=1')).data.data[0]?.id).toBe(before);
	});

	it('draft goes to in_progress by send, once', async () => {
		const draft = await workspace.draft(workspace.test, [ANN, BOB]);
		const [ann, bob] = draft.recipients;
		const put = await workspace.test.put<Wire>(`/documents/${draft.id}/fields`, {
			fields: [{ ...SIGNATURE, recipientId: ann?.id }],
		});
		expect(put.data.fields[0]).toMatchObject({ type: 'SIGNATURE', page: 1, recipient_id: ann?.id, field_key: null });
		expect(put.data.fields[0]).toMatchObject({ fill_mode: 'SIGNER_FILLED' });
		const early = await workspace.test.post<Wire>(`/documents/${draft.id}/send`);
		expect([early.status, early.data.error.code]).toEqual([400, `signer_missing_signature_field:${bob?.id}`]);
		const sendable = await workspace.sendable(workspace.test);
		const sent = await workspace.test.post<Wire>(`/documents/${sendable.id}/send`);
		expect(sent.data.status).toBe('in_progress');
		const again = await workspace.test.post<Wire>(`/documents/${sendable.id}/send`);
		expect([again.status, again.data.error.code]).toEqual([409, 'document_not_draft']);
	});

	it('in_progress goes to cancelled by cancel, and nothing else does', async () => {
		const { id } = await workspace.sent(workspace.test);
		expect((await workspace.test.post<Wire>(`/documents/${id}/cancel`)).data.status).toBe('cancelled');
		const { data: dashboard } = await axios.get<string>(workspace.origin);
		expect(dashboard.split(`<code>${id}</code>`)[1]?.split('</article>')[0]).toContain('cancelled by the sender');
		for (const one of [id, (await workspace.draft(workspace.test)).id]) {
			const again = await workspace.test.post<Wire>(`/documents/${one}/cancel`);
			expect([again.status, again.data.error.code]).toEqual([409, 'document_not_in_progress']);
		}
	});

	it('in_progress goes to completed when all signers have signed, with a sealed file and a certificate', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, BOB, { ...ten(1)[0], type: 'cc' }]);
		const status = async () => (await workspace.test.get<Wire>(`/documents/${id}`)).data;
		await workspace.control.sign(recipients[0]?.id ?? '');
		expect((await status()).status).toBe('in_progress');
		for (const variant of ['signed', 'certificate']) {
			const early = await workspace.test.get<Wire>(`/documents/${id}/files/${variant}`);
			expect([early.status, early.data.error.code]).toEqual([404, `${variant}_not_available`]);
		}
		await workspace.control.sign(recipients[1]?.id ?? '');
		expect((await status()).status).toBe('completed');
		expect((await status()).recipients.map((one) => one.status)).toEqual(['signed', 'signed', 'sent']);
		for (const variant of ['signed', 'certificate', 'original']) {
			const { data } = await workspace.test.get<Wire>(`/documents/${id}/files/${variant}`);
			expect(data.expires_in).toBe(600);
			const bytes = (await axios.get<Buffer>(data.url, { responseType: 'arraybuffer' })).data;
			expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		}
	});

	it('gives download addresses that need no key, cannot be forged and end after 600 seconds', async () => {
		const { id } = await workspace.draft(workspace.test);
		const { url } = (await workspace.test.get<Wire>(`/documents/${id}/files/original`)).data;
		const get = (address: string) => axios.get(address, { validateStatus: () => true });
		expect((await get(url)).status).toBe(200);
		expect((await get(`${url}x`)).status).toBe(404);
		expect((await get(url.replace('.original.', '.signed.'))).status).toBe(404);
		await workspace.control.advance(599);
		expect((await get(url)).status).toBe(200);
		await workspace.control.advance(2);
		expect((await get(url)).status).toBe(410);
	});

	it('knows the three variants and no other', async () => {
		const draft = await workspace.draft(workspace.test);
		const variant = await workspace.test.get<Wire>(`/documents/${draft.id}/files/draft`);
		expect(variant.data.error.details).toMatchObject([{ field: 'variant' }]);
	});

	it('in_progress goes to declined when a recipient declines, which ends the document', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, BOB]);
		await workspace.control.decline(recipients[0]?.id ?? '');
		expect((await workspace.test.get<Wire>(`/documents/${id}`)).data.status).toBe('declined');
		await expect(workspace.control.sign(recipients[1]?.id ?? '')).rejects.toThrow('document_not_in_progress');
	});

	it('in_progress goes to expired when its expiry passes, after 30 days', async () => {
		const { id } = await workspace.sent(workspace.test);
		const status = async () => (await workspace.test.get<Wire>(`/documents/${id}`)).data.status;
		await workspace.control.advance(30 * 86_400 - 60);
		expect(await status()).toBe('in_progress');
		await workspace.control.advance(61);
		expect(await status()).toBe('expired');
		const other = await workspace.sent(workspace.test);
		await workspace.control.expire(other.id);
		expect((await workspace.test.get<Wire>(`/documents/${other.id}`)).data.status).toBe('expired');
	});

	it('asks everyone at once when parallel, in list order when sequential', async () => {
		const statuses = async (id: string) =>
			(await workspace.test.get<Wire>(`/documents/${id}`)).data.recipients.map(({ status }) => status);
		const parallel = await workspace.sent(workspace.test, [ANN, BOB]);
		expect(await statuses(parallel.id)).toEqual(['sent', 'sent']);
		const people = [{ ...ten(1)[0], type: 'cc' }, ANN, BOB];
		const { id, recipients } = await workspace.sent(workspace.test, people, { routing: 'sequential' });
		expect(await statuses(id)).toEqual(['waiting', 'sent', 'waiting']);
		await expect(workspace.control.sign(recipients[2]?.id ?? '')).rejects.toThrow('recipient_not_active');
		await workspace.control.view(recipients[1]?.id ?? '');
		expect(await statuses(id)).toEqual(['waiting', 'viewed', 'waiting']);
		await workspace.control.sign(recipients[1]?.id ?? '');
		expect(await statuses(id)).toEqual(['waiting', 'signed', 'sent']);
	});

	it('lets a recipient forward the document to somebody who takes over', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN]);
		const { recipient_id } = await workspace.control.reassign(recipients[0]?.id ?? '', BOB);
		const { data } = await workspace.test.get<Wire>(`/documents/${id}`);
		expect(data.recipients.map(({ name, status }) => [name, status])).toEqual([
			['Ann', 'reassigned'],
			['Bob', 'sent'],
		]);
		await workspace.control.sign(recipient_id);
		expect((await workspace.test.get<Wire>(`/documents/${id}`)).data.status).toBe('completed');
	});

	it('reminds everyone outstanding, or one, or nobody with 409', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, BOB]);
		const remind = (body?: object) => workspace.test.post<Wire>(`/documents/${id}/remind`, body);
		expect((await remind()).data).toEqual({ reminded: 2 });
		expect((await remind({ recipient_id: recipients[0]?.id })).data).toEqual({ reminded: 1 });
		const stranger = await remind({ recipient_id: 'rcp_x' });
		expect([stranger.status, stranger.data.error.code]).toEqual([404, 'recipient_not_found']);
		await workspace.control.sign(recipients[0]?.id ?? '');
		const signed = await remind({ recipient_id: recipients[0]?.id });
		expect([signed.status, signed.data.error.code]).toEqual([409, 'no_recipients_to_remind']);
		expect((await remind({})).data).toEqual({ reminded: 1 });
		await workspace.control.sign(recipients[1]?.id ?? '');
		expect((await remind()).status).toBe(409);
	});

	it('replaces recipients in full, with raw statuses, keeping who is named again', async () => {
		const { id, recipients } = await workspace.sendable(workspace.test, [ANN, BOB], { routing: 'sequential' });
		const people = [
			{ ...ANN, name: 'Ann B' },
			{ name: 'Cy', email: 'cy@example.com' },
		];
		const put = await workspace.test.put<Wire>(`/documents/${id}/recipients`, { recipients: people });
		expect(put.data.recipients.map(({ name, status }) => [name, status])).toEqual([
			['Ann B', 'REQUESTED'],
			['Cy', 'WAITING'],
		]);
		expect(put.data.recipients[0]?.id).toBe(recipients[0]?.id);
		const send = await workspace.test.post<Wire>(`/documents/${id}/send`);
		expect(send.data.error.code).toBe(`signer_missing_signature_field:${put.data.recipients[1]?.id}`);
		const many = ten(11).map((person, index) => ({ ...person, type: index % 2 ? 'cc' : 'signer' }));
		const refused = await workspace.test.put<Wire>(`/documents/${id}/recipients`, { recipients: many });
		expect(refused.data.error.code).toBe('max_recipients_exceeded:10');
	});

	it('replaces fields in full, with new ids', async () => {
		const { id, recipients } = await workspace.draft(workspace.test);
		const fields = FIELD_TYPES.map((type) => ({ ...SIGNATURE, type, recipientId: recipients[0]?.id }));
		const first = await workspace.test.put<Wire>(`/documents/${id}/fields`, { fields });
		const second = await workspace.test.put<Wire>(`/documents/${id}/fields`, { fields });
		expect(second.data.fields).toHaveLength(15);
		const ids = new Set([...first.data.fields, ...second.data.fields].map((field) => field.id));
		expect(ids.size).toBe(30);
		await workspace.test.put(`/documents/${id}/fields`, { fields: [] });
		expect((await workspace.test.post<Wire>(`/documents/${id}/send`)).status).toBe(400);
	});

	it('refuses both PUT calls on a document that is not a draft', async () => {
		const { id } = await workspace.sent(workspace.test);
		for (const [part, body] of [
			['recipients', { recipients: [ANN] }],
			['fields', { fields: [] }],
		] as const) {
			const answer = await workspace.test.put<Wire>(`/documents/${id}/${part}`, body);
			expect([answer.status, answer.data.error.code]).toEqual([409, 'document_not_draft']);
		}
	});

	it('refuses a field for a cc or a stranger', async () => {
		const { id, recipients } = await workspace.draft(workspace.test, [ANN, { ...BOB, type: 'cc' }]);
		const fields = [recipients[0]?.id, recipients[1]?.id, 'rcp_x', null].map((recipientId) => {
			return { ...SIGNATURE, recipientId };
		});
		const { data } = await workspace.test.put<Wire>(`/documents/${id}/fields`, { fields });
		expect(data.error.code).toBe('validation_error');
		expect(data.error.details?.map(({ field }) => field)).toEqual(['fields.1.recipientId', 'fields.2.recipientId']);
	});

	it('filters lists by status', async () => {
		await workspace.control.reset();
		await workspace.draft(workspace.test);
		const { id } = await workspace.sent(workspace.test);
		const list = async (status: string) => (await workspace.test.get<Wire>('/documents', { params: { status } })).data;
		expect((await list('in_progress')).data.map((document) => document.id)).toEqual([id]);
		expect((await list('draft')).data).toHaveLength(1);
		expect((await list('expired')).data).toEqual([]);
	});
});
