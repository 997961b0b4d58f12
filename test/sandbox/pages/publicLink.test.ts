import { BOB, signersOf } from '../workspace';
import { Desk, formAction, controlNames } from './desk';

const desk = Desk.forTests();

async function createLink(options: object = {}) {
	const template = await desk.template(desk.test);
	return desk.api('POST', `/templates/${template.id}/links`, {
		signers: signersOf(template),
		...options,
	});
}

const usesOf = async ({ id }: { id: string }) =>
	(await desk.api('GET', `/template-links/${id}`)).use_count;
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
			const signing = await desk.get(started.location);
			expect(signing.html).toContain(visitor.name);
			expect(controlNames(signing.html).length).toBeGreaterThan(0);
		}
		expect(await usesOf(link)).toBe(2);
	});

	it.each([
		['no name', { name: ' ', email: VISITOR.email }],
		['a name of 121 characters', { name: 'x'.repeat(121), email: VISITOR.email }],
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
		const id = await desk.published();
		const [role] = (await desk.api('GET', `/templates/${id}`)).roles;
		const signers = [{ placeholder_id: role.id, is_open: true }];
		const back = 'https://www.example.com/thanks';
		const { url } = await desk.api('POST', `/templates/${id}/links`, {
			signers,
			redirect_url: back,
		});
		const started = await desk.post(url, VISITOR);
		const { status, location } = await desk.sign(started.location);
		expect([status, location]).toEqual([303, back]);
	});
});

describe('the same page at /embed/t, inside of another application', () => {
	it('may be framed by the allowed origins, like the signing page it leads to, and asks again on the same page', async () => {
		const link = await createLink();
		const page = await desk.get(embedded(link.url));
		const action = formAction(page.html, embedded(link.url));
		const again = await desk.post(action, { name: '', email: VISITOR.email });
		expect([again.status, formAction(again.html, embedded(link.url))]).toEqual([400, action]);
		const signing = await desk.get((await desk.post(action, VISITOR)).location);
		expect(signing.html).toContain(VISITOR.name);
		for (const { headers } of [page, signing]) {
			expect(headers.get('content-security-policy')).toContain(
				'frame-ancestors https://app.example.com',
			);
		}
	});
});

describe('both pages of a link that has ended', () => {
	it.each<
		[string, number, string, object, (link: { id: string; url: string }) => Promise<unknown>]
	>([
		[
			'was rotated',
			404,
			'does not work',
			{},
			({ id }) => desk.api('POST', `/template-links/${id}/rotate`),
		],
		[
			'was deleted',
			404,
			'does not work',
			{},
			({ id }) => desk.api('DELETE', `/template-links/${id}`),
		],
		['is used up', 410, 'is used up', { max_uses: 1 }, ({ url }) => desk.post(url, VISITOR)],
		[
			'has expired',
			410,
			'has expired',
			{ expires_at: new Date(desk.now + 3_600_000).toISOString() },
			() => desk.control.advance(3601),
		],
	])('say that it %s, and start nothing', async (_what, status, message, options, end) => {
		const link = await createLink(options);
		expect((await desk.get(link.url)).status).toBe(200);
		await end(link);
		const other = { name: 'Other', email: 'other@visitor.example' };
		for (const address of [link.url, embedded(link.url)]) {
			for (const answer of [await desk.get(address), await desk.post(address, other)]) {
				expect([answer.status, answer.html.includes(`This link ${message}`)]).toEqual([
					status,
					true,
				]);
			}
		}
	});
});
