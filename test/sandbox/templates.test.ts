import axios from 'axios';
import { ANN, BOB, Workspace, type Wire } from './workspace';

describe('templates (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();
	let nda: Wire;
	beforeEach(async () => {
		await workspace.control.reset();
		nda = await workspace.template(workspace.test);
	});

	const cast = [
		{ role: 'Client', ...ANN },
		{ role: 'Company', ...BOB },
	];
	const send = (body: object, id = nda.id) => workspace.test.post<Wire>(`/templates/${id}/send`, body);
	const refusal = async (body: object) => (await send({ recipients: cast, ...body })).data.error;

	it('lists published templates only and shows roles with order and fields', async () => {
		const { data } = await workspace.test.get<Wire>('/templates');
		expect(data.data.map(({ name, status }) => [name, status])).toEqual([
			['Mutual NDA', 'PUBLISHED'],
			['Offer Letter', 'PUBLISHED'],
		]);
		expect(nda.roles.map(({ role, type, order }) => [role, type, order])).toEqual([
			['Client', 'SIGNER', 0],
			['Company', 'SIGNER', 1],
		]);
		expect(nda.fields).toContainEqual({
			field_key: 'term_months',
			type: 'NUMBER',
			role: 'Client',
			required: true,
			page: 1,
		});
		expect(nda.fields).toContainEqual({ field_key: null, type: 'SIGNATURE', role: 'Client', required: true, page: 1 });
	});

	it('are authored elsewhere: no endpoint creates, changes or deletes one', async () => {
		for (const [method, url] of [
			['POST', '/templates'],
			['PUT', `/templates/${nda.id}`],
			['DELETE', `/templates/${nda.id}`],
		]) {
			expect([url, (await workspace.test.request({ method, url, data: {} })).status]).toEqual([url, 405]);
		}
	});

	it('a field without a key cannot be prefilled', async () => {
		const field = { field_key: null, type: 'TEXT' as const, role: 'Client', required: true, page: 1 };
		const roles = [{ role: 'Client', type: 'SIGNER' as const }];
		const keyless = { mode: 'TEST' as const, name: 'K', status: 'PUBLISHED' as const, roles, fields: [field] };
		const { id } = await workspace.control.createTemplate(keyless);
		const field_values = { null: 'fixed', '': 'fixed', TEXT: 'fixed' };
		const { data } = await send({ recipients: cast.slice(0, 1), field_values, embed: {} }, id);
		const page = (await axios.get<string>(data.embed_links[0]?.url ?? '')).data;
		expect(page.match(/name="field\./g)).toHaveLength(1);
		expect(page).not.toContain('fixed"');
	});

	it('rule 1: roles match case-insensitively; missing, unknown and repeated roles have their codes', async () => {
		const { status, data } = await send({ recipients: cast.map((one) => ({ ...one, role: one.role.toUpperCase() })) });
		expect(status).toBe(200);
		expect(data.recipients.map(({ role }) => role)).toEqual(['Client', 'Company']);
		expect(await refusal({ recipients: cast.slice(0, 1) })).toMatchObject({
			code: 'missing_roles',
			missing_roles: ['Company'],
		});
		const stranger = { role: 'Witness', name: 'W', email: 'w@example.com' };
		expect(await refusal({ recipients: [...cast, stranger] })).toMatchObject({
			code: 'unknown_role',
			known_roles: ['Client', 'Company'],
		});
		const twice = [...cast, { ...stranger, role: 'client' }];
		expect((await refusal({ recipients: twice })).code).toBe('duplicate_role');
	});

	it('rules 2 to 4: unknown keys and empty values change nothing, a value fixes its field', async () => {
		const values = { colour: 'red', client_company: '', term_months: '12' };
		const { data } = await send({ recipients: cast, field_values: values });
		const client = data.recipients[0]?.id ?? '';
		await expect(workspace.control.sign(client, { values: { term_months: '24' } })).rejects.toThrow(
			'values.term_months',
		);
		await workspace.control.sign(client, { values: { client_company: 'Ann Ltd' } });
	});

	it('rule 5: text, textarea, number, phone, checkbox, dropdown, radio, custom date and custom e-mail take values', async () => {
		const types = [
			'TEXT',
			'TEXTAREA',
			'NUMBER',
			'PHONE',
			'CHECKBOX',
			'DROPDOWN',
			'RADIO_GROUP',
			'DATE',
			'EMAIL',
		] as const;
		const { id } = await workspace.control.createTemplate({
			mode: 'TEST',
			name: 'All',
			status: 'PUBLISHED',
			roles: [{ role: 'Client', type: 'SIGNER' }],
			fields: types.map((type) => ({
				field_key: type.toLowerCase(),
				type,
				role: 'Client',
				required: true,
				page: 1,
				dropdownOptions: ['a', 'b'],
				customFieldId: 'custom',
			})),
		});
		const fit = {
			text: 'x',
			textarea: 'x\ny',
			number: '-1.5',
			phone: '+44 20 7946 0000',
			checkbox: 'false',
			dropdown: 'b',
			radio_group: 'a',
			date: '2026-02-28',
			email: 'x@example.com',
		};
		const recipients = cast.slice(0, 1);
		expect((await send({ recipients, field_values: fit }, id)).status).toBe(200);
		const misfit = {
			text: 'x',
			number: 'twelve',
			phone: 'call me',
			checkbox: 'yes',
			dropdown: 'c',
			radio_group: 'A',
			date: '2026-02-30',
			email: 'x',
		};
		const { data } = await send({ recipients, field_values: misfit }, id);
		expect(data.error.code).toBe('invalid_prefill_value');
		expect(data.error.details?.map(({ field }) => field).sort()).toEqual(
			['checkbox', 'date', 'dropdown', 'email', 'number', 'phone', 'radio_group'].map((key) => `field_values.${key}`),
		);
	});

	it('rule 6: signatures, initials, stamps, names, titles, companies and standard dates and e-mails take none', async () => {
		const types = ['SIGNATURE', 'INITIALS', 'STAMP', 'NAME', 'TITLE', 'COMPANY', 'DATE', 'EMAIL'] as const;
		const { id } = await workspace.control.createTemplate({
			mode: 'TEST',
			name: 'None',
			status: 'PUBLISHED',
			roles: [{ role: 'Client', type: 'SIGNER' }],
			fields: types.map((type) => {
				return { field_key: type.toLowerCase(), type, role: 'Client', required: false, page: 1 };
			}),
		});
		const recipients = cast.slice(0, 1);
		const field_values = Object.fromEntries(types.map((type) => [type.toLowerCase(), '2026-01-01']));
		const { status, data } = await send({ recipients, field_values }, id);
		expect([status, data.error.code]).toEqual([400, 'unprefillable_field_type']);
		expect(data.error.details).toHaveLength(types.length);
		for (const type of types) expect(data.error.message).toContain(type.toLowerCase());
		const empty = Object.fromEntries(types.map((type) => [type.toLowerCase(), '']));
		expect((await send({ recipients, field_values: empty }, id)).status).toBe(200);
	});

	it('rule 8: the template must be published and exist in the mode', async () => {
		const { id } = await workspace.control.createTemplate({
			mode: 'TEST',
			name: 'Draft',
			status: 'DRAFT',
			roles: [{ role: 'Client', type: 'SIGNER' }],
			fields: [],
		});
		for (const answer of [await send({ recipients: cast }, id), await workspace.test.get<Wire>(`/templates/${id}`)]) {
			expect([answer.status, answer.data.error.code]).toEqual([409, 'template_not_published']);
		}
		const other = await workspace.template(workspace.live);
		const answer = await send({ recipients: cast }, other.id);
		expect([answer.status, answer.data.error.code]).toEqual([404, 'template_not_found']);
	});

	it('rule 9: embed gives each signer a link, a cc none, and needs an allowed origin', async () => {
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const recipients = [
			{ role: 'Candidate', ...ANN },
			{ role: 'HR', ...BOB },
		];
		const { data } = await send({ recipients, embed: { expires_in: 60 } }, offer.id);
		expect(data.embed_links.map(({ recipient_id }) => recipient_id)).toEqual([data.recipients[0]?.id]);
		expect((await send({ recipients }, offer.id)).data.embed_links).toBeUndefined();
		const draft = await send({ recipients, embed: {}, send: false }, offer.id);
		expect(draft.data.error.details?.[0]?.field).toBe('embed');
		await workspace.control.workspace({ embed_origins: [] });
		const none = await send({ recipients, embed: {} }, offer.id);
		expect([none.status, none.data.error.code]).toEqual([409, 'embedding_not_configured']);
	});

	it('sends by default, makes a draft when told to, and takes the name of the template as title', async () => {
		const sent = (await send({ recipients: cast })).data;
		expect([sent.status, sent.title, sent.mode]).toEqual(['in_progress', 'Mutual NDA', 'TEST']);
		const draft = (await send({ recipients: cast, send: false, title: 'Ours' })).data;
		expect([draft.status, draft.title]).toEqual(['draft', 'Ours']);
		expect((await workspace.test.post<Wire>(`/documents/${draft.id}/send`)).data.status).toBe('in_progress');
	});
});

describe('public links (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();
	let nda: Wire;
	beforeEach(async () => {
		await workspace.control.reset();
		nda = await workspace.template(workspace.test);
	});

	const [client, company] = [() => nda.roles[0]?.id, () => nda.roles[1]?.id];
	const signers = () => [
		{ placeholder_id: client(), is_open: true },
		{ placeholder_id: company(), is_open: false, ...BOB },
	];
	const create = (body: object = {}, id = nda.id) =>
		workspace.test.post<Wire>(`/templates/${id}/links`, { signers: signers(), ...body });
	const code = async (body: object) => (await create(body)).data.error.code;

	it('creates, reads and lists links, newest first', async () => {
		const options = { label: 'Site', headline: 'Hi', message: 'Sign', redirect_url: 'https://example.com/done' };
		const one = (await create({ ...options, max_uses: 3, expires_at: '2030-01-01T00:00:00Z' })).data;
		expect(one).toMatchObject({
			...options,
			max_uses: 3,
			expires_at: '2030-01-01T00:00:00.000Z',
			use_count: 0,
			enabled: true,
		});
		expect(one.url).toBe(`${workspace.origin}/t/${one.slug}`);
		expect(one.signers).toEqual([
			{ placeholder_id: client(), role: 'Client', is_open: true, name: null, email: null },
			{ placeholder_id: company(), role: 'Company', is_open: false, ...BOB },
		]);
		const [open, assigned] = signers();
		const two = (await create({ signers: [{ ...open, ...ANN }, assigned] })).data;
		expect(two.signers[0]).toMatchObject({ is_open: true, name: null, email: null });
		expect((await workspace.test.get<Wire>(`/template-links/${one.id}`)).data).toEqual(one);
		const list = (await workspace.test.get<Wire>(`/templates/${nda.id}/links`)).data;
		expect(list.data.map(({ id }) => id)).toEqual([two.id, one.id]);
	});

	it('refuses signers of whom none is open, or two fill one role', async () => {
		const [open, assigned] = signers();
		expect(await code({ signers: [{ ...open, is_open: false, ...ANN }, assigned] })).toBe(
			'exactly_one_open_role_required',
		);
		expect(await code({ signers: [open, { ...assigned, placeholder_id: client() }] })).toBe('signers_incomplete');
	});

	it('refuses drafts, templates without a signer, and plans without the feature', async () => {
		const body = { mode: 'TEST' as const, name: 'T', fields: [] };
		const draft = await workspace.control.createTemplate({ ...body, status: 'DRAFT', roles: [] });
		const bare = await workspace.control.createTemplate({
			...body,
			status: 'PUBLISHED',
			roles: [{ role: 'C', type: 'CC' }],
		});
		const one = await create({}, draft.id);
		expect([one.status, one.data.error.code]).toEqual([409, 'template_not_published']);
		expect((await create({}, bare.id)).data.error.code).toBe('template_has_no_signer');
		expect((await create({}, 'tpl_x')).data.error.code).toBe('template_not_found');
		await workspace.control.workspace({ entitlements: [] });
		const refused = await create();
		expect([refused.status, refused.data.error.code]).toEqual([
			402,
			'entitlement_required:template_share_links_enabled',
		]);
	});

	it('starts a document for a visitor, counts the use, and stops after max_uses', async () => {
		const { slug, id } = (await create({ max_uses: 1 })).data;
		const { document_id } = await workspace.control.startLink(slug, ANN);
		const document = (await workspace.test.get<Wire>(`/documents/${document_id}`)).data;
		expect(document).toMatchObject({ status: 'in_progress', title: 'Mutual NDA', mode: 'TEST' });
		expect(document.recipients.map(({ name, role }) => [name, role])).toEqual([
			['Ann', 'Client'],
			['Bob', 'Company'],
		]);
		expect((await workspace.test.get<Wire>(`/template-links/${id}`)).data.use_count).toBe(1);
		await expect(workspace.control.startLink(slug, ANN)).rejects.toThrow('link_used_up');
	});

	it('rotates: a new slug, and the old one stops at once', async () => {
		const before = (await create()).data;
		const { data } = await workspace.test.post<Wire>(`/template-links/${before.id}/rotate`);
		expect(data).toMatchObject({ id: before.id, use_count: 0 });
		expect(data.slug).not.toBe(before.slug);
		await expect(workspace.control.startLink(before.slug, ANN)).rejects.toThrow('404');
		await workspace.control.startLink(data.slug, ANN);
	});

	it('deletes for good and leaves documents alone', async () => {
		const { id, slug } = (await create()).data;
		const { document_id } = await workspace.control.startLink(slug, ANN);
		expect((await workspace.test.delete<Wire>(`/template-links/${id}`)).data).toEqual({ id, deleted: true });
		const again = await workspace.test.delete<Wire>(`/template-links/${id}`);
		expect([again.status, again.data.error.code]).toEqual([404, 'template_link_not_found']);
		expect((await workspace.test.get<Wire>(`/documents/${document_id}`)).status).toBe(200);
		await expect(workspace.control.startLink(slug, ANN)).rejects.toThrow('404');
	});
});

