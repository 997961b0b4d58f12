import { until } from '../../../support/processes/until';
import type { Exchange } from '../../../support/recordingProxy';
import type { ServiceClient } from '../../../support/serviceClient';
import { deliver } from '../../../trigger/support/deliveries';

/** The id of the event that a recorded delivery carries. */
export function eventIdOf({ body }: Pick<Exchange, 'body'>): string {
	return (JSON.parse(body.toString()) as { id: string }).id;
}

/**
 * What the service has sent, among everything that has reached n8n: its triggers talk to each other
 * there as well.
 */
export function isDelivery({ headers }: Pick<Exchange, 'headers'>): boolean {
	return headers['x-esign-event'] !== undefined;
}

/** The ids of all events among what has reached n8n, each once. */
export function eventIdsOf(exchanges: readonly Exchange[]): string[] {
	return [...new Set(exchanges.filter(isDelivery).map(eventIdOf))];
}

/** The events of a document that were accepted, among recorded deliveries. */
export function acceptedOf(exchanges: readonly Exchange[], documentId: string): string[] {
	return eventIdsOf(
		exchanges.filter(({ status, body }) => status === 200 && body.includes(`"${documentId}"`)),
	);
}

/**
 * Makes the same delivery again, straight to an n8n. Resolves with the status and the text of its
 * answer.
 */
export async function deliverAgain(
	n8nUrl: string,
	{ path, headers, body }: Pick<Exchange, 'path' | 'headers' | 'body'>,
): Promise<{ status: number; text: string }> {
	const sent = Object.entries(headers).filter(
		([name]) => name.startsWith('x-esign-') || name === 'content-type',
	);
	return await deliver(n8nUrl + path, body, Object.fromEntries(sent) as Record<string, string>);
}

/**
 * Does something, such as to start an n8n, and waits until a trigger has read its delivery log,
 * which is the last thing that it does when it looks after its endpoint: n8n says that it is up
 * before it has looked after all its triggers.
 */
export async function untilLook<T>(
	{ control }: Pick<ServiceClient, 'control'>,
	act: () => Promise<T>,
	timeoutMs?: number,
): Promise<T> {
	const looks = async () =>
		(await control.requests()).filter(({ path }) => path.includes('/deliveries')).length;
	const before = await looks();
	const done = await act();
	await until(
		'a trigger to read its delivery log',
		async () => (await looks()) > before || undefined,
		timeoutMs,
	);
	return done;
}
