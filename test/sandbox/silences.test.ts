import axios from 'axios';
import { ANN, BOB, Receiver, SIGNATURE, Workspace, type Wire } from './workspace';

const CY = { name: 'Cy', email: 'cy@example.com' };
const CAST = [
	{ role: 'Candidate', ...ANN },
	{ role: 'HR', ...BOB },
];

/** What the sandbox decides where the description is silent: docs/service.md section 10 and sandbox/README.md. */
describe('where the interface description is silent', () => {
	const workspace = Workspace.forTests();
	beforeEach(() => workspace.control.reset());
	const signingPage = async (id: string, recipientId: string | undefined) => {
		const link = await workspace.test.post<Wire>(`/documents/${id}/recipients/${recipientId}/embed-link`);
		return (await axios.get<string>(link.data.url)).data;
	};

	it('checks key, IP, suspension, plan, trial, scope, body, object and state in this order', async () => {
		const { control } = workspace;
		const { key } = await control.createKey({ mode: 'LIVE', scopes: ['documents:read'] });
		const draft = await workspace.draft(workspace.live);
		await control.workspace({ ip_allowlist: ['203.0.113.1'], suspended: true, plan: 'FREE', trialing: true });
		const cancel = async (caller: string | null, id: string, body: object) =>
			(await workspace.caller(caller).post<Wire>(`/documents/${id}/cancel`, body)).data.error.code;
		const wrong = { colour: 'red' };
		expect(await cancel(null, 'doc_x', wrong)).toBe('unauthorized');
		expect(await cancel(key, 'doc_x', wrong)).toBe('ip_not_allowed');
		await control.workspace({ ip_allowlist: [] });
		expect(await cancel(key, 'doc_x', wrong)).toBe('org_suspended');
		await control.workspace({ suspended: false });
		expect(await cancel(key, 'doc_x', wrong)).toBe('api_not_enabled');
		await control.workspace({ plan: 'BUSINESS' });
		expect(await cancel(key, 'doc_x', wrong)).toBe('live_api_requires_paid_plan');
		await control.workspace({ trialing: false });
		expect(await cancel(key, 'doc_x', wrong)).toBe('insufficient_scope');
		const { live } = workspace.sandbox.keys;
		expect(await cancel(live, 'doc_x', wrong)).toBe('validation_error');
		expect(await cancel(live, 'doc_x', {})).toBe('document_not_found');
		expect(await cancel(live, draft.id, {})).toBe('document_not_in_progress');
	});

	it('asks a template for signature fields when its draft is sent, not before', async () => {
		const roles = [{ role: 'Client', type: 'SIGNER' as const }];
		const bare = { mode: 'TEST' as const, name: 'Bare', status: 'PUBLISHED' as const, roles, fields: [] };
		const { id } = await workspace.control.createTemplate(bare);
		const recipients = [{ role: 'Client', ...ANN }];
		const send = (body: object) => workspace.test.post<Wire>(`/templates/${id}/send`, { recipients, ...body });
		expect((await send({})).data.status).toBe('in_progress');
		const draft = (await send({ send: false })).data;
		const refused = await workspace.test.post<Wire>(`/documents/${draft.id}/send`);
		expect(refused.data.error.code).toBe(`signer_missing_signature_field:${draft.recipients[0]?.id}`);
	});

	it('sends no document that nobody would sign', async () => {
		const draft = await workspace.draft(workspace.test, [{ ...ANN, type: 'cc' }]);
		const roles = [{ role: 'Reader', type: 'CC' as const }];
		const forReaders = { mode: 'TEST' as const, name: 'R', status: 'PUBLISHED' as const, roles, fields: [] };
		const { id } = await workspace.control.createTemplate(forReaders);
		for (const answer of [
			await workspace.test.post<Wire>(`/documents/${draft.id}/send`),
			await workspace.test.post<Wire>(`/templates/${id}/send`, { recipients: [{ role: 'Reader', ...ANN }] }),
		]) {
			expect([answer.status, answer.data.error.details?.[0]?.field]).toEqual([400, 'recipients']);
		}
		expect((await workspace.test.get<Wire>('/documents')).data.data).toHaveLength(1);
	});

	it('takes fields from people who leave with PUT recipients, or become a cc', async () => {
		const { id, recipients } = await workspace.sendable(workspace.test, [ANN, BOB, CY]);
		const put = (people: object[]) => workspace.test.put<Wire>(`/documents/${id}/recipients`, { recipients: people });
		expect((await put([ANN, { ...BOB, type: 'cc' }])).data.recipients.map((one) => one.id)).toEqual(
			recipients.slice(0, 2).map((one) => one.id),
		);
		const back = (await put([ANN, BOB, CY])).data.recipients;
		expect(back[2]?.id).not.toBe(recipients[2]?.id);
		const refused = await workspace.test.post<Wire>(`/documents/${id}/send`);
		expect(refused.data.error.code).toBe(`signer_missing_signature_field:${back[1]?.id},${back[2]?.id}`);
	});

	it('refuses an e-mail address that comes twice in every list of recipients', async () => {
		const { id } = await workspace.draft(workspace.test);
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const twice = { ...BOB, email: ANN.email.toUpperCase() };
		for (const answer of [
			await workspace.test.post<Wire>('/documents', {
				files: [await workspace.fileId(workspace.test)],
				recipients: [ANN, twice],
			}),
			await workspace.test.put<Wire>(`/documents/${id}/recipients`, { recipients: [ANN, twice] }),
			await workspace.test.post<Wire>(`/templates/${offer.id}/send`, {
				recipients: [
					{ role: 'Candidate', ...ANN },
					{ role: 'HR', ...twice },
				],
			}),
		]) {
			expect([answer.status, answer.data.error.code]).toEqual([400, `duplicate_email:${twice.email}`]);
		}
	});

	it('reminds nobody whose turn has not come, and nobody of a document that is not in progress', async () => {
		const sequential = await workspace.sent(workspace.test, [ANN, BOB], { routing: 'sequential' });
		const remind = (id: string, body = {}) => workspace.test.post<Wire>(`/documents/${id}/remind`, body);
		expect((await remind(sequential.id)).data).toEqual({ reminded: 1 });
		const waiting = await remind(sequential.id, { recipient_id: sequential.recipients[1]?.id });
		expect(waiting.data.error.code).toBe('no_recipients_to_remind');
		await workspace.test.post(`/documents/${sequential.id}/cancel`);
		for (const id of [sequential.id, (await workspace.draft(workspace.test)).id]) {
			expect((await remind(id)).data.error.code).toBe('no_recipients_to_remind');
		}
	});

	it('names unprefillable fields before values that do not fit', async () => {
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const field_values = { candidate_signature: 'Ann', salary: 'much' };
		const { data } = await workspace.test.post<Wire>(`/templates/${offer.id}/send`, { recipients: CAST, field_values });
		expect(data.error.code).toBe('unprefillable_field_type');
		expect(data.error.details?.map(({ field }) => field)).toEqual(['field_values.candidate_signature']);
	});

	it('fills no cc role by a public link', async () => {
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const signers = [{ placeholder_id: offer.roles[0]?.id, is_open: true }];
		const { slug } = (await workspace.test.post<Wire>(`/templates/${offer.id}/links`, { signers })).data;
		const { document_id } = await workspace.control.startLink(slug, ANN);
		const { recipients } = (await workspace.test.get<Wire>(`/documents/${document_id}`)).data;
		expect(recipients.map(({ role }) => role)).toEqual(['Candidate']);
	});

	it('lets whoever takes over fill in the fields, and tells no endpoint', async () => {
		const receiver = await Receiver.open();
		try {
			const { id, recipients } = await workspace.sent(workspace.test);
			await workspace.test.post('/webhooks', { url: receiver.url, events: ['recipient.viewed', 'document.sent'] });
			const { recipient_id } = await workspace.control.reassign(recipients[0]?.id ?? '', BOB);
			await workspace.control.advance(0);
			expect(receiver.received).toEqual([]);
			expect(await signingPage(id, recipient_id)).toContain('name="field.');
		} finally {
			receiver.close();
		}
	});

	it('misses the file when a field named file has no file name', async () => {
		const form = new FormData();
		form.append('file', 'just a text');
		const { status, data } = await workspace.test.post<Wire>('/files', form);
		expect([status, data.error.code]).toEqual([400, 'file_missing']);
	});

	describe('on deliveries', () => {
		let receiver: Receiver;
		beforeEach(async () => (receiver = await Receiver.open()));
		afterEach(() => receiver.close());
		const subscribe = async () =>
			(await workspace.test.post<Wire>('/webhooks', { url: receiver.url, events: ['document.sent'] })).data;

		it('tries a replay three times, as it does everything', async () => {
			const { id } = await subscribe();
			await workspace.sent(workspace.test);
			await workspace.control.advance(0);
			receiver.answer = { status: 500, body: '' };
			const [delivery] = (await workspace.test.get<Wire>(`/webhooks/${id}/deliveries`)).data.data;
			await workspace.test.post(`/webhooks/${id}/deliveries/${delivery?.id}/replay`);
			await workspace.control.advance(100);
			const log = (await workspace.test.get<Wire>(`/webhooks/${id}/deliveries`)).data.data;
			expect(log.map(({ attempt, succeeded }) => [attempt, succeeded])).toEqual([
				[3, false],
				[2, false],
				[1, false],
				[1, true],
			]);
		});

		it('drops the retries that are queued when a suspension begins', async () => {
			await subscribe();
			receiver.answer = { status: 500, body: '' };
			await workspace.sent(workspace.test);
			await workspace.control.advance(0);
			await workspace.control.workspace({ suspended: true });
			await workspace.control.advance(5);
			await workspace.control.workspace({ suspended: false });
			await workspace.control.advance(100);
			expect(receiver.received).toHaveLength(1);
		});

		it('signs with the clock outside of the sandbox, also after it was moved on', async () => {
			await subscribe();
			await workspace.control.advance(86_400);
			await workspace.sent(workspace.test);
			await workspace.control.advance(0);
			const [, t] = /^t=(\d+),/.exec(String(receiver.received[0]?.headers['x-esign-signature'])) ?? [];
			expect(Number(t)).toBe(Math.floor(workspace.now / 1_000));
		});
	});

	it('forgets a field of nobody: it stays open in the finished document', async () => {
		const draft = await workspace.draft(workspace.test);
		const recipientId = draft.recipients[0]?.id ?? '';
		const nobodys = { ...SIGNATURE, type: 'TEXT', yNorm: 0.1 };
		await workspace.test.put(`/documents/${draft.id}/fields`, { fields: [{ ...SIGNATURE, recipientId }, nobodys] });
		await workspace.test.post(`/documents/${draft.id}/send`);
		await workspace.control.sign(recipientId);
		expect((await workspace.test.get<Wire>(`/documents/${draft.id}`)).data.status).toBe('completed');
	});
});
