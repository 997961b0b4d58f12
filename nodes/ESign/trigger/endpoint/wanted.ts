import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import type { EventType, WebhookEndpoint } from '../../client';
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

/** Whether an endpoint delivers the events that are wanted, and no others. */
export function hasSameEvents({ events }: Pick<WebhookEndpoint, 'events'>, wanted: WantedEndpoint): boolean {
	const selected = new Set<string>(events);
	return selected.size === wanted.events.length && wanted.events.every((event) => selected.has(event));
}

/**
 * Whether a URL belongs to a test listener of the n8n that `ownUrl` belongs to: same origin, same sub-path, and
 * `/webhook-test/` where production URLs have `/webhook/`.
 */
export function isTestUrlOfSameN8n(url: string, ownUrl: string): boolean {
	if (!URL.canParse(url) || !URL.canParse(ownUrl)) return false;
	const own = new URL(ownUrl).href;
	const [base] = own.split(/\/webhook(?:-test)?\//, 1);
	return base !== undefined && base !== own && new URL(url).href.startsWith(`${base}/webhook-test/`);
}
