import { createHmac } from 'node:crypto';

/**
 * The x-esign-signature header (docs/service.md section 6): `t=<unix seconds>,v1=<lowercase hex of
 * HMAC-SHA256 over t, a dot and the raw body>`, keyed with the signing secret's text as UTF-8.
 */
export function signDelivery(secret: string, unixSeconds: number, body: string): string {
	const v1 = createHmac('sha256', secret).update(`${unixSeconds}.${body}`, 'utf8').digest('hex');
	return `t=${unixSeconds},v1=${v1}`;
}
