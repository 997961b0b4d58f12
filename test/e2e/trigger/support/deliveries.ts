import type { Control } from '../../../../sandbox';
import { until } from '../../../../harness/processes/until';
import type { Exchange } from '../../../../harness/recordingProxy';
import type { ServiceClient } from '../../../../harness/serviceClient';

/** One line of an endpoint's delivery log (docs/service.md section 2). */
export interface Delivery {
	event: string;
	event_id: string;
	document_id: string | null;
	attempt: number;
	error: string | null;
	succeeded: boolean;
	payload: { occurred_at: string };
}

/** The id of the event that a recorded delivery carries. */
export function eventIdOf({ body }: Pick<Exchange, 'body'>): string {
	return (JSON.parse(body.toString()) as { id: string }).id;
}

/** What the service has sent, among everything that has reached n8n: its triggers talk to each other there as well. */
export function isDelivery({ headers }: Pick<Exchange, 'headers'>): boolean {
	return headers['x-esign-event'] !== undefined;
}

/** The ids of all events among what has reached n8n, each once. */
export function eventIdsOf(exchanges: readonly Exchange[]): string[] {
	return [...new Set(exchanges.filter(isDelivery).map(eventIdOf))];
}

/** The events of a document that were accepted, among recorded deliveries. */
export function acceptedOf(exchanges: readonly Exchange[], documentId: string): string[] {
	return eventIdsOf(exchanges.filter(({ status, body }) => status === 200 && body.includes(`"${documentId}"`)));
}

/** The last hundred attempts of an endpoint, as the service tells them. */
export async function deliveryLog(service: ServiceClient, endpointId: string): Promise<Delivery[]> {
	return (await service.api<{ data: Delivery[] }>('GET', `/webhooks/${endpointId}/deliveries?limit=100`)).data;
}

/** Makes the same delivery again, straight to an n8n. Resolves with the status and the text of its answer. */
export async function deliverAgain(
	n8nUrl: string,
	{ path, headers, body }: Pick<Exchange, 'path' | 'headers' | 'body'>,
): Promise<{ status: number; text: string }> {
	const sent = Object.entries(headers).filter(([name]) => name.startsWith('x-esign-') || name === 'content-type');
	const response = await fetch(n8nUrl + path, {
		method: 'POST',
		headers: sent as Array<[string, string]>,
		body: new Uint8Array(body),
	});
	return { status: response.status, text: await response.text() };
}

/**
 * Starts an n8n and waits until its trigger has read the delivery log: n8n says that it is up before it has looked after
 * all its triggers.
 */
export async function startAndCheck(control: Control, start: () => Promise<void>): Promise<void> {
	const before = (await control.requests()).length;
	await start();
	await until('the trigger to read the delivery log', async () => {
		const since = (await control.requests()).slice(before);
		return since.some(({ path }) => path.includes('/deliveries')) || undefined;
	});
}
