import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { SEED, sized } from '../../../harness/nightly';
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

const genuine = (header: string | undefined, options: { body?: Buffer; secret?: string; now?: number } = {}) => {
	const { body = BODY, now = NOW } = options;
	const secret = 'secret' in options ? options.secret : SECRET;
	return verifySignature(body, header, secret === undefined ? [] : [secret], now).genuine;
};

const reason = (header: string | undefined, secret: string | undefined = SECRET, now = NOW) => {
	const verdict = verifySignature(BODY, header, [secret], now);
	return verdict.genuine ? undefined : verdict.reason;
};

describe('A delivery is genuine', () => {
	it('when v1 is what openssl computes over the timestamp, a dot and the raw body', () => {
		expect(genuine(`t=${T},v1=${OPENSSL}`)).toBe(true);
	});

	it('when one of several v1 values matches, wherever it stands', () => {
		const wrong = 'a'.repeat(64);
		for (const values of [
			[OPENSSL, wrong, wrong],
			[wrong, OPENSSL, wrong],
			[wrong, wrong, OPENSSL],
			[wrong, 'short', OPENSSL],
		]) {
			expect(genuine(`t=${T},${values.map((value) => `v1=${value}`).join(',')}`)).toBe(true);
		}
	});

	it('whatever the order of the elements, the spaces between them, and schemes of a later version', () => {
		expect(genuine(`v1=${OPENSSL},t=${T}`)).toBe(true);
		expect(genuine(`t=${T}, v1=${OPENSSL}`)).toBe(true);
		expect(genuine(`t=${T},v2=else,v1=${OPENSSL}`)).toBe(true);
	});

	it('when the secret is not ASCII: its text as UTF-8 is the key', () => {
		const secret = 'gehéim-鍵';
		expect(genuine(`t=${T},v1=${digest(BODY, T, secret)}`, { secret })).toBe(true);
		expect(genuine(`t=${T},v1=${digest(BODY, T, Buffer.from(secret, 'latin1').toString())}`, { secret })).toBe(false);
	});

	it('when the body is empty or not text', () => {
		for (const body of [Buffer.alloc(0), Buffer.from([0, 255, 254, 10, 13])]) {
			expect(genuine(`t=${T},v1=${digest(body)}`, { body })).toBe(true);
		}
	});

	it.each([-300, -299, 0, 299, 300])('when its timestamp is %d seconds away', (offset) => {
		expect(genuine(`t=${T + offset},v1=${digest(BODY, T + offset)}`)).toBe(true);
	});

	it('until the last millisecond of the 300th second', () => {
		expect(genuine(`t=${T},v1=${OPENSSL}`, { now: NOW + 300_999 })).toBe(true);
		expect(genuine(`t=${T},v1=${OPENSSL}`, { now: NOW + 301_000 })).toBe(false);
	});
});

describe('A delivery is refused', () => {
	it.each([-301, 301, -100_000, 100_000])(
		'when its timestamp is %d seconds away, however well it is signed',
		(offset) => {
			expect(reason(`t=${T + offset},v1=${digest(BODY, T + offset)}`)).toMatch(/timestamp is more than 300 seconds/);
		},
	);

	it.each([undefined, ''])('without a stored secret (%p), even when signed with an empty one', (secret) => {
		expect(
			verifySignature(BODY, `t=${T},v1=${digest(BODY, T, '')}`, secret === undefined ? [] : [secret], NOW),
		).toEqual({
			genuine: false,
			reason: 'no signing secret is stored for this webhook',
		});
	});

	it('with a secret of none of the endpoints, and genuine with that of any of them', () => {
		const signed = `t=${T},v1=${digest(BODY)}`;
		expect(verifySignature(BODY, signed, ['whsec_a', SECRET, 'whsec_b'], NOW)).toEqual({ genuine: true, signedAt: T });
		expect(verifySignature(BODY, signed, ['whsec_a', '', 'whsec_b'], NOW)).toMatchObject({ genuine: false });
	});

	it.each([undefined, ''])('without a header (%p)', (header) => {
		expect(reason(header)).toMatch(/header is missing/);
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
		['a timestamp in hex', `t=0x${T.toString(16)},v1=${OPENSSL}`],
		['an exponent', `t=1e9,v1=${OPENSSL}`],
		['an empty timestamp', `t=,v1=${OPENSSL}`],
		['two timestamps', `t=${T},t=${T},v1=${OPENSSL}`],
		['thousands of signatures', `t=${T}${`,v1=${'a'.repeat(64)}`.repeat(5_000)},v1=${OPENSSL}`],
		['another format altogether', 'sha256=abc'],
	])('when the header has %s', (_what, header) => {
		expect(reason(header)).toMatch(/malformed/);
	});

	it.each([
		['uppercase hex', OPENSSL.toUpperCase()],
		['a digest cut short', OPENSSL.slice(0, 62)],
		['a digest with more behind it', `${OPENSSL}00`],
		['base64', Buffer.from(OPENSSL, 'hex').toString('base64').replace(/=/g, '')],
		['no value', ''],
		['the digest of the body without the timestamp', createHmac('sha256', SECRET).update(BODY).digest('hex')],
		['the digest under another secret', digest(BODY, T, `${SECRET}x`)],
		['the digest for another second', digest(BODY, T + 1)],
	])('when v1 is %s', (_what, value) => {
		expect(reason(`t=${T},v1=${value}`)).toMatch(/no signature matches/);
	});

	it('when the timestamp is written otherwise than it was signed', () => {
		expect(genuine(`t=0${T},v1=${OPENSSL}`)).toBe(false);
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
					const v1 = what === 'digest' ? flip(Buffer.from(OPENSSL, 'hex')).toString('hex') : OPENSSL;
					return !genuine(`t=${T},v1=${v1}`, { body, secret });
				},
			),
			{ seed: SEED, numRuns: sized(500, 10_000) },
		);
	});

	it('whatever text stands in the header', () => {
		fc.assert(
			fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (header) => !genuine(header)),
			{ seed: SEED, numRuns: sized(500, 10_000) },
		);
	});

	it('with a reason that holds neither the secret nor a digest', () => {
		for (const header of [`t=${T},v1=${'b'.repeat(64)}`, `t=1,v1=${OPENSSL}`, 'x', undefined]) {
			expect(reason(header)).not.toMatch(/whsec|[0-9a-f]{32}/);
		}
	});
});
