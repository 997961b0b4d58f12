import { SCOPES } from '../../sandbox/state/vocabulary';
import type { Operation } from './support/servedDescription';
import { ANN, refusal, signersOf, Workspace, type Answer, type Caller } from './workspace';

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
/** Uploads have bodies of their own kind, and a GET has none. */
const takesJson = (name: string) => !name.startsWith('GET') && name !== 'POST /files';

const NOT_FOUND: Record<string, string> = {
	'/documents': 'document_not_found',
	'/templates': 'template_not_found',
	'/template-links': 'template_link_not_found',
	'/webhooks': 'webhook_endpoint_not_found',
};

describe('authentication and authorisation (docs/service.md section 5)', () => {
	const workspace = Workspace.forTests();

	it('lets keys in by their prefix and mode, and refuses a missing, malformed, unknown, revoked or expired one', async () => {
		const { control } = workspace;
		for (const mode of ['live', 'test'] as const) {
			expect(workspace.sandbox.keys[mode]).toMatch(new RegExp(`^sk_${mode}_`));
			expect((await workspace[mode].get('/account')).data.mode).toBe(mode.toUpperCase());
		}
		for (const authorization of [
			'',
			'sk_test_x',
			'Basic abc',
			'Bearer',
			'Bearer sk_test_unknown',
		]) {
			const headers = { ...(authorization && { authorization }) };
			expect(refusal(await workspace.caller(null).get('/account', { headers }))).toBe(
				'401 unauthorized',
			);
		}
		const statusOf = async (key: string) => (await workspace.caller(key).get('/account')).status;
		const { key } = await control.createKey({ mode: 'TEST' });
		expect(await statusOf(key)).toBe(200);
		await control.revokeKey(key);
		expect(await statusOf(key)).toBe(401);
		const soon = await control.createKey({
			mode: 'TEST',
			expires_at: new Date(workspace.now + 60_000).toISOString(),
		});
		expect(await statusOf(soon.key)).toBe(200);
		await control.advance(61);
		expect(await statusOf(soon.key)).toBe(401);
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
				const { status, data } = await workspace
					.caller(key)
					.request({ method, url: path.replace(/\{\w+\}/g, 'x') });
				await workspace.control.revokeKey(key);
				return status === 403 ? data.error.code : 'let in';
			};
			const scope = scopeOf(operation);
			const seen = [
				await call(SCOPES.filter((one) => one !== scope)),
				await call(scope ? [scope] : []),
			];
			expect([operation.name, ...seen]).toEqual([
				operation.name,
				scope ? 'insufficient_scope' : 'let in',
				'let in',
			]);
		}
	});

	it('names the plan that API access takes, holds ten keys, and lets in whom the allowlist names and who is on trial', async () => {
		const { control } = workspace;
		await control.workspace({ plan: 'FREE' });
		expect((await workspace.test.get('/account')).data.error.requiredPlan).toBe('BUSINESS');
		await control.workspace({ plan: 'BUSINESS', ip_allowlist: ['127.0.0.0/8'], trialing: true });
		expect((await workspace.test.get('/account')).data.plan).toEqual({
			code: 'BUSINESS',
			trialing: true,
		});
		await expect(control.createKey({ mode: 'LIVE' })).rejects.toThrow(
			'live_api_requires_paid_plan',
		);
		for (let count = 2; count < 10; count++) await control.createKey({ mode: 'TEST' });
		await expect(control.createKey({ mode: 'TEST' })).rejects.toThrow('api_key_limit_reached');
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
			const answer = await workspace.live.request({
				method,
				url,
				data: bodies[`${method} ${path}`],
			});
			expect([path, answer.status, answer.data.error.code]).toEqual([path, 404, NOT_FOUND[start]]);
		}
		expect((await workspace.live.get('/documents')).data.data).toEqual([]);
		expect((await workspace.live.get('/webhooks')).data.data).toEqual([]);
		const file = await workspace.fileId(workspace.test);
		const foreign = await workspace.live.post('/documents', { files: [file], recipients: [ANN] });
		expect(foreign.data.error).toMatchObject({ code: 'unknown_file', file_ids: [file] });
	});
});

/**
 * What keeps a call out before anybody looks at what it asks for (docs/service.md sections 5, 7 and
 * 8).
 */
describe('every endpoint refuses', () => {
	const workspace = Workspace.forTests();

	const limited = Workspace.forTests({ rateLimit: 1 });

	/** Calls every endpoint, or those named, and expects the same refusal of each. */
	async function expectEverywhere(
		call: (request: { method: string; url: string }) => Promise<Answer>,
		expected: [status: number, code: string],
		wanted: (name: string) => boolean = () => true,
	): Promise<void> {
		const operations = workspace.description.operations.filter(({ name }) => wanted(name));
		expect(operations.length).toBeGreaterThan(0);
		for (const { name, method, path } of operations) {
			const answer = await call({
				method,
				url: path.replace('{variant}', 'signed').replace(/\{\w+\}/g, 'x'),
			});
			expect([name, answer.status, answer.data.error.code]).toEqual([name, ...expected]);
			if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
		}
	}

	it.each<
		[string, [number, string], Parameters<Workspace['control']['workspace']>[0], () => Caller]
	>([
		['calls without a key', [401, 'unauthorized'], {}, () => workspace.caller(null)],
		[
			'callers that the IP allowlist does not name',
			[403, 'ip_not_allowed'],
			{ ip_allowlist: ['203.0.113.0/24', '2001:db8::1'] },
			() => workspace.test,
		],
		[
			'everyone while the workspace is suspended',
			[403, 'org_suspended'],
			{ suspended: true },
			() => workspace.test,
		],
		['plans without API access', [402, 'api_not_enabled'], { plan: 'FREE' }, () => workspace.test],
		[
			'live keys during a trial',
			[402, 'live_api_requires_paid_plan'],
			{ trialing: true },
			() => workspace.live,
		],
		[
			'calls above the rate limit, with the seconds to wait',
			[429, 'request_failed'],
			{},
			() => limited.test,
		],
	])('%s', async (_what, expected, changes, caller) => {
		await limited.test.get('/account');
		await workspace.control.workspace(changes);
		await expectEverywhere((request) => caller().request(request), expected);
	});

	it.each<[string, [number, string], Buffer]>([
		['bodies above 16 MiB', [413, 'request_too_large'], Buffer.alloc(16 * 1024 * 1024 + 1, ' ')],
		['malformed JSON', [400, 'validation_error'], Buffer.from('{"a":')],
	])('%s where a body may come, uploads apart', async (_what, expected, data) => {
		await expectEverywhere(
			(request) => workspace.test.request({ ...request, ...JSON_TYPE, data }),
			expected,
			takesJson,
		);
	});
});
