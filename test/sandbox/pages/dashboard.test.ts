import { ADA, BO, Desk, formAction } from './desk';

const desk = Desk.forTests();

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>\'';

describe('the dashboard', () => {
	it('shows documents of both modes with their people, and a way to act as each', async () => {
		await desk.send([ADA, BO], { title: 'First agreement' });
		await desk.send([BO, { ...ADA, pin: '1234' }], { title: 'Second agreement' });
		const { html, status } = await desk.get('/');
		expect(status).toBe(200);
		for (const text of [
			'First agreement',
			'Second agreement',
			'ada@arden.example',
			'Bo Chen',
			'in progress',
			'PIN',
		]) {
			expect(html).toContain(text);
		}
		expect(html.match(/Open as this recipient/g)).toHaveLength(4);
		expect(html).toContain(desk.sandbox.keys.live);
	});

	it('gives the original at once, the signed PDF and the certificate after completion', async () => {
		const { id, recipients } = await desk.send([ADA, BO]);
		const statuses = async () =>
			Promise.all(
				['original', 'signed', 'certificate', 'other'].map(
					async (variant) => (await desk.get(`/dashboard/documents/${id}/${variant}.pdf`)).status,
				),
			);
		expect(await statuses()).toEqual([200, 404, 404, 404]);
		for (const { id: recipientId } of recipients) await desk.control.sign(recipientId);
		expect(await statuses()).toEqual([200, 200, 200, 404]);
	});

	it('lists the templates of both modes, with what one has to know to send them', async () => {
		const { html } = await desk.get('/');
		const { data } = await desk.api('GET', '/templates');
		for (const { id } of data) expect(html).toContain(id);
		for (const text of ['Mutual NDA', 'HR, cc', 'governing_law', 'Delaware'])
			expect(html).toContain(text);
		expect(html.match(/pages\.pdf/g)).toHaveLength(6);
		const pages = async (id: string) => await desk.get(`/dashboard/templates/${id}/pages.pdf`);
		expect((await pages(data[0].id)).headers.get('content-type')).toBe('application/pdf');
		expect((await pages('tpl_none')).status).toBe(404);
	});

	it('replays a delivery at a click', async () => {
		const hook = { url: 'http://127.0.0.1:9/hook', events: ['document.sent'] };
		const { id } = await desk.api('POST', '/webhooks', hook);
		await desk.send([ADA, BO]);
		await desk.control.advance(60);
		const attempts = async () => (await desk.api('GET', `/webhooks/${id}/deliveries`)).data.length;
		expect(await attempts()).toBe(3);
		const { html } = await desk.get('/');
		expect(html).toContain('document.sent');
		const answer = await desk.post(formAction(html, '/replay'));
		expect([answer.status, answer.location]).toEqual([303, '/?done=replayed']);
		await desk.control.advance(60);
		expect(await attempts()).toBe(6);
	});

	it('lets a document expire, by its own button only', async () => {
		const { id } = await desk.send([ADA, BO]);
		const action = formAction((await desk.get('/')).html, '/expire');
		expect((await desk.post(action, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
		expect((await desk.document(id)).status).toBe('in_progress');
		const { location } = await desk.post(action);
		expect(location).toBe('/?done=expired');
		expect((await desk.get(location)).html).toContain('The document has expired.');
		expect((await desk.document(id)).status).toBe('expired');
		// What cannot be done is no fault.
		expect((await desk.post('/dashboard/documents/doc_none/expire')).status).toBe(404);
		expect(
			(await desk.post('/dashboard/endpoints/whk_none/deliveries/dlv_none/replay')).status,
		).toBe(404);
	});
});

describe('every page', () => {
	it('escapes titles, names and everything else that people enter', async () => {
		const fields = [
			{
				of: 0,
				type: 'DROPDOWN',
				dropdownOptions: [EVIL.slice(0, 80), 'No'],
				helpText: EVIL,
				placeholderText: EVIL,
			},
			{ of: 0, type: 'RADIO_GROUP', dropdownOptions: [EVIL.slice(0, 80), 'No'], yNorm: 0.5 },
			{ of: 1, type: 'TEXT', value: EVIL, fillMode: 'PREFILLED', yNorm: 0.2 },
		];
		await desk.send([{ name: EVIL, email: 'evil@x.example' }, BO], { title: EVIL, fields });
		const pages = [
			await desk.get('/'),
			await desk.get(await desk.signPath('Bo')),
			await desk.get(await desk.signPath('alert')),
		];
		const form = formAction(pages[2]!.html, '/sign');
		pages.push(await desk.post(form, {}));
		for (const { html } of pages) {
			expect(html).toContain('&lt;script&gt;alert(1)');
			expect(html).not.toMatch(/<script>|<img|"onerror/);
		}
	});

	it('runs no script but its own and may not be framed', async () => {
		await desk.send([ADA, BO]);
		const dashboard = (await desk.get('/')).headers.get('content-security-policy')!;
		expect(dashboard).toContain("script-src 'self';");
		expect(dashboard).toContain("frame-ancestors 'none'");
		const signing = (await desk.get(await desk.signPath('Ada'))).headers.get(
			'content-security-policy',
		)!;
		expect(signing).toContain("script-src 'self' 'wasm-unsafe-eval';");
		expect(signing).not.toContain('unsafe-inline');
		const other = (await desk.get('/t/none')).headers.get('content-security-policy')!;
		expect(other).toContain("script-src 'none'");
	});

	it('takes only the files of the viewer from the assets', async () => {
		const viewer = ['page.css', 'viewer.mjs', 'copy.mjs', 'script.ttf', 'pdfjs/build/pdf.min.mjs'];
		const others = [
			'build/..%2f..%2fpackage.json',
			'types/package.json',
			'build/none.mjs',
			'..%2f/package.json',
		];
		for (const path of viewer) expect((await desk.get(`/assets/${path}`)).status).toBe(200);
		for (const path of others) expect((await desk.get(`/assets/pdfjs/${path}`)).status).toBe(404);
	});
});
