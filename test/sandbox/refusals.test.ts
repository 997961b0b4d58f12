import { Workspace, type Answer } from './workspace';

const TOO_LARGE = Buffer.alloc(16 * 1024 * 1024 + 1, ' ');
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

/** What keeps a call out before anybody looks at what it asks for (docs/service.md sections 5, 7 and 8). */
describe('every endpoint refuses', () => {
	const workspace = Workspace.forTests();
	beforeEach(() => workspace.control.reset());

	/** Calls every endpoint, or those named, and expects the same refusal of each. */
	async function expectEverywhere(
		call: (request: { method: string; url: string; name: string }) => Promise<Answer>,
		[status, code]: [status: number, code: string],
		wanted: (name: string) => boolean = () => true,
	): Promise<void> {
		const operations = workspace.description.operations.filter(({ name }) => wanted(name));
		expect(operations.length).toBeGreaterThan(0);
		for (const { name, method, path } of operations) {
			const answer = await call({ method, name, url: path.replace('{variant}', 'signed').replace(/\{\w+\}/g, 'x') });
			const { error } = answer.data;
			expect([name, answer.status, error.code]).toEqual([name, status, code]);
		}
	}

	it('calls without a key', async () => {
		await expectEverywhere((request) => workspace.caller(null).request(request), [401, 'unauthorized']);
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

	it('callers that the IP allowlist does not name', async () => {
		await workspace.control.workspace({ ip_allowlist: ['203.0.113.1'] });
		await expectEverywhere((request) => workspace.test.request(request), [403, 'ip_not_allowed']);
	});

	it('everyone while the workspace is suspended', async () => {
		await workspace.control.workspace({ suspended: true });
		await expectEverywhere((request) => workspace.test.request(request), [403, 'org_suspended']);
	});

	it('plans without API access', async () => {
		await workspace.control.workspace({ plan: 'FREE' });
		await expectEverywhere((request) => workspace.test.request(request), [402, 'api_not_enabled']);
	});

	it('live keys during a trial', async () => {
		await workspace.control.workspace({ trialing: true });
		await expectEverywhere((request) => workspace.live.request(request), [402, 'live_api_requires_paid_plan']);
	});

	it('bodies above 16 MiB where a body may come, uploads apart', async () => {
		await expectEverywhere(
			(request) => workspace.test.request({ ...request, ...JSON_TYPE, data: TOO_LARGE }),
			[413, 'request_too_large'],
			(name) => !name.startsWith('GET') && name !== 'POST /files',
		);
	});

	it('malformed JSON where a body may come, uploads apart', async () => {
		await expectEverywhere(
			(request) => workspace.test.request({ ...request, ...JSON_TYPE, data: Buffer.from('{"a":') }),
			[400, 'validation_error'],
			(name) => !name.startsWith('GET') && name !== 'POST /files',
		);
	});
});
