import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { SEED, sized } from '../../support/nightly';
import { verifySignature } from '../../../nodes/ESign/trigger/delivery/signature';

const SECRET = 'whsec_9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const T = 1_767_323_045;
const NOW = T * 1_000;
const BODY = Buffer.from(
	'{"id":"evt_2Qk1","event":"document.completed","mode":"TEST","occurred_at":"2026-01-02T03:04:05.678Z","document":{"id":"doc_7","status":"completed","title":"Zażółć gęślą","signed_pdf":null,"certificate":null}}',
);
/** printf '%s' "1767323045.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -hex */
const OPENSSL = '4da8b26debf2f95f0639c0c08ea54b20477b340fb7fad8bc209b54cdb10f3b3b';

const digest = (body: Buffer, timestamp: string | number = T, secret = SECRET) =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** Why a delivery is refused; undefined for a genuine one. */
function refusal(
	header: string | undefined,
	{ body = BODY, secrets = [SECRET], now = NOW } = {},
): string | undefined {
	const verdict = verifySignature(body, header, secrets, now);
	return verdict.genuine ? undefined : verdict.reason;
}

const WRONG = 'a'.repeat(64);

describe('A delivery is genuine', () => {
	it('when v1 is what openssl computes over the timestamp, a dot and the raw body', () => {
		expect(verifySignature(BODY, `t=${T},v1=${OPENSSL}`, [SECRET], NOW)).toEqual({
			genuine: true,
			signedAt: T,
		});
	});

	it.each([
		`t=${T},v1=${OPENSSL},v1=${WRONG},v1=${WRONG}`,
		`t=${T},v1=${WRONG},v1=short,v1=${OPENSSL}`,
		`v1=${OPENSSL},t=${T}`,
		`t=${T}, v1=${OPENSSL}`,
		`t=${T},v2=else,v1=${OPENSSL}`,
	])(
		'whatever the order, the spaces, other signatures and schemes of a later version: %s',
		(header) => {
			expect(refusal(header)).toBeUndefined();
		},
	);

	it('when the secret is not ASCII: its text as UTF-8 is the key', () => {
		const secrets = ['gehéim-鍵'];
		const [secret = ''] = secrets;
		expect(refusal(`t=${T},v1=${digest(BODY, T, secret)}`, { secrets })).toBeUndefined();
		const latin1 = Buffer.from(secret, 'latin1').toString();
		expect(refusal(`t=${T},v1=${digest(BODY, T, latin1)}`, { secrets })).toBeDefined();
	});

	it('when the body is empty or not text', () => {
		for (const body of [Buffer.alloc(0), Buffer.from([0, 255, 254, 10, 13])]) {
			expect(refusal(`t=${T},v1=${digest(body)}`, { body })).toBeUndefined();
		}
	});

	it.each([
		[-301, 0, false],
		[-300, 0, true],
		[-300, 999, true],
		[300, 0, true],
		[301, 0, false],
		[100_000, 0, false],
	])(
		'for 300 seconds, to the last millisecond: %d s and %d ms away',
		(seconds, milliseconds, isGenuine) => {
			const signed = `t=${T + seconds},v1=${digest(BODY, T + seconds)}`;
			const reason = refusal(signed, { now: NOW + milliseconds });
			expect(reason).toEqual(
				isGenuine ? undefined : expect.stringMatching(/timestamp is more than 300 seconds/),
			);
		},
	);

	it('with the secret of any of the endpoints, and with no other', () => {
		const signed = `t=${T},v1=${digest(BODY)}`;
		expect(refusal(signed, { secrets: ['whsec_a', SECRET, 'whsec_b'] })).toBeUndefined();
		expect(refusal(signed, { secrets: ['whsec_a', '', 'whsec_b'] })).toMatch(
			/no signature matches/,
		);
	});
});

describe('A delivery is refused', () => {
	it.each([[[]], [['']]])(
		'without a stored secret (%j), even when signed with an empty one',
		(secrets) => {
			const reason = refusal(`t=${T},v1=${digest(BODY, T, '')}`, { secrets });
			expect(reason).toBe('no signing secret is stored for this webhook');
		},
	);

	it.each([undefined, ''])('without a header (%p)', (header) => {
		expect(refusal(header)).toMatch(/header is missing/);
	});

	it.each([
		['no timestamp', `v1=${OPENSSL}`],
		['no v1', `t=${T}`],
		['only another scheme', `t=${T},v0=${OPENSSL}`],
		['an element without a name', `t=${T},=${OPENSSL}`],
		['an element without a value sign', `t=${T},v1`],
		['a timestamp that is not a number', `t=now,v1=${OPENSSL}`],
		['a fraction of a second', `t=${T}.5,v1=${OPENSSL}`],
		['a negative timestamp', `t=-${T},v1=${OPENSSL}`],
		['an empty timestamp', `t=,v1=${OPENSSL}`],
		['two timestamps', `t=${T},t=${T},v1=${OPENSSL}`],
		['another format altogether', 'sha256=abc'],
	])('when the header has %s', (_what, header) => {
		expect(refusal(header)).toMatch(/malformed/);
	});

	it.each<[string, string, string?]>([
		['uppercase hex', OPENSSL.toUpperCase()],
		['a digest cut short', OPENSSL.slice(0, 62)],
		['a digest with more behind it', `${OPENSSL}00`],
		['base64', Buffer.from(OPENSSL, 'hex').toString('base64').replace(/=/g, '')],
		['no value', ''],
		[
			'the digest of the body without the timestamp',
			createHmac('sha256', SECRET).update(BODY).digest('hex'),
		],
		['the digest under another secret', digest(BODY, T, `${SECRET}x`)],
		['the digest for another second', digest(BODY, T + 1)],
		['of a timestamp that is written in another way', OPENSSL, `0${T}`],
	])('when v1 is %s', (_what, value, timestamp = `${T}`) => {
		expect(refusal(`t=${timestamp},v1=${value}`)).toMatch(/no signature matches/);
	});

	it('when any bit of the body, the digest or the secret differs', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('body', 'digest', 'secret'),
				fc.nat(),
				fc.integer({ min: 0, max: 7 }),
				(what, at, bit) => {
					const flip = (bytes: Buffer) => {
						const copy = Buffer.from(bytes);
						const index = at % copy.length;
						copy[index] = (copy[index] ?? 0) ^ (1 << bit);
						return copy;
					};
					const body = what === 'body' ? flip(BODY) : BODY;
					const secret = what === 'secret' ? flip(Buffer.from(SECRET)).toString('latin1') : SECRET;
					const v1 =
						what === 'digest' ? flip(Buffer.from(OPENSSL, 'hex')).toString('hex') : OPENSSL;
					return refusal(`t=${T},v1=${v1}`, { body, secrets: [secret] }) !== undefined;
				},
			),
			{ seed: SEED, numRuns: sized(500, 10_000) },
		);
	});

	it('whatever text stands in the header', () => {
		fc.assert(
			fc.property(
				fc.string({ maxLength: 300, unit: 'binary' }),
				(header) => refusal(header) !== undefined,
			),
			{ seed: SEED, numRuns: sized(500, 10_000) },
		);
	});

	it('with a reason that holds neither the secret nor a digest', () => {
		for (const header of [`t=${T},v1=${'b'.repeat(64)}`, `t=1,v1=${OPENSSL}`, 'x', undefined]) {
			expect(refusal(header)).not.toMatch(/whsec|[0-9a-f]{32}/);
		}
	});
});
