import { Desk, formAction, controlNames } from './desk';

interface Template {
	id: string;
	roles: Array<{ id: string; type: string }>;
}

let desk: Desk;
beforeAll(async () => {
	desk = await Desk.open();
});
beforeEach(() => desk.reset());
afterAll(() => desk.close());

async function createLink(options: object = {}) {
	const { data } = await desk.api<{ data: Array<{ id: string }> }>('GET', '/templates');
	const template = await desk.api<Template>('GET', `/templates/${data[0]!.id}`);
	const signers = template.roles
		.filter(({ type }) => type === 'SIGNER')
		.map(({ id }, index) =>
			index === 0
				? { placeholder_id: id, is_open: true }
				: { placeholder_id: id, is_open: false, name: 'Bo Chen', email: 'bo@pumps.example' },
		);
	return desk.api<{ id: string; url: string }>('POST', `/templates/${template.id}/links`, { signers, ...options });
}

const VISITOR = { name: 'Eve Visitor', email: 'eve@visitor.example' };

describe('the start page of a public link', () => {
	it('shows headline and message and leads a visitor to their own document', async () => {
		const { url, id } = await createLink({ headline: 'Join <us>', message: 'It takes a minute.' });
		const page = await desk.get(url);
		expect(page.html).toContain('Join &lt;us&gt;');
		expect(page.html).toContain('It takes a minute.');
		for (const visitor of [VISITOR, { name: 'Second', email: 'second@visitor.example' }]) {
			const started = await desk.post(formAction(page.html, new URL(url).pathname), visitor);
			expect(started.status).toBe(303);
			const signing = await desk.get(started.location!);
			expect(signing.html).toContain(visitor.name);
			expect(controlNames(signing.html).length).toBeGreaterThan(0);
		}
		expect((await desk.api<{ use_count: number }>('GET', `/template-links/${id}`)).use_count).toBe(2);
	});

	it.each([
		['no name', { name: ' ', email: VISITOR.email }],
		['a name of 121 characters', { name: 'x'.repeat(121), email: VISITOR.email }],
		['no address', { name: 'Eve', email: '' }],
		['what is no address', { name: 'Eve', email: 'eve@visitor' }],
		['an address of 191 characters', { name: 'Eve', email: `${'x'.repeat(175)}@visitor.example` }],
	])('asks again after %s, in words for that field, and counts nothing', async (_what, visitor) => {
		const { url, id } = await createLink();
		const { status, html } = await desk.post(url, visitor);
		expect([status, html.split('class="problem"').length - 1]).toEqual([400, 1]);
		expect(html).not.toContain('role="alert"');
		expect((await desk.api<{ use_count: number }>('GET', `/template-links/${id}`)).use_count).toBe(0);
	});

	it('takes a name and an address at their limits, and says why an address will not do', async () => {
		const { url } = await createLink();
		const longest = { name: 'x'.repeat(120), email: `${'x'.repeat(174)}@visitor.example` };
		expect((await desk.post(url, longest)).status).toBe(303);
		const taken = await desk.post(url, { name: 'Bo', email: 'bo@pumps.example' });
		expect([taken.status, taken.html.includes('role="alert"')]).toEqual([400, true]);
	});

	it('says so when the link is used up', async () => {
		const { url } = await createLink({ max_uses: 1 });
		expect((await desk.post(url, VISITOR)).status).toBe(303);
		for (const answer of [await desk.get(url), await desk.post(url, { ...VISITOR, email: 'other@visitor.example' })]) {
			expect([answer.status, answer.html.includes('This link is used up')]).toEqual([410, true]);
		}
	});

	it('says so when the link has expired', async () => {
		const { url } = await createLink({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
		expect((await desk.get(url)).status).toBe(200);
		await desk.sandbox.control.advance(3601);
		for (const answer of [await desk.get(url), await desk.post(url, VISITOR)]) {
			expect([answer.status, answer.html.includes('This link has expired')]).toEqual([410, true]);
		}
	});

	it('does not know an old address once the link was rotated or deleted', async () => {
		const first = await createLink();
		const rotated = await desk.api<{ id: string; url: string }>('POST', `/template-links/${first.id}/rotate`);
		expect((await desk.get(first.url)).status).toBe(404);
		expect((await desk.get(rotated.url)).status).toBe(200);
		await desk.api('DELETE', `/template-links/${first.id}`);
		for (const answer of [await desk.get(rotated.url), await desk.post(rotated.url, VISITOR)]) {
			expect([answer.status, answer.html.includes('This link does not work')]).toEqual([404, true]);
		}
	});

	it('brings a visitor who has signed to the redirect_url of the link', async () => {
		const { url } = await createLink({ redirect_url: 'https://www.example.com/thanks' });
		const started = await desk.post(url, VISITOR);
		const page = await desk.get(started.location!);
		const action = formAction(page.html, '/sign');
		const plausible: Record<string, string> = {};
		for (const name of controlNames(page.html)) {
			const type = new RegExp(`type="(\\w+)"[^>]*name="${name.replace('.', '\\.')}"`).exec(page.html)?.[1];
			plausible[name] = type === 'date' ? '2026-12-01' : type === 'email' ? VISITOR.email : '12';
			const option = new RegExp(`<select[^>]*name="${name.replace('.', '\\.')}"[\\s\\S]*?<option value="([^"]+)"`).exec(
				page.html,
			);
			if (option) plausible[name] = option[1]!;
		}
		const answer = await desk.post(action, plausible);
		expect([answer.status, answer.location]).toEqual([303, 'https://www.example.com/thanks']);
	});
});

describe('the same page at /embed/t, inside of another application', () => {
	const embedded = (url: string) => `/embed${new URL(url).pathname}`;

	it('may be framed by the allowed origins, like the signing page it leads to', async () => {
		const { url, id } = await createLink();
		const page = await desk.get(embedded(url));
		expect(page.status).toBe(200);
		const started = await desk.post(formAction(page.html, embedded(url)), VISITOR);
		expect(started.status).toBe(303);
		const signing = await desk.get(started.location!);
		expect(signing.html).toContain(VISITOR.name);
		for (const { headers } of [page, signing]) {
			expect(headers.get('content-security-policy')).toContain('frame-ancestors https://app.example.com');
		}
		expect((await desk.api<{ use_count: number }>('GET', `/template-links/${id}`)).use_count).toBe(1);
	});

	it('asks again on the same page', async () => {
		const { url } = await createLink();
		const { status, html } = await desk.post(embedded(url), { name: '', email: VISITOR.email });
		expect([status, formAction(html, embedded(url))]).toEqual([400, embedded(url)]);
	});

	it('stops at once when the link is rotated, used up, expired or deleted', async () => {
		const first = await createLink();
		const rotated = await desk.api<{ url: string }>('POST', `/template-links/${first.id}/rotate`);
		const usedUp = await createLink({ max_uses: 1 });
		expect((await desk.post(embedded(usedUp.url), VISITOR)).status).toBe(303);
		const brief = await createLink({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
		const deleted = await createLink();
		await desk.api('DELETE', `/template-links/${deleted.id}`);
		await desk.sandbox.control.advance(3601);
		for (const [url, status] of [
			[first.url, 404],
			[rotated.url, 200],
			[usedUp.url, 410],
			[brief.url, 410],
			[deleted.url, 404],
		] as const) {
			expect([url, (await desk.get(embedded(url))).status]).toEqual([url, status]);
			const other = { name: 'Other', email: 'other@visitor.example' };
			expect((await desk.post(embedded(url), other)).status).toBe(status === 200 ? 303 : status);
		}
	});
});
