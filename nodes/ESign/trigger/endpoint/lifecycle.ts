import { NodeOperationError, type IHookFunctions, type ITriggerFunctions } from 'n8n-workflow';
import { apiRequest, type CreatedWebhookEndpoint, type WebhookEndpoint } from '../../transport';
import { apiErrorOf, failureOf } from './failures';
import { logFieldsOf, memoryKeyOf, ownerOf } from './identity';
import { listeningForTest, memoryOf, type TriggerMemory } from './memory';
import { replayMissedEvents, replayOnceReachable, reportLoss } from './recovery';
import { TriggerState } from './state';
import { isTestUrlOfSameN8n, serves, wantedEndpoint, type WantedEndpoint } from './wanted';

/** From where an endpoint is looked after: n8n's hooks, and the hourly check of a running trigger. */
export type EndpointContext = IHookFunctions | ITriggerFunctions;

/** "Listen for test event" and "Execute workflow" run the hooks in this mode. */
const isTestListener = (context: IHookFunctions): boolean => context.getMode() === 'manual';

const stateOf = (context: IHookFunctions): TriggerState => new TriggerState(context.getWorkflowStaticData('node'));

/** The endpoints of the key's mode, not those of this trigger alone. */
export async function listEndpoints(context: EndpointContext): Promise<WebhookEndpoint[]> {
	return (await apiRequest(context, 'GET /webhooks')).data;
}

/** Deletes an endpoint; one that is gone already is as good. Returns whether it is gone; a failure is logged. */
export async function deleteEndpoint(context: EndpointContext, id: string): Promise<boolean> {
	try {
		await apiRequest(context, 'DELETE /webhooks/{id}', { path: { id } });
		return true;
	} catch (error) {
		const { status, message } = failureOf(error);
		if (status === 404) return true;
		context.logger.warn(`eSign: webhook ${id} could not be deleted: ${message}`, logFieldsOf(context));
		return false;
	}
}

/** Deletes the endpoints that another one has replaced; those that stay are tried again at the next check. */
export async function deleteSuperseded(
	context: EndpointContext,
	state: TriggerState,
	ids: readonly string[],
): Promise<number> {
	const left: string[] = [];
	for (const id of ids) if (!(await deleteEndpoint(context, id))) left.push(id);
	state.superseded = left;
	return ids.length - left.length;
}

function reasonToReplace(endpoint: WebhookEndpoint, heldId: string | undefined, wanted: WantedEndpoint): string {
	if (endpoint.id !== heldId)
		return endpoint.url === wanted.url ? 'its signing secret is lost' : 'it was replaced before';
	if (endpoint.url !== wanted.url) return `its URL is ${endpoint.url} and n8n's is now ${wanted.url}`;
	if (endpoint.status !== 'ACTIVE') return 'the service had switched it off';
	return 'its events are not those of the trigger';
}

/**
 * Whether the service has exactly the endpoint that this trigger needs and we hold its secret. One request when all is
 * well, one more for the delivery log, and one for each missed event. n8n runs it at every activation and every start.
 *
 * Whatever else is at our URL, and whatever of ours has drifted, is noted as superseded: `create` replaces it. A call that
 * fails throws, because `false` would make a twin; except at a start, when an endpoint that we know to fit is taken to be
 * there still: n8n 2.41 does not try a failed start again, and the trigger would stay dead after the service is back.
 *
 * @throws NodeOperationError what is asked for cannot work; see `wantedEndpoint`
 * @throws NodeApiError the service did not say what it has
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	const wanted = wantedEndpoint(context);
	const isTest = isTestListener(context);
	const state = stateOf(context);
	const owner = ownerOf(context);
	const held = state.endpoint;
	const memory = memoryOf(memoryKeyOf(context, held));
	const replays = !isTest && context.getNodeParameter('options.replayMissed', true) === true;

	let endpoints: WebhookEndpoint[];
	try {
		endpoints = await listEndpoints(context);
	} catch (error) {
		const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStart || held?.owner !== owner || !serves(held, wanted)) throw apiErrorOf(context.getNode(), error);
		context.logger.error(
			`eSign: webhook ${held.id} could not be checked and is taken to be in place: ${failureOf(error).message}`,
			logFieldsOf(context),
		);
		if (replays) void replayOnceReachable(context, held.id, state, memory);
		return true;
	}

	const found = endpoints.find(({ id }) => id === held?.id);
	const fits = held && found && found.status === 'ACTIVE' && serves(found, wanted);
	// Static data that came with a copy names an endpoint of the original's, unless that is at our own URL.
	const isOurs = held?.owner === owner || found?.url === wanted.url;
	const superseded = endpoints.filter(
		({ id, url }) =>
			(url === wanted.url || state.superseded.includes(id) || (id === held?.id && isOurs)) &&
			!(fits && id === found.id),
	);
	for (const endpoint of superseded) {
		const reason = reasonToReplace(endpoint, held?.id, wanted);
		context.logger.warn(`eSign: webhook ${endpoint.id} is to be replaced: ${reason}`, logFieldsOf(context));
		if (!isTest) await reportLoss(context, endpoint, state, memory);
	}

	if (!fits) {
		state.superseded = superseded.map(({ id }) => id);
		return false;
	}
	if (held.owner !== owner) state.endpoint = { ...held, owner, url: wanted.url, events: wanted.events };
	await deleteSuperseded(
		context,
		state,
		superseded.map(({ id }) => id),
	);
	if (replays) await replayMissedEvents(context, found.id, state, memory);
	return true;
}

/** Makes room at the endpoint limit: what this trigger has replaced, and test listeners of this n8n left behind. */
async function makeRoom(context: EndpointContext, state: TriggerState, ownUrl: string): Promise<number> {
	const superseded = state.superseded;
	const leftBehind = (await listEndpoints(context)).filter(
		({ id, url }) => !superseded.includes(id) && !listeningForTest.has(id) && isTestUrlOfSameN8n(url, ownUrl),
	);
	for (const { id } of leftBehind) {
		context.logger.warn(`eSign: webhook ${id}, left behind by a test, is deleted to make room`, logFieldsOf(context));
	}
	return await deleteSuperseded(context, state, [...superseded, ...leftBehind.map(({ id }) => id)]);
}

