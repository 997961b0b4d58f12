import type { WebhookEndpoint } from '../../client';
import type { KnownEndpoint, WantedEndpoint } from '../triggerState';

/** Why an endpoint at our URL cannot stay as it is; undefined for one that fits. */
export function reasonToReplace(
	{ status, events }: WebhookEndpoint,
	held: KnownEndpoint | undefined,
	wanted: WantedEndpoint,
): string | undefined {
	if (!held) return 'its signing secret is lost';
	if (held.retired) return 'it was left behind when the trigger was deactivated';
	if (status !== 'ACTIVE') return 'the service had switched it off';
	const isSame = [...events].sort().join() === [...wanted.events].sort().join();
	return isSame ? undefined : 'its events are not those of the trigger';
}

/**
 * Whether a URL belongs to a test listener of the n8n that `ownUrl` belongs to: same origin, same
 * sub-path, and `/webhook-test/` where production URLs have `/webhook/`.
 */
export function isTestUrlOfSameN8n(url: string, ownUrl: string): boolean {
	if (!URL.canParse(url) || !URL.canParse(ownUrl)) return false;
	const own = new URL(ownUrl).href;
	const [base] = own.split(/\/webhook(?:-test)?\//, 1);
	return base !== own && new URL(url).href.startsWith(`${base}/webhook-test/`);
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
	const counted = [...new Set(names)].map((name) => {
		const times = names.filter((one) => one === name).length;
		return times > 1 ? `${name} (${times})` : name;
	});
	return `by ${counted.join(', ')}`;
}
