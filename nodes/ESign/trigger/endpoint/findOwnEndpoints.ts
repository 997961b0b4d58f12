import { timeOf } from '../../service/deliveryLog';
import { client, type WebhookEndpoint } from '../../client';
import type { KnownEndpoint } from '../entries';
import { isSameUrl, logFieldsOf, ownerOf } from '../identity';
import type { EndpointContext, Limits } from '../share';
import type { TriggerState } from '../triggerState';
import { howToReconcile } from './deleteEndpoint';
import { hasSameEvents, type WantedEndpoint } from './wanted';

/** What the service has for a trigger. */
export interface OwnEndpoints {
	/** The endpoint that fits, and whose secret we hold. */
	fits?: KnownEndpoint;
	/** Ids of the others at our URL: an endpoint that fits takes their place. */
	replaceable: string[];
}

/** The endpoints of the key's mode, not those of this trigger alone. */
export async function listEndpoints(context: EndpointContext, limits: Limits): Promise<WebhookEndpoint[]> {
	return (await client.call(context, 'GET /webhooks', limits)).data;
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

/** Says for which time events are in no log: what an endpoint had missed is forgotten with it. */
function reportGone(context: EndpointContext, { memory }: TriggerState, gone: readonly KnownEndpoint[]): void {
	const newest = gone.find(({ retired, test }) => !retired && !test);
	if (!newest) return;
	const since = Math.max(newest.at, timeOf(memory.logReadTo ?? new Date(newest.at).toISOString()));
	context.logger.warn(
		`eSign: webhook ${newest.id} is gone: somebody deleted it. ${howToReconcile(new Date(since).toISOString())}`,
		logFieldsOf(context),
	);
}

/**
 * Asks the service what it has for this trigger. One request. Forgets the endpoints that are gone. An endpoint at our URL is
 * ours, whoever made it: nobody else can be reached there. One at another URL may belong to an n8n that is made of a copy of
 * our database, and stays; `freePlaces` says when it makes room.
 *
 * @throws NodeApiError the service did not say what it has
 */
export async function findOwnEndpoints(
	context: EndpointContext,
	state: TriggerState,
	wanted: WantedEndpoint,
	limits: Limits,
): Promise<OwnEndpoints> {
	const askedAt = Date.now();
	const listed = await listEndpoints(context, limits);
	const isHere = ({ url }: { url: string }) => isSameUrl(url, wanted.url);
	const known = state.endpoints.all().filter((one) => one.owner === ownerOf(context) || isHere(one));
	const gone = goneFrom(listed, known, askedAt);
	for (const { id } of gone) state.endpoints.remove(id);

	const here = listed
		.filter(isHere)
		.map((endpoint) => ({ endpoint, held: known.find(({ id }) => id === endpoint.id) }))
		.map(({ endpoint, held }) => ({ id: endpoint.id, held, reason: reasonToReplace(endpoint, held, wanted) }));
	const inPlace = here.find(({ reason }) => reason === undefined);
	if (!inPlace) reportGone(context, state, gone);
	const others = here.filter((one) => one !== inPlace);
	for (const { id, reason = 'there is a newer one' } of others) {
		context.logger.warn(`eSign: webhook ${id} is to be replaced: ${reason}`, logFieldsOf(context));
	}
	return { fits: inPlace?.held, replaceable: others.map(({ id }) => id) };
}
