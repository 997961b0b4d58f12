import { createHmac, timingSafeEqual } from 'crypto';

/**
 * Seconds that a delivery's timestamp may lie before or after the receiver's clock (docs/service.md
 * section 6).
 */
const TOLERANCE_SECONDS = 300;

const UNIX_SECONDS = /^\d{1,12}$/;
/** HMAC-SHA256 in lowercase hex, the only form that the service sends. */
const HEX_DIGEST = /^[0-9a-f]{64}$/;

/**
 * Whether a delivery is genuine; when it was signed, in seconds since the epoch, or why not,
 * without a secret or a digest.
 */
export type SignatureVerdict =
	{ genuine: true; signedAt: number } | { genuine: false; reason: string };

const refused = (reason: string): SignatureVerdict => ({ genuine: false, reason });

/**
 * Reads `t=<unix seconds>,v1=<hex>[,v1=<hex>...]`; schemes of a later version are passed over.
 *
 * @returns the timestamp as the sender wrote it, because the signature covers that text
 */
function parseHeader(header: string): { timestamp: string; signatures: string[] } | undefined {
	const elements = header.split(',').map((element) => element.trim());
	const valuesOf = (scheme: string) =>
		elements
			.filter((one) => one.startsWith(`${scheme}=`))
			.map((one) => one.slice(scheme.length + 1).trim());
	const [timestamp = '', ...more] = valuesOf('t');
	const signatures = valuesOf('v1');
	const isComplete = UNIX_SECONDS.test(timestamp) && more.length === 0 && signatures.length > 0;
	return isComplete ? { timestamp, signatures } : undefined;
}

/**
 * The moment, in milliseconds since the epoch, from which bytes signed at that time, in seconds,
 * no longer verify.
 */
export function lastMomentOf(signedAt: number): number {
	return (signedAt + TOLERANCE_SECONDS + 1) * 1_000;
}

/**
 * Verifies a delivery (docs/service.md section 6): HMAC-SHA256, keyed with a secret's text as
 * UTF-8, over the timestamp, a dot and the raw body. Fails closed, and compares in constant time:
 * every candidate with every secret, whatever the earlier ones gave.
 *
 * @param rawBody the bytes as they arrived, before any parsing
 * @param header the value of `x-esign-signature`
 * @param secrets of all endpoints that the trigger may have
 * @param now the receiver's clock, in milliseconds
 */
export function verifySignature(
	rawBody: Buffer,
	header: string | undefined,
	secrets: readonly string[],
	now: number,
): SignatureVerdict {
	const usable = secrets.filter(Boolean);
	if (usable.length === 0) return refused('no signing secret is stored for this webhook');
	if (!header) return refused('the x-esign-signature header is missing');
	const parsed = parseHeader(header);
	if (!parsed) return refused('the x-esign-signature header is malformed');

	const signedAt = Number(parsed.timestamp);
	if (Math.abs(Math.floor(now / 1_000) - signedAt) > TOLERANCE_SECONDS) {
		return refused(
			`the timestamp is more than ${TOLERANCE_SECONDS} seconds away from this server's clock`,
		);
	}

	// Form says nothing about the secret, and only equal lengths can be compared.
	const candidates = parsed.signatures
		.filter((value) => HEX_DIGEST.test(value))
		.map((hex) => Buffer.from(hex, 'hex'));
	let matches = 0;
	for (const secret of usable) {
		const expected = createHmac('sha256', secret)
			.update(`${parsed.timestamp}.`)
			.update(rawBody)
			.digest();
		for (const candidate of candidates) matches += Number(timingSafeEqual(candidate, expected));
	}
	return matches > 0 ? { genuine: true, signedAt } : refused('no signature matches the body');
}
