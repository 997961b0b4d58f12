import type { IHookFunctions } from 'n8n-workflow';
import { client, asThrown, readCallFailure } from '../../client';
import { isSameUrl, logFieldsOf } from '../identity';
import { memories, type Memories } from '../memory';
import { TriggerState } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import { deleteEndpoint } from './deleteEndpoint';
import { findOwnEndpoints } from './findOwnEndpoints';
import { wantedEndpoint } from './wanted';

/**
 * How long each hook may take, whatever the service does. n8n 2.41 gives an activation 84 seconds, in which it may call all
 * three, and never tries a start again that took longer; and a person waits for it.
 */
const CHECK_MS = 10_000;
const CREATE_MS = 25_000;
const DELETE_MS = 5_000;

/** How long the service is asked to delete an endpoint after the hook has ended. */
const DELETE_LATER_MS = 120_000;

/** "Listen for test event" and "Execute workflow" run the hooks in this mode. */
const isTestListener = (context: IHookFunctions): boolean => context.getMode() === 'manual';

/**
 * Does the work of a hook. A start of n8n goes on whatever the service answered, or did not: n8n would never try it again,
 * while the running trigger tries until all is well, as when a plan is renewed or a key allowed again. A person who
 * activates the workflow is told.
 */
async function tolerateAtStart(
	context: IHookFunctions,
	{ memory }: TriggerState,
	work: () => Promise<boolean>,
): Promise<boolean> {
	try {
		return await work();
	} catch (error) {
		const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStart || isTestListener(context)) throw asThrown(error);
		memory.activation.isOver = true;
		const { message } = readCallFailure(error);
		context.logger.error(
			`eSign: the webhook could not be checked, and is checked again until it succeeds: ${message}`,
			logFieldsOf(context),
		);
		return true;
	}
}

/**
 * Whether the service has exactly the endpoint that this trigger needs and we hold its secret. n8n runs it at every
 * activation and every start. What else of ours is at its URL is deleted, here or, if `create` has to follow, by that.
 *
 * @throws NodeOperationError what is asked for cannot work; see `wantedEndpoint`
 * @throws NodeApiError the service did not say what it has: `false` would make a twin
 */
export async function checkExists(context: IHookFunctions, processes: Memories = memories): Promise<boolean> {
	const isTest = isTestListener(context);
	const wanted = wantedEndpoint(context);
	const state = TriggerState.of(context, isTest, processes);
	const { memory } = state;
	const limits = { deadline: client.now() + CHECK_MS };
	memory.workflowName = context.getWorkflow().name;
	Object.assign(memory.activation, { isOver: false, wanted, checkedId: undefined, replaceable: [] });
	return await tolerateAtStart(context, state, async () => {
		const { fits, replaceable } = await findOwnEndpoints(context, state, wanted, limits);
		memory.activation.replaceable = replaceable;
		if (!fits) return false;
		// The static data may be an old copy.
		state.endpoints.put(fits);
		for (const id of replaceable) await deleteEndpoint(context, state, id, { ...limits, isTest });
		Object.assign(memory.activation, { isOver: true, checkedId: fits.id });
		return true;
	});
}

/**
 * Makes the endpoint, and deletes what it replaces.
 *
 * @throws NodeOperationError the limit is reached: says what to do, and who holds the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function create(context: IHookFunctions, processes: Memories = memories): Promise<boolean> {
	const isTest = isTestListener(context);
	const wanted = wantedEndpoint(context);
	const state = TriggerState.of(context, isTest, processes);
	const { activation, events } = state.memory;
	// The person may replay the same event to each listener.
	if (isTest) events.clear();
	return await tolerateAtStart(context, state, async () => {
		const registration = { isTest, replaceable: activation.replaceable, deadline: client.now() + CREATE_MS };
		const { id } = await createEndpoint(context, state, wanted, registration);
		Object.assign(activation, { isOver: true, checkedId: id });
		return true;
	});
}

/**
 * Deletes the trigger's own endpoint, and no other: what we know to be at the URL that this activation had. A test listener
 * has another URL than the published trigger, so that ending it touches nothing of that. A failure is logged and never
 * thrown, so that n8n's own clean-up goes on. Then the endpoint stays known, marked so that the next activation replaces it,
 * and the service is asked again in the background: a person need not wait for a silent one.
 */
export async function remove(context: IHookFunctions, processes: Memories = memories): Promise<boolean> {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const deadline = client.now() + DELETE_MS;
	for (const isTest of [false, true]) {
		const state = TriggerState.of(context, isTest, processes);
		for (const endpoint of state.endpoints.all()) {
			if (!isSameUrl(endpoint.url, url)) continue;
			processes.listening.delete(endpoint.id);
			if (await deleteEndpoint(context, state, endpoint.id, { isTest, deadline })) continue;
			state.endpoints.put({ ...endpoint, retired: true, at: Date.now() });
			const later = { isTest: true, deadline: client.now() + DELETE_LATER_MS };
			void deleteEndpoint(context, state, endpoint.id, later);
		}
	}
	return true;
}
