import { SCOPES } from '../../sandbox/state/vocabulary';
import type { Operation } from './support/servedDescription';
import { ANN, refusal, signersOf, Workspace } from './workspace';

const NOT_FOUND: Record<string, string> = {
	'/documents': 'document_not_found',
	'/templates': 'template_not_found',
	'/template-links': 'template_link_not_found',
	'/webhooks': 'webhook_endpoint_not_found',
};

describe('authentication and authorisation (docs/service.md section 5)', () => {
	const workspace = Workspace.forTests();
	beforeEach(() => workspace.control.reset());

	it('refuses a missing, malformed, unknown, revoked or expired key with 401', async () => {
		const { control } = workspace;
		for (const authorization of ['', 'sk_test_x', 'Basic abc', 'Bearer', 'Bearer sk_test_unknown']) {
			const headers = { ...(authorization && { authorization }) };
			expect(refusal(await workspace.caller(null).get('/account', { headers }))).toBe('401 unauthorized');
		}
		const statusOf = async (key: string) => (await workspace.caller(key).get('/account')).status;
		const { key } = await control.createKey({ mode: 'TEST' });
		expect(await statusOf(key)).toBe(200);
		await control.revokeKey(key);
		expect(await statusOf(key)).toBe(401);
		const soon = await control.createKey({ mode: 'TEST', expires_at: new Date(workspace.now + 60_000).toISOString() });
		expect(await statusOf(soon.key)).toBe(200);
		await control.advance(61);
		expect(await statusOf(soon.key)).toBe(401);
	});

	it('gives keys the prefix of their mode and reports the mode', async () => {
		const { live, test } = workspace.sandbox.keys;
		expect(live).toMatch(/^sk_live_/);
		expect(test).toMatch(/^sk_test_/);
		expect((await workspace.live.get('/account')).data.mode).toBe('LIVE');
		expect((await workspace.test.get('/account')).data.mode).toBe('TEST');
	});

	it('holds at most 10 keys', async () => {
		for (let count = 2; count < 10; count++) await workspace.control.createKey({ mode: 'TEST' });
		await expect(workspace.control.createKey({ mode: 'TEST' })).rejects.toThrow('api_key_limit_reached');
	});

	/** The scope that an endpoint needs; those of webhooks take any valid key. */
	function scopeOf({ method, path }: Operation): (typeof SCOPES)[number] | undefined {
		if (path.startsWith('/webhooks')) return undefined;
		if (path === '/account') return 'account:read';
		const kind = path.startsWith('/template') ? 'templates' : 'documents';
		return `${kind}:${method === 'GET' ? 'read' : 'write'}`;
	}

	it('asks each endpoint for its scope and for nothing else', async () => {
		for (const operation of workspace.description.operations) {
			const call = async (scopes: Array<(typeof SCOPES)[number]>) => {
				const { key } = await workspace.control.createKey({ mode: 'TEST', scopes });
				const { method, path } = operation;
				const { status, data } = await workspace.caller(key).request({ method, url: path.replace(/\{\w+\}/g, 'x') });
				await workspace.control.revokeKey(key);
				return status === 403 ? data.error.code : 'let in';
			};
			const scope = scopeOf(operation);
			const seen = [await call(SCOPES.filter((one) => one !== scope)), await call(scope ? [scope] : [])];
			expect([operation.name, ...seen]).toEqual([operation.name, scope ? 'insufficient_scope' : 'let in', 'let in']);
		}
	});

	// refusals.test.ts: each of these is refused, at every endpoint.
	it('names the plan that API access takes, lets test keys in during a trial, and callers that the allowlist names', async () => {
		const { control } = workspace;
		await control.workspace({ plan: 'FREE' });
		expect((await workspace.test.get('/account')).data.error.requiredPlan).toBe('BUSINESS');
		await control.workspace({ plan: 'ULTIMATE', ip_allowlist: ['127.0.0.0/8'] });
		expect((await workspace.test.get('/account')).status).toBe(200);
		await control.workspace({ plan: 'BUSINESS', trialing: true });
		expect((await workspace.test.get('/account')).data.plan).toEqual({ code: 'BUSINESS', trialing: true });
		await expect(control.createKey({ mode: 'LIVE' })).rejects.toThrow('live_api_requires_paid_plan');
	});

	it('keeps the modes apart: objects of one are 404 to keys of the other, at every endpoint', async () => {
		const document = await workspace.sent(workspace.test, [ANN]);
		const template = await workspace.template(workspace.test);
		const hook = { url: 'http://127.0.0.1:9/x', events: ['document.sent'] };
		const { data: endpoint } = await workspace.test.post('/webhooks', hook);
		const { data: link } = await workspace.test.post(`/templates/${template.id}/links`, {
			signers: signersOf(template),
		});
		const ids: Record<string, string> = {
			'/documents': document.id,
			'/templates': template.id,
			'/template-links': link.id,
			'/webhooks': endpoint.id,
		};
		const bodies: Record<string, object> = {
			'PUT /documents/{id}/recipients': { recipients: [ANN] },
			'PUT /documents/{id}/fields': { fields: [] },
			'POST /templates/{id}/send': { recipients: [{ role: 'Client', ...ANN }] },
			'POST /templates/{id}/links': { signers: [{ placeholder_id: 'x', is_open: true }] },
		};
		const withId = workspace.description.operations.filter(({ path }) => path.includes('{'));
		expect(withId).toHaveLength(18);
		for (const { method, path } of withId) {
			const [start = ''] = path.split('/{');
			const url = path
				.replace(/\{(id|linkId)\}/, ids[start] ?? '')
				.replace('{recipientId}', document.recipients[0].id)
				.replace('{variant}', 'original')
				.replace('{deliveryId}', 'dlv_x');
			const answer = await workspace.live.request({ method, url, data: bodies[`${method} ${path}`] });
			expect([path, answer.status, answer.data.error.code]).toEqual([path, 404, NOT_FOUND[start]]);
		}
		expect((await workspace.live.get('/documents')).data.data).toEqual([]);
		expect((await workspace.live.get('/webhooks')).data.data).toEqual([]);
		const file = await workspace.fileId(workspace.test);
		const foreign = await workspace.live.post('/documents', { files: [file], recipients: [ANN] });
		expect(foreign.data.error).toMatchObject({ code: 'unknown_file', file_ids: [file] });
	});
});
