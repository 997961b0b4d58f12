import axios from 'axios';
import { ANN, BOB, CAST, placesIn, Receiver, refusal, Workspace } from './workspace';

const CY = { name: 'Cy', email: 'cy@example.com' };

/**
 * What the sandbox decides where the description is silent: docs/service.md section 10 and
 * sandbox/README.md.
 */
describe('where the interface description is silent', () => {
	const workspace = Workspace.forTests();
	const offer = () => workspace.template(workspace.test, 'Offer Letter');
	const send = (template: string, body: object) =>
		workspace.test.post(`/templates/${template}/send`, body);
	const put = (id: string, part: string, body: object) =>
		workspace.test.put(`/documents/${id}/${part}`, body);
	const call = (id: string, act: string, body = {}) =>
		workspace.test.post(`/documents/${id}/${act}`, body);

	it('checks key, IP, suspension, plan, trial, scope, body, object and state in this order', async () => {
		const { control } = workspace;
		const { key } = await control.createKey({ mode: 'LIVE', scopes: ['documents:read'] });
		const draft = await workspace.draft(workspace.live);
		await control.workspace({
			ip_allowlist: ['203.0.113.1'],
			suspended: true,
			plan: 'FREE',
			trialing: true,
		});
		const cancel = async (caller: string | null, id = 'doc_x', body: object = { colour: 'red' }) =>
			(await workspace.caller(caller).post(`/documents/${id}/cancel`, body)).data.error.code;
		expect(await cancel(null)).toBe('unauthorized');
		for (const [code, changes] of [
			['ip_not_allowed', { ip_allowlist: [] }],
			['org_suspended', { suspended: false }],
			['api_not_enabled', { plan: 'BUSINESS' }],
			['live_api_requires_paid_plan', { trialing: false }],
			['insufficient_scope', {}],
		] as const) {
			expect(await cancel(key)).toBe(code);
			await control.workspace(changes as object);
		}
		const { live } = workspace.sandbox.keys;
		expect(await cancel(live)).toBe('validation_error');
		expect(await cancel(live, 'doc_x', {})).toBe('document_not_found');
		expect(await cancel(live, draft.id, {})).toBe('document_not_in_progress');
	});

	it('asks a template for signature fields when its draft is sent, not before', async () => {
		const id = await workspace.published();
		const recipients = [{ role: 'Client', ...ANN }];
		expect((await send(id, { recipients })).data.status).toBe('in_progress');
		const draft = (await send(id, { recipients, send: false })).data;
		const missing = `400 signer_missing_signature_field:${draft.recipients[0].id}`;
		expect(refusal(await call(draft.id, 'send'))).toBe(missing);
	});

	it('sends no document that nobody would sign', async () => {
		const draft = await workspace.draft(workspace.test, [{ ...ANN, type: 'cc' }]);
		const id = await workspace.published({ roles: [{ role: 'Reader', type: 'CC' }] });
		expect(placesIn(await call(draft.id, 'send'))).toEqual(['recipients']);
		expect(placesIn(await send(id, { recipients: [{ role: 'Reader', ...ANN }] }))).toEqual([
			'recipients',
		]);
		expect((await workspace.test.get('/documents')).data.data).toHaveLength(1);
	});

	it('takes fields from people who leave with PUT recipients, or become a cc', async () => {
		const { id, recipients } = await workspace.sendable(workspace.test, [ANN, BOB, CY]);
		const idsOf = async (people: object[]) =>
			(await put(id, 'recipients', { recipients: people })).data.recipients.map((one) => one.id);
		const before = recipients.map((one) => one.id);
		expect(await idsOf([ANN, { ...BOB, type: 'cc' }])).toEqual(before.slice(0, 2));
		const [, bob, cy] = await idsOf([ANN, BOB, CY]);
		expect(cy).not.toBe(before[2]);
		expect(refusal(await call(id, 'send'))).toBe(`400 signer_missing_signature_field:${bob},${cy}`);
	});

	it('refuses an e-mail address that comes twice in every list of recipients', async () => {
		const { id } = await workspace.draft(workspace.test);
		const twice = { ...BOB, email: ANN.email.toUpperCase() };
		const recipients = [ANN, twice];
		const cast = CAST.map((one, index) => ({ ...one, ...recipients[index] }));
		const files = [await workspace.fileId(workspace.test)];
		for (const answer of [
			await workspace.test.post('/documents', { files, recipients }),
			await put(id, 'recipients', { recipients }),
			await send((await offer()).id, { recipients: cast }),
		]) {
			expect(refusal(answer)).toBe(`400 duplicate_email:${twice.email}`);
		}
	});

	it('reminds nobody whose turn has not come, and nobody of a document that is not in progress', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, BOB], {
			routing: 'sequential',
		});
		expect((await call(id, 'remind')).data).toEqual({ reminded: 1 });
		const waiting = await call(id, 'remind', { recipient_id: recipients[1].id });
		expect(refusal(waiting)).toBe('409 no_recipients_to_remind');
		await call(id, 'cancel');
		for (const one of [id, (await workspace.draft(workspace.test)).id]) {
			expect(refusal(await call(one, 'remind'))).toBe('409 no_recipients_to_remind');
		}
	});

	it('names unprefillable fields before values that do not fit', async () => {
		const field_values = { candidate_signature: 'Ann', salary: 'much' };
		const answer = await send((await offer()).id, { recipients: CAST, field_values });
		expect(refusal(answer)).toBe('400 unprefillable_field_type');
		expect(placesIn(answer)).toEqual(['field_values.candidate_signature']);
	});

	it('fills no cc role by a public link', async () => {
		const { id, roles } = await offer();
		const signers = [{ placeholder_id: roles[0].id, is_open: true }];
		const { slug } = (await workspace.test.post(`/templates/${id}/links`, { signers })).data;
		const { document_id } = await workspace.control.startLink(slug, ANN);
		expect((await workspace.document(document_id)).recipients.map(({ role }) => role)).toEqual([
			'Candidate',
		]);
	});

	it('lets whoever takes over fill in the fields and complete the document, and tells no endpoint', async () => {
		const receiver = await Receiver.open();
		const { id, recipients } = await workspace.sent(workspace.test);
		await workspace.test.post('/webhooks', {
			url: receiver.url,
			events: ['recipient.viewed', 'document.sent'],
		});
		const { recipient_id } = await workspace.control.reassign(recipients[0].id, BOB);
		await workspace.control.advance(0);
		expect(receiver.received).toEqual([]);
		await receiver.close();
		const now = (await workspace.document(id)).recipients.map(
			({ name, status }) => `${name}: ${status}`,
		);
		expect(now).toEqual(['Ann: reassigned', 'Bob: sent']);
		const { url } = (await call(id, `recipients/${recipient_id}/embed-link`)).data;
		expect((await axios.get<string>(url)).data).toContain('name="field.');
		await workspace.control.sign(recipient_id);
		expect((await workspace.document(id)).status).toBe('completed');
	});

	it('asks nobody to fill in a field of nobody: it stays open in the finished document', async () => {
		const fields = [{ of: 9, type: 'TEXT', yNorm: 0.1 }];
		const { id, recipients } = await workspace.sent(workspace.test, [ANN], { fields });
		const { url } = (await call(id, `recipients/${recipients[0].id}/embed-link`)).data;
		expect((await axios.get<string>(url)).data.match(/name="field\./g)).toHaveLength(1);
		await workspace.control.sign(recipients[0].id);
		expect((await workspace.document(id)).status).toBe('completed');
	});
});
