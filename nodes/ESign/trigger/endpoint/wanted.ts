import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import type { EventType } from '../../client';
import { isLoopback } from '../../service/loopback';
import { EVENT_OPTIONS, isEventType } from '../../service/events';
import { LENGTH } from '../../service/limits';

/** The endpoint that an active trigger needs at the service. */
export type WantedEndpoint = { url: string; events: EventType[] };

function wantedEvents(context: IHookFunctions): EventType[] {
	const selected = context.getNodeParameter('events', []) as unknown;
	const events = [...new Set(Array.isArray(selected) ? (selected as unknown[]) : [])];
	if (events.length === 0) {
		throw new NodeOperationError(context.getNode(), 'No event is selected', {
			description: "Choose at least one event under 'Trigger On'.",
		});
	}
	const unknown = events.filter((event) => !isEventType(event));
	if (unknown.length > 0) {
		throw new NodeOperationError(context.getNode(), `Unknown event in 'Trigger On': ${unknown.join(', ')}`, {
			description: `The service has these events: ${EVENT_OPTIONS.map(({ value }) => value).join(', ')}.`,
		});
	}
	return events.filter(isEventType);
}

function wantedUrl(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	const isSecure = parsed?.protocol === 'https:';
	// n8n on a laptop has no certificate; whoever listens on this machine can read the traffic anyway.
	const isLocal = parsed?.protocol === 'http:' && isLoopback(parsed.hostname);
	if (!isSecure && !isLocal) {
		throw new NodeOperationError(
			context.getNode(),
			`The service delivers to https URLs only, and this n8n's is ${url}`,
			{
				description: 'Give n8n its public https address in the environment variable WEBHOOK_URL, then try again.',
			},
		);
	}
	if (url.length > LENGTH.webhookUrl) {
		throw new NodeOperationError(context.getNode(), `The webhook URL is longer than ${LENGTH.webhookUrl} characters`, {
			description: 'Shorten the address in the environment variable WEBHOOK_URL.',
		});
	}
	return url;
}

/**
 * What the trigger's parameters and n8n's address ask for, checked before any request.
 *
 * @throws NodeOperationError no or an unknown event; a URL that the service refuses (docs/service.md section 4)
 */
export function wantedEndpoint(context: IHookFunctions): WantedEndpoint {
	return { url: wantedUrl(context), events: wantedEvents(context) };
}
