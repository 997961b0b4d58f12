import axios from 'axios';
import { FIELD_TYPES } from '../../sandbox/state/vocabulary';
import { ANN, BOB, placesIn, refusal, SIGNATURE, Workspace } from './workspace';

const CY = { name: 'Cy', email: 'cy@example.com', type: 'cc' };

describe('documents (docs/service.md sections 2 to 4)', () => {
	const workspace = Workspace.forTests();
	const create = async (body: object) =>
		workspace.test.post('/documents', {
			files: [await workspace.fileId(workspace.test)],
			recipients: [ANN],
			...body,
		});
	const call = (id: string, act: string, body?: object) =>
		workspace.test.post(`/documents/${id}/${act}`, body);
	const put = (id: string, part: string, body: object) =>
		workspace.test.put(`/documents/${id}/${part}`, body);
	const statusOf = async (id: string) => (await workspace.document(id)).status;

	it('creates a draft by default, untitled, in the mode of the key, with everyone waiting', async () => {
		const draft = await workspace.draft(workspace.test, [
			ANN,
			{ ...BOB, type: 'cc', phone: '+1', pin: '1234' },
		]);
		expect(draft).toMatchObject({ status: 'draft', title: 'Untitled document', mode: 'TEST' });
		expect(draft.recipients).toMatchObject(Array(2).fill({ status: 'waiting', role: null }));
		expect(await workspace.document(draft.id)).toEqual(draft);
	});

	it('refuses unknown and foreign files and names them', async () => {
		const files = [await workspace.fileId(workspace.test), 'file_x', 'file_y'];
		const { error } = (await create({ files })).data;
		expect(error).toMatchObject({ code: 'unknown_file', file_ids: ['file_x', 'file_y'] });
	});

	it('merges files in the listed order, and a file may serve two documents', async () => {
		const [one, two] = [
			await workspace.fileId(workspace.test, 1),
			await workspace.fileId(workspace.test, 2),
		];
		for (const [files, last] of [
			[[one, two, one], 4],
			[[two], 2],
		] as const) {
			const { id } = (await create({ files })).data;
			const at = (pageNumber: number) =>
				put(id, 'fields', { fields: [{ ...SIGNATURE, pageNumber }] });
			expect((await at(last)).status).toBe(200);
			expect(refusal(await at(last + 1))).toBe('400 field_out_of_bounds');
		}
	});

	it.each([
		['takes one that ends at the edge', { xNorm: 0.7, widthNorm: 0.3 }, 201],
		['refuses one beyond the right edge', { xNorm: 0.71, widthNorm: 0.3 }, 400],
		['refuses one beyond the lower edge', { yNorm: 0.97 }, 400],
		['refuses one on a page that is not there', { pageNumber: 2 }, 400],
	])('a field stays on its page: %s', async (_what, place, status) => {
		const answer = await create({ fields: [{ ...SIGNATURE, ...place }] });
		expect(answer.status).toBe(status);
		if (status === 400) expect(answer.data.error.code).toBe('field_out_of_bounds');
	});

	it('refuses to send while a signer has no signature field, names who, and leaves no document behind', async () => {
		const refused = await create({ recipients: [ANN, BOB, CY], send: true });
		expect(refusal(refused)).toMatch(/^400 signer_missing_signature_field:rcp_\w+,rcp_\w+$/);
		expect((await workspace.test.get('/documents')).data.data).toEqual([]);
	});

	it('draft goes to in_progress by send, once, and is not changed any more', async () => {
		const { id, recipients } = await workspace.draft(workspace.test, [ANN, BOB]);
		const [ann, bob] = [recipients[0].id, recipients[1].id];
		const { data } = await put(id, 'fields', { fields: [{ ...SIGNATURE, recipientId: ann }] });
		const field = {
			type: 'SIGNATURE',
			page: 1,
			recipient_id: ann,
			field_key: null,
			fill_mode: 'SIGNER_FILLED',
		};
		expect(data.fields[0]).toMatchObject(field);
		expect(refusal(await call(id, 'send'))).toBe(`400 signer_missing_signature_field:${bob}`);
		const sendable = await workspace.sendable(workspace.test);
		expect((await call(sendable.id, 'send')).data.status).toBe('in_progress');
		for (const late of [
			await call(sendable.id, 'send'),
			await put(sendable.id, 'recipients', { recipients: [ANN] }),
			await put(sendable.id, 'fields', { fields: [] }),
		]) {
			expect(refusal(late)).toBe('409 document_not_draft');
		}
	});

	it('in_progress goes to cancelled by cancel, and nothing else does', async () => {
		const { id } = await workspace.sent(workspace.test);
		expect((await call(id, 'cancel')).data.status).toBe('cancelled');
		const { data: dashboard } = await axios.get<string>(workspace.origin);
		expect(dashboard.split(`>${id}</code>`)[1]?.split('</article>')[0]).toContain(
			'cancelled by the sender',
		);
		for (const one of [id, (await workspace.draft(workspace.test)).id]) {
			expect(refusal(await call(one, 'cancel'))).toBe('409 document_not_in_progress');
		}
	});

	it('in_progress goes to completed when all signers have signed, with a sealed file and a certificate', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, BOB, CY]);
		await workspace.control.sign(recipients[0].id);
		expect(await statusOf(id)).toBe('in_progress');
		for (const variant of ['signed', 'certificate']) {
			const early = await workspace.test.get(`/documents/${id}/files/${variant}`);
			expect(refusal(early)).toBe(`404 ${variant}_not_available`);
		}
		await workspace.control.sign(recipients[1].id);
		expect(await statusOf(id)).toBe('completed');
		expect(await workspace.statuses(id)).toEqual(['signed', 'signed', 'sent']);
		for (const variant of ['signed', 'certificate', 'original']) {
			expect((await workspace.download(id, variant)).subarray(0, 5).toString()).toBe('%PDF-');
		}
	});

	it('gives download addresses that need no key, cannot be forged and end after 600 seconds', async () => {
		const { id } = await workspace.draft(workspace.test);
		const { url, expires_in } = (await workspace.test.get(`/documents/${id}/files/original`)).data;
		const get = async (address: string) =>
			(await axios.get(address, { validateStatus: () => true })).status;
		expect([expires_in, await get(url), await get(`${url}x`)]).toEqual([600, 200, 404]);
		expect(await get(url.replace('.original.', '.signed.'))).toBe(404);
		await workspace.control.advance(599);
		expect(await get(url)).toBe(200);
		await workspace.control.advance(2);
		expect(await get(url)).toBe(410);
		expect(placesIn(await workspace.test.get(`/documents/${id}/files/draft`))).toEqual(['variant']);
	});

	it('in_progress goes to expired when its expiry passes, after 30 days', async () => {
		const { id } = await workspace.sent(workspace.test);
		await workspace.control.advance(30 * 86_400 - 60);
		expect(await statusOf(id)).toBe('in_progress');
		await workspace.control.advance(61);
		expect(await statusOf(id)).toBe('expired');
		const other = await workspace.sent(workspace.test);
		await workspace.control.expire(other.id);
		expect(await statusOf(other.id)).toBe('expired');
	});

	it('asks everyone at once when parallel, in list order when sequential', async () => {
		const parallel = await workspace.sent(workspace.test, [ANN, BOB]);
		expect(await workspace.statuses(parallel.id)).toEqual(['sent', 'sent']);
		const { id, recipients } = await workspace.sent(workspace.test, [CY, ANN, BOB], {
			routing: 'sequential',
		});
		expect(await workspace.statuses(id)).toEqual(['waiting', 'sent', 'waiting']);
		await expect(workspace.control.sign(recipients[2].id)).rejects.toThrow('recipient_not_active');
		await workspace.control.view(recipients[1].id);
		expect(await workspace.statuses(id)).toEqual(['waiting', 'viewed', 'waiting']);
		await workspace.control.sign(recipients[1].id);
		expect(await workspace.statuses(id)).toEqual(['waiting', 'signed', 'sent']);
	});

	it('reminds everyone outstanding, or one, or nobody with 409', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, BOB]);
		const [ann, bob] = [recipients[0].id, recipients[1].id];
		expect((await call(id, 'remind')).data).toEqual({ reminded: 2 });
		expect((await call(id, 'remind', { recipient_id: ann })).data).toEqual({ reminded: 1 });
		expect(refusal(await call(id, 'remind', { recipient_id: 'rcp_x' }))).toBe(
			'404 recipient_not_found',
		);
		await workspace.control.sign(ann);
		expect(refusal(await call(id, 'remind', { recipient_id: ann }))).toBe(
			'409 no_recipients_to_remind',
		);
		expect((await call(id, 'remind', {})).data).toEqual({ reminded: 1 });
		await workspace.control.sign(bob);
		expect((await call(id, 'remind')).status).toBe(409);
	});

	it('replaces recipients in full, with raw statuses, keeping who is named again', async () => {
		const { id, recipients } = await workspace.sendable(workspace.test, [ANN, BOB], {
			routing: 'sequential',
		});
		const people = [
			{ ...ANN, name: 'Ann B' },
			{ ...CY, type: 'signer' },
		];
		const now = (await put(id, 'recipients', { recipients: people })).data.recipients;
		expect(now.map(({ name, status }) => `${name}: ${status}`)).toEqual([
			'Ann B: REQUESTED',
			'Cy: WAITING',
		]);
		expect(now[0].id).toBe(recipients[0].id);
		expect(refusal(await call(id, 'send'))).toBe(`400 signer_missing_signature_field:${now[1].id}`);
	});

	it('replaces fields in full, with new ids', async () => {
		const { id, recipients } = await workspace.draft(workspace.test);
		const fields = FIELD_TYPES.map((type) => ({
			...SIGNATURE,
			type,
			recipientId: recipients[0].id,
		}));
		const [first, second] = [
			await put(id, 'fields', { fields }),
			await put(id, 'fields', { fields }),
		];
		expect(second.data.fields).toHaveLength(15);
		expect(
			new Set([...first.data.fields, ...second.data.fields].map((field) => field.id)).size,
		).toBe(30);
		await put(id, 'fields', { fields: [] });
		expect((await call(id, 'send')).status).toBe(400);
	});

	it('refuses a field for a cc or a stranger', async () => {
		const { id, recipients } = await workspace.draft(workspace.test, [ANN, CY]);
		const whose = [recipients[0].id, recipients[1].id, 'rcp_x', null];
		const answer = await put(id, 'fields', {
			fields: whose.map((recipientId) => ({ ...SIGNATURE, recipientId })),
		});
		expect(refusal(answer)).toBe('400 validation_error');
		expect(placesIn(answer)).toEqual(['fields.1.recipientId', 'fields.2.recipientId']);
	});

	it('filters lists by status', async () => {
		const draft = await workspace.draft(workspace.test);
		const sent = await workspace.sent(workspace.test);
		const idsOf = async (status: string) =>
			(await workspace.test.get(`/documents?status=${status}`)).data.data.map(({ id }) => id);
		expect([await idsOf('in_progress'), await idsOf('draft')]).toEqual([[sent.id], [draft.id]]);
		expect(await idsOf('expired')).toEqual([]);
	});
});
