import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ServiceClient } from '../../../harness/serviceClient';
import { likenessKey, type Endpoint } from '../../../nodes/ESign/client';
import type { Call } from '../../../nodes/ESign/client/once/call';
import { reconcilerOf } from '../../../nodes/ESign/client/once/looking/reconcilers';
import { startSandbox, type Sandbox } from '../../../sandbox';

fc.configureGlobal({ seed: 20_261_122 });

const RUNS = 400;

let sandbox: Sandbox;
let direct: ServiceClient;
let file: string;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0 });
	direct = new ServiceClient(sandbox.url, sandbox.keys.test);
	({ id: file } = await direct.upload());
});
afterAll(async () => await sandbox.close());

function isTakenFor(one: string, other: string): boolean {
	const keyOf = (email: string) => likenessKey({ title: 'T', recipients: [{ email }] });
	return keyOf(one) === keyOf(other);
}

/** What the service makes of two recipients with these addresses. */
async function asked(one: string, other: string): Promise<'the same' | 'two' | 'no addresses'> {
	const recipients = [one, other].map((email) => ({ name: 'Ada', email }));
	try {
		await direct.api('POST', '/documents', { files: [file], recipients, title: 'T' });
		return 'two';
	} catch (error) {
		return String(error).includes('duplicate_email') ? 'the same' : 'no addresses';
	}
}

/** Addresses of few characters, so that two of them are often much alike. */
const local = fc.string({ unit: fc.constantFrom(...'aA.+/%?#\u200D'), minLength: 1, maxLength: 3 });
const label = fc.string({ unit: fc.constantFrom(...'aA01xX-'), minLength: 1, maxLength: 3 });
const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
const address = fc
	.tuple(local, fc.oneof(domain, fc.constantFrom('1.2', '1.0.0.2', '0x1.2', '01.0.0.2')))
	.map((parts) => parts.join('@'));

/** The same address, or one that a parser of URLs might take for it. */
const twist = fc.constantFrom<(email: string) => string>(
	(email) => email,
	(email) => email.toUpperCase(),
	(email) => `${email}.`,
	(email) => email.replace(/\.(\d)$/, '.0.0.$1'),
	(email) => email.replace(/\.(\d)$/, '.0x$1'),
	(email) => `${email}/y`,
	(email) => `${email}?y`,
	(email) => `${email}#y`,
	(email) => `${email}:80`,
	(email) => email.replace('a', '%61'),
	(email) => email.replace('@', '@y@'),
	(email) => email.replace('.', '\u3002'),
	(email) => email.replace('a', 'a\u00AD'),
	(email) => email.replace('@', '\u200D@'),
);

it('Addresses are taken for the same exactly where the service does', async () => {
	const pair = fc.oneof(
		fc.tuple(address, address),
		fc.tuple(address, twist).map(([email, change]): [string, string] => [email, change(email)]),
	);
	const seen = { 'the same': 0, two: 0, 'no addresses': 0 };
	await fc.assert(
		fc.asyncProperty(pair, async ([one, other]) => {
			const answer = await asked(one, other);
			seen[answer] += 1;
			if (answer === 'no addresses') return;
			expect({ one, other, alike: isTakenFor(one, other) }).toEqual({ one, other, alike: answer === 'the same' });
		}),
		{ numRuns: RUNS },
	);
	expect(seen['the same']).toBeGreaterThan(10);
	expect(seen.two).toBeGreaterThan(10);
});

it.each([
	['a@x.example', 'a@x.example/y'],
	['a@x.example', 'a@x.example:80'],
	['a@x.example', 'a@x.example#y'],
	['a@1.2', 'a@1.0.0.2'],
	['a@1.2', 'a@\uFF11.2'],
	['a\u200Db@x.example', 'ab@x.example'],
	['a@b@x.example', 'b@x.example'],
])('%s is not taken for %s', (one, other) => {
	expect(isTakenFor(one, other)).toBe(false);
	expect(isTakenFor(other, one)).toBe(false);
});

it.each([
	['Ada@X.example', ' ada@x.example\u00A0'],
	['a@bücher.example', 'A@xn--bcher-kva.example'],
	['a@BÜCHER.example', 'a@bu\u0308cher.example'],
	['zoë@x.example', 'zoe\u0308@x.example'],
])('%s is taken for %s', (one, other) => {
	expect(isTakenFor(one, other)).toBe(true);
});

it.each<[Endpoint, IDataObject, IDataObject]>([
	[
		'POST /templates/{id}/send',
		{ recipients: [{ name: 'Zo\u00eb', email: 'zoe@example.com' }, { email: 'ada@example.com' }] },
		{ recipients: [{ email: 'ADA@example.com' }, { name: 'Zoe\u0308', email: 'zoe@example.com' }] },
	],
	['POST /templates/{id}/links', { label: 'Zo\u00eb', signers: [] }, { label: 'Zoe\u0308', signers: [] }],
	['POST /webhooks', { url: 'https://N8N.example' }, { url: 'https://n8n.example/' }],
])('%s: what is only spelt in another way goes one after the other', (endpoint, one, other) => {
	const nameOf = (body: IDataObject) =>
		reconcilerOf({ endpoint, request: { path: {}, body } } as unknown as Call).alike;
	expect(nameOf(other)).toBe(nameOf(one));
	expect(nameOf({ ...one, recipients: [], label: 'Other', url: 'https://other.example' })).not.toBe(nameOf(one));
});
