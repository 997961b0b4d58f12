import { createHmac } from 'node:crypto';
import type { EventType, WebhookPayload } from '../../../nodes/ESign/client';

let sequence = 0;

/** A payload of docs/service.md section 6. */
export function payloadOf(event: EventType, given: Partial<WebhookPayload> = {}): WebhookPayload {
	const n = ++sequence;
	const recipient = {
		id: `rcp_${n}`,
		name: 'Zoë Müller',
		email: 'zoe@example.com',
		status: 'signed' as const,
	};
	const hasRecipient = ['recipient.viewed', 'recipient.signed', 'document.declined'].includes(
		event,
	);
	const document = {
		id: `doc_${n}`,
		status: 'in_progress' as const,
		title: 'Zażółć "NDA"',
		signed_pdf: null,
		certificate: null,
	};
	// What no node reads.
	const rest = { mode: 'TEST', ...(hasRecipient && { recipient }) };
	const occurred_at = '2026-01-02T03:04:05.678Z';
	return { id: `evt_${n}`, event, occurred_at, document, ...rest, ...given };
}

export interface SignedBy {
	secret: string;
	/** Unix seconds; now unless given. */
	timestamp?: number | string;
}

/** The signature header of a body, computed by hand from docs/service.md section 6. */
export function signatureOf(
	body: string | Buffer,
	{ secret, timestamp = Math.floor(Date.now() / 1_000) }: SignedBy,
): string {
	const v1 = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
	return `t=${timestamp},v1=${v1}`;
}

/** Sends a body as the service would, or with other headers. */
export async function deliver(
	url: string,
	body: string | Buffer,
	headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
	const response = await fetch(url, {
		method: 'POST',
		body: new Uint8Array(Buffer.from(body)),
		headers: { 'content-type': 'application/json', 'user-agent': 'eSign-Webhooks/1', ...headers },
	});
	return { status: response.status, text: await response.text() };
}
