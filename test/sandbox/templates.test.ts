import axios from 'axios';
import { ANN, BOB, CAST, placesIn, refusal, signersOf, Workspace, type Wire } from './workspace';

describe('templates (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();
	let nda: Wire;
	let offer: Wire;
	beforeEach(async () => {
		nda = await workspace.template(workspace.test);
		offer = await workspace.template(workspace.test, 'Offer Letter');
	});

	const cast = [
		{ role: 'Client', ...ANN },
		{ role: 'Company', ...BOB },
	];
	const client = cast.slice(0, 1);
	const send = (body: object, id = nda.id) => workspace.test.post(`/templates/${id}/send`, body);
	/**
	 * A template whose Client has an optional field of each of these types, with the type as its key.
	 */
	const withFields = <T extends string>(types: readonly T[], about: object = {}) => {
		const fields = types.map((type) => {
			return {
				field_key: type.toLowerCase(),
				type,
				role: 'Client',
				required: false,
				page: 1,
				...about,
			};
		});
		return workspace.published({ fields: fields as never });
	};

	it('lists published templates only and shows roles with order and fields', async () => {
		const { data } = await workspace.test.get('/templates');
		expect(data.data.map(({ name, status }) => [name, status])).toEqual([
			['Mutual NDA', 'PUBLISHED'],
			['Offer Letter', 'PUBLISHED'],
		]);
		expect(nda.roles.map(({ role, type, order }) => [role, type, order])).toEqual([
			['Client', 'SIGNER', 0],
			['Company', 'SIGNER', 1],
		]);
		const ofClient = { role: 'Client', required: true, page: 1 };
		expect(nda.fields).toContainEqual({ ...ofClient, field_key: 'term_months', type: 'NUMBER' });
		expect(nda.fields).toContainEqual({ ...ofClient, field_key: null, type: 'SIGNATURE' });
		const nobodys = {
			field_key: null,
			type: 'TEXT' as const,
			role: null,
			required: false,
			page: 1,
		};
		const id = await workspace.published({ fields: [nobodys] });
		expect((await workspace.test.get(`/templates/${id}`)).data.fields).toEqual([nobodys]);
	});

	it('a field without a key cannot be prefilled', async () => {
		const id = await withFields(['TEXT'], { field_key: null, required: true });
		const field_values = { null: 'fixed', '': 'fixed', TEXT: 'fixed' };
		const { data } = await send({ recipients: client, field_values, embed: {} }, id);
		const page = (await axios.get<string>(data.embed_links[0].url)).data;
		expect(page.match(/name="field\./g)).toHaveLength(1);
		expect(page).not.toContain('fixed"');
	});

	it('rule 1: roles match case-insensitively; missing, unknown and repeated roles have their codes', async () => {
		const loud = await send({
			recipients: cast.map((one) => ({ ...one, role: one.role.toUpperCase() })),
		});
		expect(loud.data.recipients.map(({ role }) => role)).toEqual(['Client', 'Company']);
		const stranger = { role: 'Witness', name: 'W', email: 'w@example.com' };
		for (const [recipients, error] of [
			[client, { code: 'missing_roles', missing_roles: ['Company'] }],
			[[...cast, stranger], { code: 'unknown_role', known_roles: ['Client', 'Company'] }],
			[[...cast, { ...stranger, role: 'client' }], { code: 'duplicate_role' }],
		] as const) {
			expect((await send({ recipients })).data.error).toMatchObject(error);
		}
	});

	it('rules 2 to 4: unknown keys and empty values change nothing, a value fixes its field', async () => {
		const values = { colour: 'red', client_company: '', term_months: '12' };
		const { data } = await send({ recipients: cast, field_values: values });
		const sign = (own: Record<string, string>) =>
			workspace.control.sign(data.recipients[0].id, { values: own });
		await expect(sign({ term_months: '24' })).rejects.toThrow('values.term_months');
		await sign({ client_company: 'Ann Ltd' });
	});

	const PREFILLED = [
		['TEXT', 'x', undefined],
		['TEXTAREA', 'x\ny', undefined],
		['NUMBER', '-1.5', 'twelve'],
		['PHONE', '+44 20 7946 0000', 'call me'],
		['CHECKBOX', 'false', 'yes'],
		['DROPDOWN', 'b', 'c'],
		['RADIO_GROUP', 'a', 'A'],
		['DATE', '2026-02-28', '2026-02-30'],
		['EMAIL', 'x@example.com', 'x'],
	] as const;

	it('rule 5: text, textarea, number, phone, checkbox, dropdown, radio, custom date and custom e-mail take values', async () => {
		const about = { required: true, dropdownOptions: ['a', 'b'], customFieldId: 'custom' };
		const types = PREFILLED.map(([type]) => type);
		const id = await withFields(types, about);
		const sendWith = (column: 1 | 2) => {
			const values = PREFILLED.map((row) => [row[0].toLowerCase(), row[column]]).filter(
				([, value]) => value,
			);
			return send({ recipients: client, field_values: Object.fromEntries(values) as object }, id);
		};
		expect((await sendWith(1)).status).toBe(200);
		const misfit = await sendWith(2);
		expect(misfit.data.error.code).toBe('invalid_prefill_value');
		const refused = PREFILLED.filter(([, , wrong]) => wrong).map(
			([type]) => `field_values.${type.toLowerCase()}`,
		);
		expect(placesIn(misfit)?.sort()).toEqual(refused.sort());
	});

	it('rule 6: signatures, initials, stamps, names, titles, companies and standard dates and e-mails take none', async () => {
		const types = [
			'SIGNATURE',
			'INITIALS',
			'STAMP',
			'NAME',
			'TITLE',
			'COMPANY',
			'DATE',
			'EMAIL',
		] as const;
		const id = await withFields(types);
		const sendAll = (value: string) => {
			const field_values = Object.fromEntries(types.map((type) => [type.toLowerCase(), value]));
			return send({ recipients: client, field_values }, id);
		};
		const refused = await sendAll('2026-01-01');
		expect(refusal(refused)).toBe('400 unprefillable_field_type');
		expect(refused.data.error.details).toHaveLength(types.length);
		for (const type of types) expect(refused.data.error.message).toContain(type.toLowerCase());
		expect((await sendAll('')).status).toBe(200);
	});

	// That it must exist in the mode: authentication.test.ts.
	it('rule 8: the template must be published', async () => {
		const draft = await workspace.published({ status: 'DRAFT' });
		expect(refusal(await send({ recipients: cast }, draft))).toBe('409 template_not_published');
		expect(refusal(await workspace.test.get(`/templates/${draft}`))).toBe(
			'409 template_not_published',
		);
	});

	it('rule 9: embed gives each signer a link, a cc none, and needs an allowed origin', async () => {
		const { data } = await send({ recipients: CAST, embed: { expires_in: 60 } }, offer.id);
		expect(data.embed_links.map(({ recipient_id }) => recipient_id)).toEqual([
			data.recipients[0].id,
		]);
		expect((await send({ recipients: CAST }, offer.id)).data.embed_links).toBeUndefined();
		expect(placesIn(await send({ recipients: CAST, embed: {}, send: false }, offer.id))).toEqual([
			'embed',
		]);
		await workspace.control.workspace({ embed_origins: [] });
		expect(refusal(await send({ recipients: CAST, embed: {} }, offer.id))).toBe(
			'409 embedding_not_configured',
		);
	});

	it('sends by default, makes a draft when told to, and takes the name of the template as title', async () => {
		const sent = (await send({ recipients: cast })).data;
		expect([sent.status, sent.title, sent.mode]).toEqual(['in_progress', 'Mutual NDA', 'TEST']);
		const draft = (await send({ recipients: cast, send: false, title: 'Ours' })).data;
		expect([draft.status, draft.title]).toEqual(['draft', 'Ours']);
		expect((await workspace.test.post(`/documents/${draft.id}/send`)).data.status).toBe(
			'in_progress',
		);
	});

	it('gives a recipient of a draft their role as long as they are named', async () => {
		const { id } = (await send({ recipients: cast, send: false })).data;
		const recipients = [ANN, { name: 'Cy', email: 'cy@example.com' }];
		const { data } = await workspace.test.put(`/documents/${id}/recipients`, { recipients });
		expect(data.recipients.map(({ role }) => role)).toEqual(['Client', null]);
	});
});

describe('public links (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();
	let nda: Wire;
	beforeEach(async () => {
		nda = await workspace.template(workspace.test);
	});

	const create = (body: object = {}, id = nda.id) =>
		workspace.test.post(`/templates/${id}/links`, { signers: signersOf(nda), ...body });
	const start = (slug: string) => workspace.control.startLink(slug, ANN);

	it('creates, reads and lists links, newest first', async () => {
		const options = {
			label: 'Site',
			headline: 'Hi',
			message: 'Sign',
			redirect_url: 'https://example.com/done',
		};
		const one = (await create({ ...options, max_uses: 3, expires_at: '2030-01-01T00:00:00Z' }))
			.data;
		const expires_at = '2030-01-01T00:00:00.000Z';
		expect(one).toMatchObject({ ...options, max_uses: 3, expires_at, use_count: 0, enabled: true });
		expect(one.url).toBe(`${workspace.origin}/t/${one.slug}`);
		const [open, assigned] = signersOf(nda);
		expect(one.signers).toEqual([
			{ ...open, role: 'Client', name: null, email: null },
			{ ...assigned, role: 'Company' },
		]);
		const two = (await create({ signers: [{ ...open, ...ANN }, assigned] })).data;
		expect(two.signers[0]).toMatchObject({ is_open: true, name: null, email: null });
		expect((await workspace.test.get(`/template-links/${one.id}`)).data).toEqual(one);
		const list = (await workspace.test.get(`/templates/${nda.id}/links`)).data;
		expect(list.data.map(({ id }) => id)).toEqual([two.id, one.id]);
	});

	it.each<[string, string, (open: object, other: object) => object[]]>([
		[
			'of whom none is open',
			'exactly_one_open_role_required',
			(open, other) => [{ ...open, is_open: false, ...ANN }, other],
		],
		[
			'of whom two are open',
			'exactly_one_open_role_required',
			(open, other) => [open, { ...other, is_open: true }],
		],
		[
			'of whom two fill one role',
			'signers_incomplete',
			(open) => [open, { ...open, is_open: false, ...ANN }],
		],
		['of whom one is missing', 'signers_incomplete', (open) => [open]],
		[
			'without a name',
			'assigned_signer_incomplete',
			(open, other) => [open, { ...other, name: undefined }],
		],
		[
			'without an address',
			'assigned_signer_incomplete',
			(open, other) => [open, { ...other, email: undefined }],
		],
		[
			'of no role',
			'validation_error',
			(open, other) => [open, { ...other, placeholder_id: 'ph_x' }],
		],
	])('refuses signers %s: %s', async (_what, code, change) => {
		const [open = {}, other = {}] = signersOf(nda);
		expect(refusal(await create({ signers: change(open, other) }))).toBe(`400 ${code}`);
	});

	it('refuses drafts, templates without a signer, and plans without the feature', async () => {
		const draft = await workspace.published({ status: 'DRAFT', roles: [] });
		const bare = await workspace.published({ roles: [{ role: 'C', type: 'CC' }] });
		expect(refusal(await create({}, draft))).toBe('409 template_not_published');
		expect(refusal(await create({}, bare))).toBe('400 template_has_no_signer');
		expect(refusal(await create({}, 'tpl_x'))).toBe('404 template_not_found');
		await workspace.control.workspace({ entitlements: [] });
		expect(refusal(await create())).toBe('402 entitlement_required:template_share_links_enabled');
	});

	it('starts a document for a visitor, counts the use, and stops after max_uses', async () => {
		const { slug, id } = (await create({ max_uses: 1 })).data;
		const document = await workspace.document((await start(slug)).document_id);
		expect(document).toMatchObject({ status: 'in_progress', title: 'Mutual NDA', mode: 'TEST' });
		expect(document.recipients.map(({ name, role }) => `${name}, ${role}`)).toEqual([
			'Ann, Client',
			'Bob, Company',
		]);
		expect((await workspace.test.get(`/template-links/${id}`)).data.use_count).toBe(1);
		await expect(start(slug)).rejects.toThrow('link_used_up');
	});

	it('rotates to a new slug and is deleted for good: the old slug stops at once, and documents are left alone', async () => {
		const before = (await create()).data;
		const { data } = await workspace.test.post(`/template-links/${before.id}/rotate`);
		expect(data).toMatchObject({ id: before.id, use_count: 0 });
		await expect(start(before.slug)).rejects.toThrow('404');
		const { document_id } = await start(data.slug);
		expect((await workspace.test.delete(`/template-links/${data.id}`)).data).toEqual({
			id: data.id,
			deleted: true,
		});
		expect(refusal(await workspace.test.delete(`/template-links/${data.id}`))).toBe(
			'404 template_link_not_found',
		);
		expect((await workspace.document(document_id)).status).toBe('in_progress');
		await expect(start(data.slug)).rejects.toThrow('404');
	});
});

describe('embed links (docs/service.md section 4, rule 7)', () => {
	const workspace = Workspace.forTests();

	// For how long: defaults.test.ts.
	it('gives a signer an address while the document is in progress', async () => {
		const { id, recipients } = await workspace.sent(workspace.test, [ANN, { ...BOB, type: 'cc' }]);
		const embed = (body?: object, recipient = recipients[0].id) =>
			workspace.test.post(`/documents/${id}/recipients/${recipient}/embed-link`, body);
		const { data } = await embed();
		expect(data.url).toMatch(new RegExp(`^${workspace.origin}/embed/\\w{40}$`));
		expect(refusal(await embed({}, 'rcp_x'))).toBe('404 recipient_not_found');
		expect(placesIn(await embed({}, recipients[1].id))).toEqual(['recipientId']);
		await workspace.control.workspace({ embed_origins: [] });
		expect(refusal(await embed())).toBe('409 embedding_not_configured');
		await workspace.control.workspace({ embed_origins: ['https://app.example.com'] });
		await workspace.test.post(`/documents/${id}/cancel`);
		expect(refusal(await embed())).toBe('409 document_not_in_progress');
	});
});