describe('embed links (docs/service.md section 4, rule 7)', () => {
	const workspace = Workspace.forTests();

	it('gives a signer a short-lived address while the document is in progress', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, { ...BOB, type: 'cc' }]);
		const embed = (body?: object, recipient = recipients[0]?.id) =>
			workspace.test.post<Wire>(`/documents/${id}/recipients/${recipient}/embed-link`, body);
		const { data } = await embed();
		expect(data.url).toMatch(new RegExp(`^${workspace.origin}/embed/\\w{40}$`));
		expect(Date.parse(data.expires_at) - workspace.now).toBeGreaterThanOrEqual(900_000);
		const short = (await embed({ expires_in: 60, redirect_url: 'https://example.com/' })).data;
		expect(Date.parse(short.expires_at)).toBeLessThan(Date.parse(data.expires_at));
		expect((await embed({}, 'rcp_x')).data.error.code).toBe('recipient_not_found');
		expect((await embed({}, recipients[1]?.id)).data.error.details?.[0]?.field).toBe('recipientId');
		await workspace.control.workspace({ embed_origins: [] });
		expect((await embed()).data.error.code).toBe('embedding_not_configured');
		await workspace.control.workspace({ embed_origins: ['https://app.example.com'] });
		await workspace.test.post(`/documents/${id}/cancel`);
		const ended = await embed();
		expect([ended.status, ended.data.error.code]).toEqual([409, 'document_not_in_progress']);
	});
});
