import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import type { EventType } from '../../client';
import { isLoopback } from '../../service/loopback';
import { EVENT_OPTIONS, isEventType } from '../../service/events';
import { LENGTH } from '../../service/limits';

/** The endpoint that an active trigger needs at the service. */
export type WantedEndpoint = { url: string; events: EventType[] };

/**
 * What the trigger's parameters and n8n's address ask for, checked before any request.
 *
 * @throws NodeOperationError no or an unknown event; a URL that the service refuses (docs/service.md section 4)
 */
export function wantedEndpoint(context: IHookFunctions): WantedEndpoint {
	const refuse = (message: string, description: string): never => {
		throw new NodeOperationError(context.getNode(), message, { description });
	};
	const url = context.getNodeWebhookUrl('default') ?? '';
	const { protocol, hostname = '' } = URL.canParse(url) ? new URL(url) : { protocol: undefined };
	// n8n on a laptop has no certificate; whoever listens on this machine can read the traffic anyway.
	if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
		const remedy = 'Give n8n its public https address in the environment variable WEBHOOK_URL, then try again.';
		refuse(`The service delivers to https URLs only, and this n8n's is ${url}`, remedy);
	}
	if (url.length > LENGTH.webhookUrl) {
		const remedy = 'Shorten the address in the environment variable WEBHOOK_URL.';
		refuse(`The webhook URL is longer than ${LENGTH.webhookUrl} characters`, remedy);
	}
	const selected = context.getNodeParameter('events', []) as unknown;
	const events = [...new Set(Array.isArray(selected) ? (selected as unknown[]) : [])];
	if (events.length === 0) refuse('No event is selected', "Choose at least one event under 'Trigger On'.");
	const unknown = events.filter((event) => !isEventType(event));
	if (unknown.length > 0) {
		const known = EVENT_OPTIONS.map(({ value }) => value).join(', ');
		refuse(`Unknown event in 'Trigger On': ${unknown.join(', ')}`, `The service has these events: ${known}.`);
	}
	return { url, events: events.filter(isEventType) };
}
