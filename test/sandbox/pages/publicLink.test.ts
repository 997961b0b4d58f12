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

	it('asks again for a name or an address that is missing or wrong', async () => {
		const { url, id } = await createLink();
		for (const visitor of [
			{ name: '', email: 'eve@visitor.example' },
			{ name: 'Eve', email: 'no address' },
		]) {
			const { status, html } = await desk.post(url, visitor);
			expect([status, html.includes('class="problem"')]).toEqual([400, true]);
		}
		expect((await desk.api<{ use_count: number }>('GET', `/template-links/${id}`)).use_count).toBe(0);
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

	it('may be framed at /embed/t by the allowed origins', async () => {
		const { url } = await createLink();
		const { status, headers } = await desk.get(`/embed${new URL(url).pathname}`);
		expect(status).toBe(200);
		expect(headers.get('content-security-policy')).toContain('frame-ancestors https://app.example.com');
	});
});
