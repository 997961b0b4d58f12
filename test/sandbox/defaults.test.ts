import { ALL_EVENTS, ANN, BOB, Receiver, SIGNATURE, Workspace, type Wire } from './workspace';

const NOW = '2026-02-10T12:00:00.000Z';

describe('what holds when a request does not say', () => {
	const workspace = Workspace.forTests({ clock: { now: () => Date.parse(NOW) } });
	beforeEach(() => workspace.control.reset());

	it('makes a recipient a signer, on POST and on PUT', async () => {
		const recipients = [ANN, { ...BOB, type: 'cc' }];
		const { id } = await workspace.sendable(workspace.test, recipients);
		await workspace.test.put(`/documents/${id}/recipients`, { recipients });
		const { data } = await workspace.test.post<Wire>(`/documents/${id}/send`);
		expect(data.recipients.map(({ status }) => status)).toEqual(['sent', 'waiting']);
	});

	it('makes a field required, unless it says that it is not', async () => {
		for (const [required, status] of [
			[undefined, 400],
			[true, 400],
			[false, 303],
		] as const) {
			const draft = await workspace.draft(workspace.test);
			const recipientId = draft.recipients[0]?.id;
			const text = { ...SIGNATURE, type: 'TEXT', recipientId, ...(required !== undefined && { required }) };
			const fields = [{ ...SIGNATURE, recipientId }, text];
			await workspace.test.put(`/documents/${draft.id}/fields`, { fields });
			await workspace.test.post(`/documents/${draft.id}/send`);
			const call = `/documents/${draft.id}/recipients/${recipientId}/embed-link`;
			const { url } = (await workspace.test.post<Wire>(call)).data;
			const signed = await fetch(`${url}/sign`, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' });
			expect([required, signed.status]).toEqual([required, status]);
		}
	});

	it('lets an embed link live for 900 seconds', async () => {
		const { id, recipients } = await workspace.sent(workspace.test);
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const cast = [
			{ role: 'Candidate', ...ANN },
			{ role: 'HR', ...BOB },
		];
		for (const [options, end] of [
			[{}, '2026-02-10T12:15:00.000Z'],
			[{ expires_in: 60 }, '2026-02-10T12:01:00.000Z'],
			[{ expires_in: 3600 }, '2026-02-10T13:00:00.000Z'],
		] as const) {
			const call = `/documents/${id}/recipients/${recipients[0]?.id}/embed-link`;
			expect((await workspace.test.post<Wire>(call, options)).data.expires_at).toBe(end);
			const body = { recipients: cast, embed: options };
			const { data } = await workspace.test.post<Wire>(`/templates/${offer.id}/send`, body);
			expect(data.embed_links.map(({ expires_at }) => expires_at)).toEqual([end]);
		}
	});

	describe('of how many', () => {
		let receiver: Receiver;
		beforeEach(async () => (receiver = await Receiver.open()));
		afterEach(() => receiver.close());

		it('gives 20 objects on a page, of the 21 that there are', async () => {
			const { test, control } = workspace;
			const hook = (await test.post<Wire>('/webhooks', { url: receiver.url, events: ALL_EVENTS })).data;
			await workspace.sent(test);
			await control.advance(0);
			const [first] = (await test.get<Wire>(`/webhooks/${hook.id}/deliveries`)).data.data;
			const files = [await workspace.fileId(test)];
			for (let count = 1; count < 21; count++) {
				await test.post('/documents', { files, recipients: [ANN] });
				await test.post(`/webhooks/${hook.id}/deliveries/${first?.id}/replay`);
				const roles = [{ role: 'Client', type: 'SIGNER' as const }];
				await control.createTemplate({ mode: 'TEST', name: `T${count}`, status: 'PUBLISHED', roles, fields: [] });
			}
			await control.advance(0);
			for (const path of ['/documents', '/templates', `/webhooks/${hook.id}/deliveries`]) {
				expect([path, (await test.get<Wire>(path)).data.data.length]).toEqual([path, 20]);
				expect((await test.get<Wire>(`${path}?limit=100`)).data.data.length).toBeGreaterThan(20);
			}
		});

		it('gives all links of a template and all endpoints of a mode', async () => {
			const nda = await workspace.template(workspace.test);
			const [open, other] = nda.roles.map(({ id }) => ({ placeholder_id: id }));
			const signers = [
				{ ...open, is_open: true },
				{ ...other, is_open: false, ...BOB },
			];
			for (let count = 0; count < 101; count++) await workspace.test.post(`/templates/${nda.id}/links`, { signers });
			expect((await workspace.test.get<Wire>(`/templates/${nda.id}/links`)).data.data).toHaveLength(101);
			const hook = { url: receiver.url, events: ALL_EVENTS };
			for (let count = 0; count < 5; count++) await workspace.test.post('/webhooks', hook);
			expect((await workspace.test.get<Wire>('/webhooks?limit=1')).data.data).toHaveLength(5);
		});
	});
});
