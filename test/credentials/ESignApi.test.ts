import type { ESignCredential } from '../support/n8nCore/credentials';
import { N8n } from '../support/n8nCore/n8n';
import { ESign } from '../../nodes/ESign/ESign.node';
import { startSandbox, type Sandbox } from '../../sandbox';
import { json, scriptedOfThisFile } from '../client/support/scriptedService';
import { testInDialog } from './credentialDialog';

const TYPE = 'n8n-nodes-esign.eSign';
const NO_SERVICE = 'There is no such service at the Base URL, which must end in /v1';

let sandbox: Sandbox;
let answer: Parameters<typeof scriptedOfThisFile>[0];
const stranger = scriptedOfThisFile((request, response) => answer(request, response));

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
});
beforeEach(() => {
	answer = (_, response) => response.end('ok');
});
afterAll(async () => await sandbox.close());

const KEY = 'sk_test_0123456789';

/** What the node says to the same credential, with the remedy. */
async function toldByNode(credential: ESignCredential): Promise<string> {
	const n8n = new N8n({ [TYPE]: new ESign() }, credential);
	const { error } = await n8n.runNode(TYPE, {
		parameters: { resource: 'account', operation: 'get' },
	});
	return `${error?.message}. ${error?.description}`;
}

describe('What the nodes refuse is refused by the test of the credential, in the same words, before the key leaves:', () => {
	it.each<[Partial<ESignCredential>, RegExp]>([
		[
			{ baseUrl: 'http://0.0.0.0:PORT/v1' },
			/must start with https:\/\/.* Plain http is accepted only for a sandbox/,
		],
		[{ baseUrl: 'http://[::ffff:127.0.0.1]:PORT/v1' }, /must start with https:/],
		[{ baseUrl: 'http://localhost.:PORT/v1' }, /must start with https:/],
		[{ baseUrl: 'http://api.example.com/v1' }, /must start with https:/],
		[{ baseUrl: 'http://127.0.0.1.example.com/v1' }, /must start with https:/],
		[{ baseUrl: 'HTTP://API.EXAMPLE.COM/v1' }, /must start with https:/],
		[{ baseUrl: 'ftp://127.0.0.1:PORT/v1' }, /must start with https:/],
		[{ baseUrl: 'javascript:alert(1)/v1' }, /must start with https:/],
		[{ baseUrl: 'http://127.0.0.1:PORT' }, /must end in \/v1/],
		[{ baseUrl: 'http://127.0.0.1:PORT/v2' }, /must end in \/v1/],
		[{ baseUrl: 'http://127.0.0.1:PORT/v1/account' }, /must end in \/v1/],
		[{ baseUrl: 'http://127.0.0.1:PORT/v1?key=1' }, /must be an address only/],
		[{ baseUrl: 'http://127.0.0.1:PORT/v1#here' }, /must be an address only/],
		[{ baseUrl: 'http://user:pass@127.0.0.1:PORT/v1' }, /must be an address only/],
		[{ baseUrl: '127.0.0.1:PORT/v1' }, /is not a URL|must start with https:/],
		[{ baseUrl: '' }, /is not a URL/],
		[{ baseUrl: ' ' }, /is not a URL/],
		[{ apiKey: '' }, /API key in the eSign credential is empty/],
		[{ apiKey: ' \t' }, /API key in the eSign credential is empty/],
		[{ apiKey: 'sk_test_1\r\nX-Evil: 1' }, /characters that no key has/],
		[{ apiKey: 'sk_test_ключ' }, /characters that no key has/],
		[{ apiKey: 'sk_test_a\nsk_test_b' }, /characters that no key has/],
		[{ apiKey: 'sk_test_\u0000' }, /characters that no key has/],
		[{ apiKey: '„sk_test_a“' }, /characters that no key has/],
	])('%j', async ({ baseUrl = 'http://127.0.0.1:PORT/v1', apiKey = KEY }, words) => {
		const credential = {
			baseUrl: baseUrl.replaceAll('PORT', new URL(stranger.origin).port),
			apiKey,
		};
		const told = await testInDialog(credential);
		expect(told).toMatch(words);
		expect(told).toBe(await toldByNode(credential));
		expect(stranger.seen).toEqual([]);
	});

	it('a credential without any values', async () => {
		await expect(testInDialog({})).resolves.toMatch(/is not a URL/);
	});
});

describe('The test of the credential', () => {
	it('calls a key of the service good, whatever surrounds the two values', async () => {
		for (const [before, after] of [
			['', ''],
			['', '/'],
			[' \n', '// \t'],
		]) {
			const credential = {
				baseUrl: `${before}${sandbox.url}${after}`,
				apiKey: `${before}${sandbox.keys.test}${after?.replace(/\//g, '')}`,
			};
			await expect(testInDialog(credential)).resolves.toBe('OK');
			await expect(toldByNode(credential)).resolves.toBe('undefined. undefined');
		}
	});

	it('says why the service refuses a key', async () => {
		await expect(testInDialog({ baseUrl: sandbox.url, apiKey: KEY })).resolves.toMatch(
			/does not accept the API key/,
		);
		const { key } = await sandbox.control.createKey({ mode: 'TEST', scopes: ['documents:read'] });
		await expect(testInDialog({ baseUrl: sandbox.url, apiKey: key })).resolves.toMatch(
			/lacks the scope account:read/,
		);
		await sandbox.control.workspace({ plan: 'FREE' });
		const free = testInDialog({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
		await expect(free).resolves.toMatch(/plan of this workspace does not include the API/);
		await sandbox.control.reset();
	});

	it.each<[string, typeof answer]>([
		['text', (_, response) => response.end('ok')],
		[
			'a page',
			(_, response) => response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
		],
		['nothing', (_, response) => response.writeHead(204).end()],
		['an empty object', (_, response) => json(response, 200, {})],
		[
			'another object',
			(_, response) => json(response, 200, { organization: 'Example', mode: 'TEST' }),
		],
		[
			'half an account',
			(_, response) => json(response, 200, { organization: { id: 'org_1' }, mode: 'TEST' }),
		],
		['a list', (_, response) => json(response, 200, [{ organization: {} }])],
		['a number', (_, response) => json(response, 200, 7)],
	])('calls an address that answers 200 with %s no service', async (_, reply) => {
		answer = reply;
		await expect(testInDialog({ ...stranger.credential, apiKey: KEY })).resolves.toBe(NO_SERVICE);
	});

	it.each([301, 302, 303, 307, 308])(
		'does not follow a redirect with %d, which would take the key along',
		async (status) => {
			answer = (request, response) => {
				if (request.url.startsWith('/v1/'))
					response.writeHead(status, { location: '/elsewhere' }).end();
				else response.end('ok');
			};
			const credential = { ...stranger.credential, apiKey: KEY };
			const told = await testInDialog(credential);
			expect(told).toBe('The service answered with a redirect, which is not followed');
			expect(stranger.seen).toMatchObject([{ headers: { authorization: `Bearer ${KEY}` } }]);
			await expect(toldByNode(credential)).resolves.toContain(told);
			expect(stranger.seen.map(({ url }) => url)).not.toContain('/elsewhere');
		},
	);
});