async function limitReached(context: EndpointContext, cap: unknown): Promise<NodeOperationError> {
	const holders = (await listEndpoints(context)).map(
		({ id, url, status, created_at }) => `${id} (${url}, ${status}, made ${created_at})`,
	);
	const limit = typeof cap === 'number' ? `All ${cap}` : 'All';
	return new NodeOperationError(
		context.getNode(),
		`${limit} webhook endpoints of this key's mode are taken, by: ${holders.join('; ')}`,
		{
			description:
				"Delete one that is no longer needed with the eSign node's operation 'Delete a webhook', or deactivate a workflow that has one, then try again.",
		},
	);
}

/**
 * Makes the endpoint at the service; at the limit, after making room.
 *
 * @throws NodeOperationError the limit is reached: names the cap and the endpoints that hold the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function register(
	context: EndpointContext,
	state: TriggerState,
	{ url, events }: WantedEndpoint,
): Promise<CreatedWebhookEndpoint> {
	for (let isSecondTry = false; ; isSecondTry = true) {
		try {
			return await apiRequest(context, 'POST /webhooks', { body: { url, events } });
		} catch (error) {
			const { code, extra } = failureOf(error);
			if (code !== 'webhook_endpoint_limit_reached') throw apiErrorOf(context.getNode(), error);
			if (isSecondTry || (await makeRoom(context, state, url)) === 0) {
				const limitError = await limitReached(context, extra.cap);
				throw limitError;
			}
		}
	}
}

/**
 * Makes the endpoint and keeps its secret. Only then is what it replaces deleted, so that no event falls between the two;
 * one that both deliver is told apart by its id.
 *
 * @throws NodeOperationError the limit is reached: names the cap and the endpoints that hold the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	const wanted = wantedEndpoint(context);
	const isTest = isTestListener(context);
	const state = stateOf(context);
	const { id, signing_secret: secret } = await register(context, state, wanted);
	state.endpoint = { ...wanted, id, secret, owner: ownerOf(context), test: isTest };
	if (isTest) listeningForTest.add(id);
	context.logger.info(`eSign: webhook ${id} is registered for ${wanted.events.join(', ')}`, logFieldsOf(context));
	await deleteSuperseded(context, state, state.superseded);
	return true;
}

/** An endpoint that the service has switched off takes the only record of what it dropped with it. */
async function reportLossOfDisabled(
	context: IHookFunctions,
	id: string,
	state: TriggerState,
	memory: TriggerMemory,
): Promise<void> {
	try {
		const endpoint = (await listEndpoints(context)).find((listed) => listed.id === id);
		if (endpoint?.status === 'DISABLED') await reportLoss(context, endpoint, state, memory);
	} catch (error) {
		context.logger.warn(
			`eSign: webhook ${id} is deleted without a look at what it may have missed: ${failureOf(error).message}`,
			logFieldsOf(context),
		);
	}
}

/**
 * Deletes the trigger's own endpoint, and no other. A failure is logged and never thrown, so that n8n's own clean-up goes
 * on; the endpoint is then noted as superseded and deleted when the trigger is next activated.
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
	const state = stateOf(context);
	const held = state.endpoint;
	// The static data of a copy: the endpoint in it is the original's.
	if (held && held.owner !== ownerOf(context)) return true;
	const memory = memoryOf(memoryKeyOf(context, held));
	memory.stop();
	if (held) listeningForTest.delete(held.id);
	if (held && !held.test) await reportLossOfDisabled(context, held.id, state, memory);
	const ids = [...(held ? [held.id] : []), ...state.superseded];
	if (held) state.endpoint = undefined;
	if (ids.length === 0) return true;
	return (await deleteSuperseded(context, state, ids)) === ids.length;
}
