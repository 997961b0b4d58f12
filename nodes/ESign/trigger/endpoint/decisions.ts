import type { WebhookDelivery, WebhookEndpoint } from '../../client';
import type { KnownEndpoint } from '../entries';
import type { WantedEndpoint } from './wanted';

/** Whether an endpoint delivers the events that are wanted, and no others. */
function hasSameEvents({ events }: WebhookEndpoint, wanted: WantedEndpoint): boolean {
	const selected = new Set<string>(events);
	return selected.size === wanted.events.length && wanted.events.every((event) => selected.has(event));
}

/** Why an endpoint at our URL cannot stay as it is; undefined for one that fits. */
export function reasonToReplace(
	endpoint: WebhookEndpoint,
	held: KnownEndpoint | undefined,
	wanted: WantedEndpoint,
): string | undefined {
	if (!held) return 'its signing secret is lost';
	if (held.retired) return 'it was left behind when the trigger was deactivated';
	if (endpoint.status !== 'ACTIVE') return 'the service had switched it off';
	return hasSameEvents(endpoint, wanted) ? undefined : 'its events are not those of the trigger';
}

/** Endpoints that are known and that the service does not list. One made since it was asked is not yet in the list. */
export function goneFrom(
	listed: ReadonlyArray<{ id: string }>,
	known: readonly KnownEndpoint[],
	askedAt: number,
): KnownEndpoint[] {
	return known.filter(({ id, at }) => at < askedAt && !listed.some((endpoint) => endpoint.id === id));
}

/** Whether nobody receives what an endpoint delivers: its log shows failures, and no success. */
export function isDeaf(log: readonly WebhookDelivery[]): boolean {
	return log.length > 0 && log.every(({ succeeded }) => !succeeded);
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

/** Who holds the places: workflows of this n8n by name, others by host. */
export function takenBy(
	holders: readonly WebhookEndpoint[],
	workflowOf: (endpointId: string) => string | undefined,
): string {
	const names = holders.map(({ id, url }) => {
		const workflow = workflowOf(id);
		if (workflow !== undefined) return `the workflow "${workflow}"`;
		return URL.canParse(url) ? new URL(url).host : url;
	});
	const isOurs = (name: string) => name.startsWith('the workflow ');
	const oursFirst = names.sort((one, other) => Number(isOurs(other)) - Number(isOurs(one)));
	const counted = [...new Set(oursFirst)].map((name) => {
		const times = oursFirst.filter((one) => one === name).length;
		return times > 1 ? `${name} (${times})` : name;
	});
	return `by ${counted.join(', ')}`;
}
