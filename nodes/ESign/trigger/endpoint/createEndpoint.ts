import { NodeOperationError } from 'n8n-workflow';
import { hasOnlyFailed } from '../../service/deliveryLog';
import { MAX_WEBHOOKS } from '../../service/limits';
import {
	client,
	asThrown,
	readCallFailure,
	type CreatedWebhookEndpoint,
	type WebhookEndpoint,
} from '../../client';
import { ownerOf } from '../identity';
import type { KnownEndpoint, WantedEndpoint } from '../triggerState';
import { isTestUrlOfSameN8n, takenBy } from './decisions';
import { howToReconcile, type OwnEndpoints } from './ownEndpoints';

/**
 * In a hook so much of its time goes to the first try; the second makes another endpoint if the
 * answer was lost.
 */
const FIRST_TRY_MS = 10_000;

/**
 * One that was made although its answer was lost has a secret that nobody knows: the next look
 * deletes it.
 */
async function post(
	endpoints: OwnEndpoints,
	body: WantedEndpoint,
): Promise<CreatedWebhookEndpoint> {
	const { context, limits } = endpoints;
	const { deadline } = limits;
	const first = deadline && Math.min(deadline, client.now() + FIRST_TRY_MS);
	try {
		return await client.call(context, 'POST /webhooks', { body, ...limits, deadline: first });
	} catch (error) {
		const { status = 500, message } = readCallFailure(error);
		if (deadline === undefined || status < 500 || client.now() >= deadline) throw asThrown(error);
		endpoints.log('warn', `the webhook is registered again: ${message}`);
		endpoints.state.noteFailure();
		return await client.call(context, 'POST /webhooks', { body, ...limits });
	}
}

/**
 * Makes room at the endpoint limit where nothing is replaced: first by test endpoints of this n8n
 * that were left behind, then by one endpoint that a trigger running here made for an old address,
 * if it is switched off or all its deliveries have failed. Another n8n that runs on a copy of our
 * database keeps its own: its log shows what has arrived.
 *
 * @returns whether a place is free
 */
async function freePlace(
	endpoints: OwnEndpoints,
	ownUrl: string,
	listed: WebhookEndpoint[],
): Promise<boolean> {
	const { state } = endpoints;
	let hasRoom = false;
	const remove = async (id: string, why: string, hasLog?: boolean): Promise<void> => {
		const isGone = await endpoints.delete(id, hasLog);
		if (isGone) endpoints.log('warn', `webhook ${id}, ${why}, was deleted to make room`);
		hasRoom ||= isGone;
	};
	for (const { id, url } of listed) {
		const isLeft = !state.process.holderOf(id)?.isTest && isTestUrlOfSameN8n(url, ownUrl);
		if (isLeft) await remove(id, 'left behind by a test', false);
	}
	const outdated = listed.filter(({ id }) => !state.isTest && state.process.isOutdated(id));
	// Triggers that look at once would otherwise delete the same one.
	const ownFirst = new Set([...outdated.filter(({ id }) => state.endpoints.get(id)), ...outdated]);
	for (const { id, url, status } of ownFirst) {
		if (hasRoom) break;
		const { heard } = state.process;
		const log = status === 'ACTIVE' && !heard.has(id) ? await endpoints.readLog(id) : [];
		if (log.some(({ succeeded }) => succeeded)) heard.set(id, true);
		if (status !== 'ACTIVE' || hasOnlyFailed(log))
			await remove(id, `whose address ${url} receives nothing`);
	}
	return hasRoom;
}

function limitReached(endpoints: OwnEndpoints, holders: WebhookEndpoint[]): NodeOperationError {
	const listed = holders.map(
		({ id, url, status, created_at }) => `${id} (${url}, ${status}, made ${created_at})`,
	);
	endpoints.log('warn', `all webhook endpoints are taken: ${listed.join('; ')}`);
	const { process } = endpoints.state;
	const nameOf = (id: string) => process.holderOf(id)?.activation.workflowName;
	// At an address that n8n has no more, unpublishing deletes nothing.
	const by = takenBy(holders, (id) => (process.isOutdated(id) ? undefined : nameOf(id)));
	return new NodeOperationError(
		endpoints.context.getNode(),
		`Delete a webhook endpoint or unpublish a workflow: all ${holders.length} endpoints are taken, ${by}`,
		{
			description:
				"To delete an endpoint, use the eSign node: Webhook > Delete. n8n's log has their IDs.",
		},
	);
}

/**
 * Makes the endpoint and keeps its secret. Only then is what it replaces deleted, so that no event
 * falls between the two; one that both deliver is told apart by its id. Where all places are taken
 * it is deleted first.
 *
 * @throws NodeOperationError the limit is reached: says what to do, and who holds the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function createEndpoint(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	{ replaceable, listed }: { replaceable: readonly string[]; listed: WebhookEndpoint[] },
): Promise<KnownEndpoint> {
	const { context, state } = endpoints;
	const left = new Set(replaceable);
	/** @returns whether that has made room */
	const deleteReplaced = async () => {
		const { size } = left;
		for (const id of left) if (await endpoints.delete(id)) left.delete(id);
		return left.size < size;
	};
	const makeRoom = async (holders: WebhookEndpoint[]) => {
		if (await deleteReplaced()) state.noteGap(Date.now());
		else if (!(await freePlace(endpoints, wanted.url, holders)))
			throw limitReached(endpoints, holders);
	};
	if (listed.length >= MAX_WEBHOOKS) await makeRoom(listed);
	const orRoom = async (error: unknown) => {
		if (readCallFailure(error).code !== 'webhook_endpoint_limit_reached') throw asThrown(error);
		await makeRoom((await endpoints.list()).data);
	};
	let posted: CreatedWebhookEndpoint | void = undefined;
	// Another trigger may take each place that was made.
	for (let tries = 0; !posted && tries < MAX_WEBHOOKS; tries++)
		posted = await post(endpoints, wanted).catch(orRoom);
	if (!posted) throw limitReached(endpoints, listed);
	const { id, signing_secret: secret } = posted;
	const made = { ...wanted, id, secret, owner: ownerOf(context), at: Date.now() };
	state.endpoints.keep(made);
	endpoints.log('info', `webhook ${id} is registered for ${wanted.events.join(', ')}`);
	const { deafSince = Infinity } = state;
	const deafSeconds = Math.round((Date.now() - deafSince) / 1_000);
	if (deafSeconds > 0)
		endpoints.log(
			'warn',
			`for up to ${deafSeconds} s there was no webhook. ${howToReconcile(deafSince)}`,
		);
	await deleteReplaced();
	// The next look tries again, and soon; or says what was missed at an address that n8n has no
	// more.
	if (left.size > 0 || endpoints.moved(wanted).length > 0) state.noteFailure();
	state.noteGap();
	return made;
}
