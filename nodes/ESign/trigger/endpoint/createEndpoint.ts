import { NodeOperationError } from 'n8n-workflow';
import { client, asThrown, readCallFailure, type CreatedWebhookEndpoint } from '../../client';
import type { KnownEndpoint } from '../entries';
import { logFieldsOf, ownerOf } from '../identity';
import type { EndpointContext, Limits } from '../share';
import type { TriggerState } from '../triggerState';
import { deleteEndpoint } from './deleteEndpoint';
import { freePlace, takenBy, type Registration } from './freePlace';
import { listEndpoints } from './findOwnEndpoints';
import type { WantedEndpoint } from './wanted';

/** In a hook so much of its time goes to the first try; the second makes another endpoint if the answer was lost. */
const FIRST_TRY_MS = 10_000;

async function limitReached(
	context: EndpointContext,
	{ processes }: TriggerState,
	cap: unknown,
	limits: Limits,
): Promise<NodeOperationError> {
	const holders = await listEndpoints(context, limits);
	const listed = holders.map(({ id, url, status, created_at }) => `${id} (${url}, ${status}, made ${created_at})`);
	context.logger.warn(`eSign: all webhook endpoints are taken: ${listed.join('; ')}`, logFieldsOf(context));
	const all = typeof cap === 'number' ? `all ${cap}` : 'all';
	const by = takenBy(holders, ({ id }) => processes.workflowOf(id));
	return new NodeOperationError(
		context.getNode(),
		`Delete a webhook endpoint or unpublish a workflow: ${all} endpoints are taken, ${by}`,
		{ description: "To delete an endpoint, use the eSign node: Webhook > Delete. n8n's log has their IDs." },
	);
}

/** One that was made although its answer was lost has a secret that nobody knows: the next look deletes it. */
async function post(
	context: EndpointContext,
	state: TriggerState,
	body: WantedEndpoint,
	{ deadline, signal }: Limits,
): Promise<CreatedWebhookEndpoint> {
	const first = deadline && Math.min(deadline, client.now() + FIRST_TRY_MS);
	try {
		return await client.call(context, 'POST /webhooks', { body, deadline: first, signal });
	} catch (error) {
		const { status = 500, message } = readCallFailure(error);
		if (first === undefined || status < 500 || client.now() >= (deadline ?? 0)) throw asThrown(error);
		context.logger.warn(`eSign: the webhook is registered again: ${message}`, logFieldsOf(context));
		state.noteFailure();
		return await client.call(context, 'POST /webhooks', { body, deadline, signal });
	}
}

async function postWithRoom(
	context: EndpointContext,
	state: TriggerState,
	wanted: WantedEndpoint,
	{ replaceable, isTest, ...limits }: Registration,
): Promise<CreatedWebhookEndpoint> {
	for (let isSecondTry = false; ; isSecondTry = true) {
		try {
			return await post(context, state, wanted, limits);
		} catch (error) {
			const { code, extra } = readCallFailure(error);
			if (code !== 'webhook_endpoint_limit_reached') throw asThrown(error);
			if (isSecondTry || !(await freePlace(context, state, wanted, { replaceable, isTest, ...limits }))) {
				const limitError = await limitReached(context, state, extra.cap, limits);
				throw limitError;
			}
		}
	}
}

/**
 * Makes the endpoint and keeps its secret. Only then is what it replaces deleted, so that no event falls between the two;
 * one that both deliver is told apart by its id. At the limit room is made first.
 *
 * @throws NodeOperationError the limit is reached: says what to do, and who holds the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function createEndpoint(
	context: EndpointContext,
	state: TriggerState,
	wanted: WantedEndpoint,
	registration: Registration,
): Promise<KnownEndpoint> {
	const { isTest, replaceable, deadline, signal } = registration;
	const { id, signing_secret: secret } = await postWithRoom(context, state, wanted, registration);
	const made = { ...wanted, id, secret, owner: ownerOf(context), test: isTest, at: Date.now() };
	state.endpoints.put(made);
	if (isTest) state.processes.listening.add(id);
	context.logger.info(`eSign: webhook ${id} is registered for ${wanted.events.join(', ')}`, logFieldsOf(context));
	for (const other of replaceable) await deleteEndpoint(context, state, other, { isTest, deadline, signal });
	return made;
}
