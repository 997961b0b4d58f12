import { Workspace, type Answer, type Caller } from './workspace';

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
/** Uploads have bodies of their own kind, and a GET has none. */
const takesJson = (name: string) => !name.startsWith('GET') && name !== 'POST /files';

/** What keeps a call out before anybody looks at what it asks for (docs/service.md sections 5, 7 and 8). */
describe('every endpoint refuses', () => {
	const workspace = Workspace.forTests();
	beforeEach(() => workspace.control.reset());

	/** Calls every endpoint, or those named, and expects the same refusal of each. */
	async function expectEverywhere(
		call: (request: { method: string; url: string }) => Promise<Answer>,
		expected: [status: number, code: string],
		wanted: (name: string) => boolean = () => true,
	): Promise<void> {
		const operations = workspace.description.operations.filter(({ name }) => wanted(name));
		expect(operations.length).toBeGreaterThan(0);
		for (const { name, method, path } of operations) {
			const answer = await call({ method, url: path.replace('{variant}', 'signed').replace(/\{\w+\}/g, 'x') });
			expect([name, answer.status, answer.data.error.code]).toEqual([name, ...expected]);
		}
	}

	it.each<[string, [number, string], Parameters<Workspace['control']['workspace']>[0], () => Caller]>([
		['calls without a key', [401, 'unauthorized'], {}, () => workspace.caller(null)],
		[
			'callers that the IP allowlist does not name',
			[403, 'ip_not_allowed'],
			{ ip_allowlist: ['203.0.113.0/24', '2001:db8::1'] },
			() => workspace.test,
		],
		['everyone while the workspace is suspended', [403, 'org_suspended'], { suspended: true }, () => workspace.test],
		['plans without API access', [402, 'api_not_enabled'], { plan: 'FREE' }, () => workspace.test],
		['live keys during a trial', [402, 'live_api_requires_paid_plan'], { trialing: true }, () => workspace.live],
	])('%s', async (_what, expected, changes, caller) => {
		await workspace.control.workspace(changes);
		await expectEverywhere((request) => caller().request(request), expected);
	});

	it('calls above the rate limit, with the seconds to wait', async () => {
		const limited = await Workspace.open({ rateLimit: 1 });
		await limited.test.get('/account');
		await expectEverywhere(
			async (request) => {
				const answer = await limited.test.request(request);
				expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
				return answer;
			},
			[429, 'request_failed'],
		);
		await limited.close();
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
