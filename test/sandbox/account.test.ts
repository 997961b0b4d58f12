import { ANN, CAST, signersOf, Workspace } from './workspace';

describe('account, usage and billing (docs/service.md sections 2 and 8)', () => {
	const clock = { now: () => Date.parse('2026-02-10T12:00:00.000Z') };
	const workspace = Workspace.forTests({ clock });
	const usage = async () => (await workspace.live.get('/account')).data.usage;
	const send = async (api = workspace.live) => {
		const template = await workspace.template(api, 'Offer Letter');
		const { status } = await api.post(`/templates/${template.id}/send`, { recipients: CAST });
		expect(status).toBe(200);
	};

	it('reports the workspace, its plan and the calendar month', async () => {
		const { data } = await workspace.live.get('/account');
		expect(data.organization.name).toBe('Sandbox Workspace');
		expect(data.plan).toEqual({ code: 'BUSINESS', trialing: false });
		expect(data.usage).toEqual({
			documents_used: 0,
			documents_included: 40,
			documents_billable: 0,
			overage_amount_cents: 0,
			period_start: '2026-02-01T00:00:00.000Z',
			period_end: '2026-03-01T00:00:00.000Z',
		});
		await workspace.control.workspace({ plan: 'ULTIMATE' });
		expect((await usage()).documents_included).toBe(200);
	});

	it('counts live API sends only: no drafts, no test sends, no public links', async () => {
		await workspace.sendable(workspace.live);
		await workspace.sent(workspace.test);
		expect((await usage()).documents_used).toBe(0);
		await workspace.sent(workspace.live);
		await send();
		expect((await usage()).documents_used).toBe(2);
		const template = await workspace.template(workspace.live, 'Offer Letter');
		const signers = signersOf(template);
		const { data } = await workspace.live.post(`/templates/${template.id}/links`, { signers });
		await workspace.control.startLink(data.slug, ANN);
		expect((await usage()).documents_used).toBe(2);
	});

	it('bills 40 cents for each document beyond the included ones, which still go out', async () => {
		for (let count = 0; count < 42; count++) await send();
		expect(await usage()).toMatchObject({
			documents_used: 42,
			documents_billable: 2,
			overage_amount_cents: 80,
		});
	});

	it('starts again with the next month', async () => {
		await send();
		await workspace.control.advance(19 * 86_400);
		expect(await usage()).toMatchObject({
			documents_used: 0,
			period_start: '2026-03-01T00:00:00.000Z',
		});
	});
});

describe('lists (docs/service.md section 4)', () => {
	const workspace = Workspace.forTests();

	it('pages with a cursor, newest first, right while documents are being added', async () => {
		const add = async () => (await workspace.draft(workspace.test)).id;
		const ids = [await add(), await add(), await add()].reverse();
		const first = (await workspace.test.get('/documents?limit=2')).data;
		expect([first.data.length, first.has_more]).toEqual([2, true]);
		await add();
		const rest = (await workspace.test.get('/documents', { params: { cursor: first.next_cursor } }))
			.data;
		expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
		expect([rest.has_more, rest.next_cursor]).toEqual([false, null]);
		// A page that is exactly full promises no other.
		expect((await workspace.test.get('/templates?limit=2')).data).toMatchObject({
			has_more: false,
			next_cursor: null,
		});
	});

	it('refuses a cursor of another list or mode', async () => {
		const cursor = (await workspace.test.get('/templates?limit=1')).data.next_cursor;
		expect((await workspace.test.get('/templates', { params: { cursor } })).status).toBe(200);
		expect((await workspace.test.get('/documents', { params: { cursor } })).status).toBe(400);
		expect((await workspace.live.get('/templates', { params: { cursor } })).status).toBe(400);
	});
});

describe('rate limit (docs/service.md section 8)', () => {
	let now = Date.parse('2026-02-10T12:00:00.000Z');
	const workspace = Workspace.forTests({ rateLimit: 10, clock: { now: () => now } });

	it('lets 10 requests a minute through per key, counts down, and answers 429 with retry-after', async () => {
		for (let left = 9; left >= 0; left--) {
			const { status, headers } = await workspace.test.get(left % 2 ? '/account' : '/nowhere');
			expect(status).not.toBe(429);
			expect(headers['x-ratelimit-limit']).toBe('10');
			expect(headers['x-ratelimit-remaining']).toBe(String(left));
			expect(headers['x-ratelimit-reset']).toBe(String(60 - (9 - left)));
			now += 1_000;
		}
		const over = await workspace.test.get('/account');
		expect([over.status, over.data.error.code, over.headers['retry-after']]).toEqual([
			429,
			'request_failed',
			'50',
		]);
		expect(over.headers['x-ratelimit-remaining']).toBe('0');
		expect(over.headers.date).toBe('Tue, 10 Feb 2026 12:00:10 GMT');
		expect((await workspace.live.get('/account')).status).toBe(200);
		expect(
			(await workspace.caller('sk_test_x').get('/account')).headers['x-ratelimit-limit'],
		).toBeUndefined();
		await workspace.control.advance(49);
		expect((await workspace.test.get('/account')).status).toBe(429);
		await workspace.control.advance(1);
		expect((await workspace.test.get('/account')).headers['x-ratelimit-remaining']).toBe('9');
	});
});
