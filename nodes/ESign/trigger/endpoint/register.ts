import { NodeOperationError } from 'n8n-workflow';
import { apiRequest, asThrown, readCallFailure, type CreatedWebhookEndpoint } from '../../transport';
import { logFieldsOf, ownerOf } from '../identity';
import type { Known } from '../known';
import type { KnownEndpoint } from '../members';
import type { Memories } from '../memory';
import type { EndpointContext, Limits } from './ask';
import { retire } from './retire';
import { listEndpoints } from './survey';
import { isTestUrlOfSameN8n, type WantedEndpoint } from './wanted';

/** For what an endpoint is made. */
export interface Registration extends Limits {
	isTest: boolean;
	/** Ids of the endpoints whose place it takes. */
	replaceable: readonly string[];
	processes: Memories;
}

/** Makes room at the endpoint limit: what is replaced anyway, and test listeners of this n8n left behind. */
async function makeRoom(
	context: EndpointContext,
	known: Known,
	{ url }: WantedEndpoint,
	{ replaceable, isTest, processes, ...limits }: Registration,
): Promise<boolean> {
	let hasRoom = false;
	for (const id of replaceable) hasRoom = (await retire(context, known, id, { ...limits, isTest })) || hasRoom;
	for (const endpoint of hasRoom ? [] : await listEndpoints(context, limits)) {
		if (processes.listening.has(endpoint.id) || !isTestUrlOfSameN8n(endpoint.url, url)) continue;
		const { id } = endpoint;
		context.logger.warn(`eSign: webhook ${id}, left behind by a test, is deleted to make room`, logFieldsOf(context));
		hasRoom = (await retire(context, known, id, { ...limits, isTest: true })) || hasRoom;
	}
	return hasRoom;
}

async function limitReached(context: EndpointContext, cap: unknown, limits: Limits): Promise<NodeOperationError> {
	const holders = (await listEndpoints(context, limits)).map(
		({ id, url, status, created_at }) => `${id} (${url}, ${status}, made ${created_at})`,
	);
	return new NodeOperationError(
		context.getNode(),
		`Delete a webhook endpoint, or deactivate a workflow that has one, then try again: ${typeof cap === 'number' ? `all ${cap}` : 'all'} endpoints of this key's mode are taken, by: ${holders.join('; ')}`,
		{ description: 'To delete an endpoint, use the eSign node: Webhook > Delete.' },
	);
}

async function post(
	context: EndpointContext,
	known: Known,
	wanted: WantedEndpoint,
	registration: Registration,
): Promise<CreatedWebhookEndpoint> {
	const { deadline, signal } = registration;
	for (let isSecondTry = false; ; isSecondTry = true) {
		try {
			return await apiRequest(context, 'POST /webhooks', { body: wanted, deadline, signal });
		} catch (error) {
			const { code, extra } = readCallFailure(error);
			if (code !== 'webhook_endpoint_limit_reached') throw asThrown(error);
			if (isSecondTry || !(await makeRoom(context, known, wanted, registration))) {
				const limitError = await limitReached(context, extra.cap, { deadline, signal });
				throw limitError;
			}
		}
	}
}

/**
 * Makes the endpoint and keeps its secret. Only then is what it replaces deleted, so that no event falls between the two;
 * one that both deliver is told apart by its id. At the limit room is made first.
 *
 * @throws NodeOperationError the limit is reached: says what to do, and which endpoints hold the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function register(
	context: EndpointContext,
	known: Known,
	wanted: WantedEndpoint,
	registration: Registration,
): Promise<KnownEndpoint> {
	const { isTest, replaceable, processes, deadline, signal } = registration;
	const { id, signing_secret: secret } = await post(context, known, wanted, registration);
	const made = { ...wanted, id, secret, owner: ownerOf(context), test: isTest, at: Date.now() };
	known.add('endpoint', made);
	if (isTest) processes.listening.add(id);
	context.logger.info(`eSign: webhook ${id} is registered for ${wanted.events.join(', ')}`, logFieldsOf(context));
	for (const other of replaceable) await retire(context, known, other, { isTest, deadline, signal });
	return made;
}
