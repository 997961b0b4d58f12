import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import type { EventType } from '../../client';
import { isLoopback } from '../../service/loopback';
import { EVENT_OPTIONS, isEventType } from '../../service/events';
import { ownUrl } from '../identity';

/** The endpoint that an active trigger needs at the service. */
export type WantedEndpoint = { url: string; events: EventType[] };

/**
 * What the trigger's parameters and n8n's address ask for, checked before any request.
 *
 * @throws NodeOperationError no or an unknown event; a URL that the service refuses (docs/service.md section 4)
 */
export function wantedEndpoint(context: IHookFunctions): WantedEndpoint {
	const refusal = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { description });
	const url = ownUrl(context);
	const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
	// n8n on a laptop has no certificate; whoever listens on this machine can read the traffic anyway.
	if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
		const remedy = 'Give n8n its public https address in the environment variable WEBHOOK_URL, then try again.';
		throw refusal(`The service delivers to https URLs only, and this n8n's is ${url}`, remedy);
	}
	const given = context.getNodeParameter('events', []) as unknown;
	const selected = [...new Set(Array.isArray(given) ? (given as unknown[]) : [])];
	if (selected.length === 0) throw refusal('No event is selected', "Choose at least one event under 'Trigger On'.");
	const events = selected.filter(isEventType);
	if (events.length === selected.length) return { url, events };
	const unknown = selected.filter((event) => !isEventType(event)).join(', ');
	const known = EVENT_OPTIONS.map(({ value }) => value).join(', ');
	throw refusal(`Unknown event in 'Trigger On': ${unknown}`, `The service has these events: ${known}.`);
}
