import { timeOf } from '../../service/deliveryLog';
import { apiRequest, type WebhookEndpoint } from '../../transport';
import { isSameUrl, logFieldsOf, ownerOf } from '../identity';
import type { Known } from '../known';
import type { KnownEndpoint } from '../members';
import { mayBeUsedElsewhere, type EndpointContext, type Limits } from './ask';
import { howToReconcile } from './retire';
import { hasSameEvents, type WantedEndpoint } from './wanted';

/** What the service has for a trigger. */
export interface Survey {
	/** The endpoint that fits, and whose secret we hold. */
	fits?: KnownEndpoint;
	/** Ids of the others that are ours: an endpoint that fits takes their place. */
	replaceable: string[];
}

/** The endpoints of the key's mode, not those of this trigger alone. */
export async function listEndpoints(context: EndpointContext, limits: Limits): Promise<WebhookEndpoint[]> {
	return (await apiRequest(context, 'GET /webhooks', limits)).data;
}

/** An endpoint at our URL is ours, whoever made it: nobody else can be reached there. */
function isOurs({ owner, url }: KnownEndpoint, context: EndpointContext, wanted: WantedEndpoint): boolean {
	return owner === ownerOf(context) || isSameUrl(url, wanted.url);
}

/** Why an endpoint of ours cannot stay as it is; undefined for one that fits. */
function reasonToReplace(
	endpoint: WebhookEndpoint,
	held: KnownEndpoint | undefined,
	wanted: WantedEndpoint,
): string | undefined {
	if (!isSameUrl(endpoint.url, wanted.url)) return `its URL is ${endpoint.url} and n8n's is now ${wanted.url}`;
	if (!held) return 'its signing secret is lost';
	if (held.retired) return 'it was left behind when the trigger was deactivated';
	if (endpoint.status !== 'ACTIVE') return 'the service had switched it off';
	return hasSameEvents(endpoint, wanted) ? undefined : 'its events are not those of the trigger';
}

/** Says for which time events are in no log: what an endpoint had missed is forgotten with it. */
function reportGone(context: EndpointContext, known: Known, gone: readonly KnownEndpoint[]): void {
	const newest = gone.find(({ retired, test }) => !retired && !test);
	if (!newest) return;
	const since = Math.max(newest.at, timeOf(known.memory.logReadTo ?? new Date(newest.at).toISOString()));
	context.logger.warn(
		`eSign: webhook ${newest.id} is gone: somebody deleted it. ${howToReconcile(new Date(since).toISOString())}`,
		logFieldsOf(context),
	);
}

/**
 * Asks the service what it has for this trigger. One request when all is well. Forgets the endpoints that are gone.
 *
 * @throws NodeApiError the service did not say what it has
 */
export async function survey(
	context: EndpointContext,
	known: Known,
	wanted: WantedEndpoint,
	limits: Limits,
): Promise<Survey> {
	const askedAt = Date.now();
	const listed = await listEndpoints(context, limits);
	const ours = known.all('endpoint').filter((endpoint) => isOurs(endpoint, context, wanted));
	const gone = ours.filter(({ id, at }) => at < askedAt && !listed.some((endpoint) => endpoint.id === id));
	for (const { id } of gone) known.remove('endpoint', id);

	const fits = ours.find((held) => listed.some((one) => one.id === held.id && !reasonToReplace(one, held, wanted)));
	if (!fits) reportGone(context, known, gone);
	const replaceable: string[] = [];
	for (const endpoint of listed) {
		if (endpoint.id === fits?.id) continue;
		const held = ours.find(({ id }) => id === endpoint.id);
		const isHere = isSameUrl(endpoint.url, wanted.url);
		if (!isHere && !held) continue;
		const fields = logFieldsOf(context);
		if (!isHere && held && (await mayBeUsedElsewhere(context, held, limits))) {
			context.logger.info(
				`eSign: webhook ${endpoint.id} at ${endpoint.url} is left as it is, because another n8n may use it. If none does, delete it: it takes one of the places.`,
				fields,
			);
			continue;
		}
		const reason = reasonToReplace(endpoint, held, wanted) ?? 'there is a newer one';
		context.logger.warn(`eSign: webhook ${endpoint.id} is to be replaced: ${reason}`, fields);
		replaceable.push(endpoint.id);
	}
	return { fits, replaceable };
}
