import { BOB, signersOf, type Wire } from '../workspace';
import { Desk, formAction, controlNames } from './desk';

const desk = Desk.forTests();

async function createLink(options: object = {}) {
	const { data } = await desk.api<Wire>('GET', '/templates');
	const template = await desk.api<Wire>('GET', `/templates/${data[0].id}`);
	return desk.api<Wire>('POST', `/templates/${template.id}/links`, { signers: signersOf(template), ...options });
}

const usesOf = async ({ id }: Wire) => (await desk.api<Wire>('GET', `/template-links/${id}`)).use_count;
const embedded = (url: string) => `/embed${new URL(url).pathname}`;
const VISITOR = { name: 'Eve Visitor', email: 'eve@visitor.example' };

describe('the start page of a public link', () => {
	it('shows headline and message and leads a visitor to their own document', async () => {
		const link = await createLink({ headline: 'Join <us>', message: 'It takes a minute.' });
		const page = await desk.get(link.url);
		expect(page.html).toContain('Join &lt;us&gt;');
		expect(page.html).toContain('It takes a minute.');
		for (const visitor of [VISITOR, { name: 'Second', email: 'second@visitor.example' }]) {
			const started = await desk.post(formAction(page.html, new URL(link.url).pathname), visitor);
			expect(started.status).toBe(303);
			const signing = await desk.get(started.location!);
			expect(signing.html).toContain(visitor.name);
			expect(controlNames(signing.html).length).toBeGreaterThan(0);
		}
		expect(await usesOf(link)).toBe(2);
	});

	it.each([
		['no name', { name: ' ', email: VISITOR.email }],
		['a name of 121 characters', { name: 'x'.repeat(121), email: VISITOR.email }],
		['no address', { name: 'Eve', email: '' }],
		['what is no address', { name: 'Eve', email: 'eve@visitor' }],
		['an address of 191 characters', { name: 'Eve', email: `${'x'.repeat(175)}@visitor.example` }],
	])('asks again after %s, in words for that field, and counts nothing', async (_what, visitor) => {
		const link = await createLink();
		const { status, html } = await desk.post(link.url, visitor);
		expect([status, html.split('class="problem"').length - 1]).toEqual([400, 1]);
		expect(html).not.toContain('role="alert"');
		expect(await usesOf(link)).toBe(0);
	});

	it('takes a name and an address at their limits, and says why an address will not do', async () => {
		const { url } = await createLink();
		const longest = { name: 'x'.repeat(120), email: `${'x'.repeat(174)}@visitor.example` };
		expect((await desk.post(url, longest)).status).toBe(303);
		const taken = await desk.post(url, BOB);
		expect([taken.status, taken.html.includes('role="alert"')]).toEqual([400, true]);
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
	it('may be framed by the allowed origins, like the signing page it leads to', async () => {
		const link = await createLink();
		const page = await desk.get(embedded(link.url));
		const started = await desk.post(formAction(page.html, embedded(link.url)), VISITOR);
		expect([page.status, started.status]).toEqual([200, 303]);
		const signing = await desk.get(started.location!);
		expect(signing.html).toContain(VISITOR.name);
		for (const { headers } of [page, signing]) {
			expect(headers.get('content-security-policy')).toContain('frame-ancestors https://app.example.com');
		}
		expect(await usesOf(link)).toBe(1);
	});

	it('asks again on the same page', async () => {
		const { url } = await createLink();
		const { status, html } = await desk.post(embedded(url), { name: '', email: VISITOR.email });
		expect([status, formAction(html, embedded(url))]).toEqual([400, embedded(url)]);
	});
});

describe('both pages of a link that has ended', () => {
	it.each<[string, number, string, () => Promise<string>]>([
		[
			'was rotated',
			404,
			'This link does not work',
			async () => {
				const { id, url } = await createLink();
				const rotated = await desk.api<Wire>('POST', `/template-links/${id}/rotate`);
				expect((await desk.get(rotated.url)).status).toBe(200);
				return url;
			},
		],
		[
			'was deleted',
			404,
			'This link does not work',
			async () => {
				const { id, url } = await createLink();
				await desk.api('DELETE', `/template-links/${id}`);
				return url;
			},
		],
		[
			'is used up',
			410,
			'This link is used up',
			async () => {
				const { url } = await createLink({ max_uses: 1 });
				expect((await desk.post(url, VISITOR)).status).toBe(303);
				return url;
			},
		],
		[
			'has expired',
			410,
			'This link has expired',
			async () => {
				const { url } = await createLink({ expires_at: new Date(desk.now + 3_600_000).toISOString() });
				expect((await desk.get(url)).status).toBe(200);
				await desk.sandbox.control.advance(3601);
				return url;
			},
		],
	])('say that it %s, and start nothing', async (_what, status, message, ended) => {
		const url = await ended();
		const other = { name: 'Other', email: 'other@visitor.example' };
		for (const address of [url, embedded(url)]) {
			for (const answer of [await desk.get(address), await desk.post(address, other)]) {
				expect([answer.status, answer.html.includes(message)]).toEqual([status, true]);
			}
		}
	});
});
