import { NodeOperationError } from 'n8n-workflow';
import { timeOf, uncertainSince, wasSwitchedOff } from '../../service/deliveryLog';
import { MAX_WEBHOOKS } from '../../service/limits';
import {
	client,
	asThrown,
	readCallFailure,
	type CreatedWebhookEndpoint,
	type WebhookEndpoint,
} from '../../client';
import { type KnownEndpoint, ownerOf, type WantedEndpoint } from '../triggerState';
import { OwnEndpoints, type Found } from './ownEndpoints';
import { collectMissed, LEAVING_MS, runMissed } from './missed';

/** A hook has 25 seconds for this: a first attempt whose answer is lost leaves time for another. */
const ATTEMPT_MS = 10_000;

/**
 * Makes the endpoint and keeps its secret. What it replaces is deleted by a look, once its delivery
 * log was run, so that no event falls between the two; one that both deliver is recognised by its
 * id. Where all places are taken it is deleted first.
 *
 * @throws NodeOperationError the limit is reached: says what to do, and who holds the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function createEndpoint(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	found: Found,
): Promise<KnownEndpoint> {
	const { context, state } = endpoints;
	const { id, signing_secret: secret } = await postWithRoom(endpoints, wanted, found);
	const made = { ...wanted, id, secret, owner: ownerOf(context), at: Date.now() };
	state.endpoints.keep(made);
	endpoints.log('info', `webhook ${id} is registered for ${wanted.events.join(', ')}`);

	const { withoutEndpointSince: since = Infinity } = state;
	const seconds = Math.round((Date.now() - since) / 1_000);
	if (seconds > 0)
		endpoints.logGap(`for up to ${seconds} s there was no webhook`, since, Date.now());
	state.markWithoutEndpoint();
	// A look runs what was missed there, once the attempts at the old address are over.
	if (endpoints.movedBefore(made).length > 0) state.noteFailure();
	return made;
}

/**
 * Another trigger may take each place that was made. An endpoint whose answer was lost has an
 * unknown secret: the watch sees that there are two, and the look deletes that one.
 */
async function postWithRoom(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	{ replaceable, data }: Found,
): Promise<CreatedWebhookEndpoint> {
	let holders = data;
	let isFull = holders.length >= MAX_WEBHOOKS;
	for (let tries = 0; tries < MAX_WEBHOOKS; tries++) {
		if (isFull && !(await makeRoom(endpoints, wanted.url, replaceable, holders))) break;
		try {
			const request = { body: wanted, timeoutMs: ATTEMPT_MS, ...endpoints.limits };
			return await client.call(endpoints.context, 'POST /webhooks', request);
		} catch (error) {
			if (readCallFailure(error).code !== 'webhook_endpoint_limit_reached') throw asThrown(error);
			({ data: holders } = await endpoints.list());
			isFull = true;
		}
	}
	throw limitReached(endpoints, holders);
}

/**
 * Makes room at the endpoint limit: by one that is replaced anyway. Or else by all test endpoints
 * of this n8n that were left behind. Or else by one that a trigger running here made for an old
 * address, if it is switched off or all its deliveries have failed. Another n8n that runs on a copy
 * of our database keeps its own: its log shows what has arrived.
 *
 * @returns whether there was something of the kind
 */
async function makeRoom(
	endpoints: OwnEndpoints,
	ownUrl: string,
	replaceable: Set<string>,
	holders: WebhookEndpoint[],
): Promise<boolean> {
	const { context, state, limits } = endpoints;
	for (const id of replaceable) {
		const log = (await collectMissed(endpoints, id)) ?? [];
		// Its log goes with it, and what is in memory alone does not outlive a crash.
		await runMissed(endpoints, ownUrl, LEAVING_MS);
		if (!(await endpoints.delete(id))) continue;
		replaceable.delete(id);
		state.markWithoutEndpoint(wasSwitchedOff(log) ? timeOf(uncertainSince(log)) : Date.now());
		return true;
	}

	const remove = async (id: string, why: string): Promise<boolean> => {
		const isGone = await endpoints.delete(id);
		if (isGone) endpoints.log('warn', `webhook ${id}, ${why}, was deleted to make room`);
		return isGone;
	};
	const isLeftBehind = ({ url }: WebhookEndpoint) =>
		isTestUrlOfSameN8n(url, ownUrl) && state.process.holderOf(url) === undefined;
	let hasRoom = false;
	for (const { id } of holders.filter(isLeftBehind)) {
		if (await remove(id, 'left behind by a test')) hasRoom = true;
	}
	if (hasRoom) return true;

	// Triggers that look at once would otherwise delete the same one.
	const ownFirst = new Set([...holders.filter(({ id }) => state.endpoints.has(id)), ...holders]);
	for (const endpoint of state.isTest ? [] : ownFirst) {
		const { id, url } = endpoint;
		const leaver = state.process.leaverOf(id);
		if (!leaver || (await receivesEvents(endpoints, endpoint))) continue;
		await collectMissed(new OwnEndpoints(context, leaver, limits), id);
		if (leaver === state) await runMissed(endpoints, ownUrl, LEAVING_MS);
		if (await remove(id, `whose address ${url} receives nothing`)) return true;
	}
	return false;
}

/**
 * Whether a URL belongs to a test listener of the n8n that `ownUrl` belongs to: same origin, same
 * sub-path, and `/webhook-test/` where production URLs have `/webhook/`.
 */
export function isTestUrlOfSameN8n(url: string, ownUrl: string): boolean {
	if (!URL.canParse(url)) return false;
	const own = new URL(ownUrl).href;
	const [base] = own.split(/\/webhook(?:-test)?\//, 1);
	return base !== own && new URL(url).href.startsWith(`${base}/webhook-test/`);
}

/** Whether an endpoint is not known to receive nothing. */
async function receivesEvents(
	endpoints: OwnEndpoints,
	{ id, status }: WebhookEndpoint,
): Promise<boolean> {
	const { receiving } = endpoints.state.process;
	if (status !== 'ACTIVE') return false;
	if (receiving.has(id)) return true;

	const log = await endpoints.readLog(id);
	const hasArrived = log.some(({ succeeded }) => succeeded);
	if (hasArrived) receiving.set(id, true);
	return hasArrived || log.length === 0;
}

/** Says who holds the places: workflows of this n8n by name, others by host. */
function limitReached(endpoints: OwnEndpoints, holders: WebhookEndpoint[]): NodeOperationError {
	const listed = holders.map(
		({ id, url, status, created_at }) => `${id} (${url}, ${status}, made ${created_at})`,
	);
	endpoints.log('warn', `all webhook endpoints are taken: ${listed.join('; ')}`);

	const names = holders.map(({ url }) => {
		// At an address that n8n does not have any longer, unpublishing deletes nothing.
		const workflow = endpoints.state.process.holderOf(url);
		const host = URL.canParse(url) ? new URL(url).host : url;
		return workflow === undefined ? host : `the workflow "${workflow}"`;
	});
	const by = [...new Set(names)].map((name) => {
		const { length } = names.filter((other) => other === name);
		return length > 1 ? `${name} (${length})` : name;
	});
	const message = `Delete a webhook endpoint or unpublish a workflow: all ${holders.length} endpoints are taken, by ${by.join(', ')}`;
	const description =
		"To delete an endpoint, use the eSign node: Webhook > Delete. n8n's log has their IDs.";
	return new NodeOperationError(endpoints.context.getNode(), message, { description });
}
