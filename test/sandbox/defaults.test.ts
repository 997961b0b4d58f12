import { ALL_EVENTS, ANN, BOB, CAST, signersOf, Workspace } from './workspace';

const NOW = '2026-02-10T12:00:00.000Z';

describe('what holds when a request does not say', () => {
	const workspace = Workspace.forTests({ clock: { now: () => Date.parse(NOW) } });
	const embedLink = async (id: string, recipientId: string, body?: object) =>
		(await workspace.test.post(`/documents/${id}/recipients/${recipientId}/embed-link`, body)).data;

	it('makes a recipient a signer, on POST and on PUT', async () => {
		const recipients = [ANN, { ...BOB, type: 'cc' }];
		const { id } = await workspace.sendable(workspace.test, recipients);
		await workspace.test.put(`/documents/${id}/recipients`, { recipients });
		await workspace.test.post(`/documents/${id}/send`);
		expect(await workspace.statuses(id)).toEqual(['sent', 'waiting']);
	});

	it.each([
		[undefined, 400],
		[true, 400],
		[false, 303],
	])('makes a field required, unless it says that it is not: %s', async (required, status) => {
		const text = { type: 'TEXT', yNorm: 0.1, ...(required !== undefined && { required }) };
		const { id, recipients } = await workspace.sent(workspace.test, [ANN], { fields: [text] });
		const { url } = await embedLink(id, recipients[0].id);
		const signed = await fetch(`${url}/sign`, {
			method: 'POST',
			body: new URLSearchParams(),
			redirect: 'manual',
		});
		expect(signed.status).toBe(status);
	});

	it.each([
		[{}, '2026-02-10T12:15:00.000Z'],
		[{ expires_in: 60 }, '2026-02-10T12:01:00.000Z'],
		[{ expires_in: 3600 }, '2026-02-10T13:00:00.000Z'],
	])('lets an embed link live for 900 seconds: %j', async (options, end) => {
		const { id, recipients } = await workspace.sent(workspace.test);
		expect((await embedLink(id, recipients[0].id, options)).expires_at).toBe(end);
		const offer = await workspace.template(workspace.test, 'Offer Letter');
		const body = { recipients: CAST, embed: options };
		const { data } = await workspace.test.post(`/templates/${offer.id}/send`, body);
		expect(data.embed_links.map(({ expires_at }) => expires_at)).toEqual([end]);
	});

	it('gives 20 objects on a page, of the 21 that there are', async () => {
		const { test, control } = workspace;
		const hook = (await test.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ALL_EVENTS }))
			.data;
		await workspace.sent(test);
		await control.advance(0);
		const log = `/webhooks/${hook.id}/deliveries`;
		const first = (await test.get(log)).data.data[0];
		const files = [await workspace.fileId(test)];
		for (let count = 1; count < 21; count++) {
			await test.post('/documents', { files, recipients: [ANN] });
			await test.post(`${log}/${first.id}/replay`);
			await workspace.published({ name: `T${count}` });
		}
		await control.advance(0);
		for (const path of ['/documents', '/templates', log]) {
			expect([path, (await test.get(path)).data.data.length]).toEqual([path, 20]);
			expect((await test.get(`${path}?limit=100`)).data.data.length).toBeGreaterThan(20);
		}
	});

	it('gives all links of a template and all endpoints of a mode', async () => {
		const { test } = workspace;
		const nda = await workspace.template(test);
		const links = `/templates/${nda.id}/links`;
		for (let count = 0; count < 101; count++) await test.post(links, { signers: signersOf(nda) });
		expect((await test.get(links)).data.data).toHaveLength(101);
		const hook = { url: 'http://127.0.0.1:9/', events: ALL_EVENTS };
		for (let count = 0; count < 5; count++) await test.post('/webhooks', hook);
		expect((await test.get('/webhooks?limit=1')).data.data).toHaveLength(5);
	});
});
