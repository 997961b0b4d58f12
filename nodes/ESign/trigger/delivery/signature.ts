import { createHmac, timingSafeEqual } from 'crypto';

/** Seconds that a delivery's timestamp may lie before or after the receiver's clock (docs/service.md section 6). */
const TOLERANCE_SECONDS = 300;
/** Room for a timestamp and more signatures than a change of secrets ever needs; beyond it nothing is even parsed. */
const LONGEST_HEADER = 2_048;

const UNIX_SECONDS = /^\d{1,12}$/;
/** HMAC-SHA256 in lowercase hex, the only form that the service sends. */
const HEX_DIGEST = /^[0-9a-f]{64}$/;

/** Whether a delivery is genuine; when it was signed, in seconds since the epoch, or why not, without a secret or a digest. */
export type SignatureVerdict = { genuine: true; signedAt: number } | { genuine: false; reason: string };

const refused = (reason: string): SignatureVerdict => ({ genuine: false, reason });

/**
 * Reads `t=<unix seconds>,v1=<hex>[,v1=<hex>...]`; schemes of a later version are passed over.
 *
 * @returns the timestamp as the sender wrote it, because the signature covers that text
 */
function parseHeader(header: string): { timestamp: string; signatures: string[] } | undefined {
	if (header.length > LONGEST_HEADER) return undefined;
	const timestamps: string[] = [];
	const signatures: string[] = [];
	const schemes = new Map(Object.entries({ t: timestamps, v1: signatures }));
	for (const element of header.split(',')) {
		const separator = element.indexOf('=');
		if (separator < 1) return undefined;
		schemes.get(element.slice(0, separator).trim())?.push(element.slice(separator + 1).trim());
	}
	const [timestamp = '', ...more] = timestamps;
	const isComplete = UNIX_SECONDS.test(timestamp) && more.length === 0 && signatures.length > 0;
	return isComplete ? { timestamp, signatures } : undefined;
}

/** HMAC-SHA256, keyed with the secret's text as UTF-8, over the timestamp, a dot and the raw body. */
function digestOf(rawBody: Buffer, timestamp: string, secret: string): Buffer {
	return createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${timestamp}.`).update(rawBody).digest();
}

/** The moment, in milliseconds since the epoch, from which bytes signed at that time, in seconds, verify no more. */
export function lastMomentOf(signedAt: number): number {
	return (signedAt + TOLERANCE_SECONDS + 1) * 1_000;
}

/**
 * Verifies a delivery (docs/service.md section 6). Fails closed, and compares in constant time: every candidate with every
 * secret, whatever the earlier ones gave.
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
	const usable = secrets.filter((secret) => secret !== '');
	if (usable.length === 0) return refused('no signing secret is stored for this webhook');
	if (!header) return refused('the x-esign-signature header is missing');
	const parsed = parseHeader(header);
	if (!parsed) return refused('the x-esign-signature header is malformed');

	const signedAt = Number(parsed.timestamp);
	if (Math.abs(Math.floor(now / 1_000) - signedAt) > TOLERANCE_SECONDS) {
		return refused(`the timestamp is more than ${TOLERANCE_SECONDS} seconds away from this server's clock`);
	}

	// Form says nothing about the secret, and only equal lengths can be compared.
	const candidates = parsed.signatures.filter((value) => HEX_DIGEST.test(value)).map((hex) => Buffer.from(hex, 'hex'));
	let matches = 0;
	for (const secret of usable) {
		const expected = digestOf(rawBody, parsed.timestamp, secret);
		for (const candidate of candidates) matches += Number(timingSafeEqual(candidate, expected));
	}
	return matches > 0 ? { genuine: true, signedAt } : refused('no signature matches the body');
}
