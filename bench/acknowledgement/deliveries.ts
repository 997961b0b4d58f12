import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Where events go, and how they are signed. */
export interface Receiver {
	url: string;
	/** The headers that this receiver checks; their cost is not measured. */
	sign: (body: string) => Record<string, string>;
}

/** As the service signs (docs/service.md section 6). */
export function signedByService(secret: string): Receiver['sign'] {
	return (body) => {
		const timestamp = Math.floor(Date.now() / 1000);
		const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
		return { 'x-esign-signature': `t=${timestamp},v1=${digest}` };
	};
}

/** As GitHub signs. */
export function signedByGithub(secret: () => string): Receiver['sign'] {
	return (body) => ({
		'x-github-event': 'push',
		'x-hub-signature-256': `sha256=${createHmac('sha256', secret()).update(body).digest('hex')}`,
	});
}

export interface Delivery {
	/** A 2xx: to the service anything else is a failed attempt. */
	acknowledged: boolean;
	/** Until the answer was there. */
	ms: number;
}

/**
 * Delivers events at a steady rate for a while, whether or not earlier ones were answered, as the
 * service does.
 */
export async function deliverSteadily(
	receiver: Receiver,
	perSecond: number,
	seconds: number,
): Promise<Delivery[]> {
	const agent = new Agent({ keepAlive: true });
	const started = performance.now();
	const answers: Array<Promise<Delivery>> = [];
	for (let index = 0; index < perSecond * seconds; index++) {
		await pause(Math.max(0, started + (index * 1000) / perSecond - performance.now()));
		answers.push(deliver(receiver, agent));
	}
	const deliveries = await Promise.all(answers);
	agent.destroy();
	return deliveries;
}

async function deliver({ url, sign }: Receiver, agent: Agent): Promise<Delivery> {
	const payload = event();
	const body = JSON.stringify(payload);
	const headers = {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
		'user-agent': 'eSign-Webhooks/1',
		...sign(body),
		'x-esign-event': payload.event,
		'x-esign-event-id': payload.id,
	};
	const started = performance.now();
	// A connection that is reset is a delivery that failed, as it is for the service, and not the end
	// of the measurement.
	const status = await new Promise<number>((resolve) => {
		const call = request(url, { method: 'POST', headers, agent }, (response) => {
			response.resume().on('end', () => resolve(response.statusCode ?? 0));
		});
		call.on('error', () => resolve(0)).end(body);
	});
	return { acknowledged: status >= 200 && status < 300, ms: performance.now() - started };
}

/** One more person has signed: the payload of docs/service.md section 6. */
function event() {
	const id = randomUUID().replaceAll('-', '');
	return {
		id: `evt_${id}`,
		event: 'recipient.signed',
		mode: 'LIVE',
		occurred_at: new Date().toISOString(),
		document: {
			id: `doc_${id}`,
			status: 'in_progress',
			title: 'Contract',
			signed_pdf: null,
			certificate: null,
		},
		recipient: {
			id: `rcp_${id}`,
			name: 'Ada Lovelace',
			email: 'ada@example.com',
			status: 'signed',
		},
	};
}
