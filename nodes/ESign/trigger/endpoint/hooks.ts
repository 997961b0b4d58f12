import type { IHookFunctions } from 'n8n-workflow';
import { client, asThrown, readCallFailure } from '../../client';
import { isSameUrl, log, ownUrl } from '../identity';
import { thisProcess, type KnownEndpoint, type TriggerProcess } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import { Endpoints } from './endpoints';
import { wantedEndpoint } from './wanted';

/** How long each hook may take: n8n 2.41 gives an activation 84 s in all, and never tries a start again that took longer. */
const FIND_MS = 10_000;
const CREATE_MS = 25_000;
const DELETE_MS = 5_000;

/** How long the service is asked to delete an endpoint after the hook has ended. */
const DELETE_LATER_MS = 120_000;

/**
 * Whether the service has the endpoint that this trigger needs, and we hold its secret: at every activation and start.
 *
 * @throws NodeOperationError what is asked for cannot work; see `wantedEndpoint`
 * @throws NodeApiError the service did not say what it has: `false` would make a twin
 */
export async function checkExists(context: IHookFunctions, process = thisProcess): Promise<boolean> {
	return await activate(context, process, FIND_MS, async (endpoints, wanted) => {
		const { fits, replaceable } = await endpoints.find(wanted);
		endpoints.state.activation.replaceable = replaceable;
		return fits;
	});
}

/** Makes the endpoint, and deletes what `checkExists` has found to be replaced. Throws as `createEndpoint` does. */
export async function create(context: IHookFunctions, process = thisProcess): Promise<boolean> {
	return await activate(context, process, CREATE_MS, createEndpoint);
}

/** The endpoint that is found or made; undefined if there is none. */
type Fitting = (...asked: Parameters<typeof createEndpoint>) => Promise<KnownEndpoint | undefined>;

/** A start goes on whatever the service answers: n8n would never try it again, while the running trigger does until all is well. */
async function activate(context: IHookFunctions, process: TriggerProcess, ms: number, find: Fitting): Promise<boolean> {
	// "Listen for test event" and "Execute workflow" run the hooks in this mode.
	const state = process.stateOf(context, context.getMode() === 'manual');
	const wanted = wantedEndpoint(context);
	const { replaceable = [] } = state.activation;
	state.activation = { isOver: false, wanted, workflowName: context.getWorkflow().name };
	// The person may replay the same event to each test listener.
	if (state.isTest) for (const { id } of state.events.all()) state.events.remove(id);
	const endpoints = new Endpoints(context, state, { deadline: client.now() + ms });
	try {
		const { id } = (await find(endpoints, wanted, replaceable)) ?? {};
		if (id === undefined) return false;
		state.activation.checkedId = id;
	} catch (error) {
		const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStart || state.isTest) throw asThrown(error);
		const { message } = readCallFailure(error);
		log(context, 'error', `the webhook could not be checked, and is checked again until it succeeds: ${message}`);
	} finally {
		state.save(context);
	}
	state.activation.isOver = true;
	return true;
}

/**
 * Deletes the trigger's own endpoint, and no other: what we know to be at the URL that this activation had. A test listener
 * has another URL than the published trigger, so that ending it touches nothing of that. A failure is logged and never
 * thrown, so that n8n's own clean-up goes on. Then the endpoint stays known, marked so that the next activation replaces it,
 * and the service is asked again in the background: a person need not wait for a silent one.
 */
export async function remove(context: IHookFunctions, process = thisProcess): Promise<boolean> {
	const url = ownUrl(context);
	const deadline = client.now() + DELETE_MS;
	for (const state of [process.stateOf(context), process.stateOf(context, true)]) {
		for (const endpoint of state.endpoints.all().filter((one) => isSameUrl(one.url, url))) {
			if (await new Endpoints(context, state, { deadline }).delete(endpoint.id)) continue;
			state.endpoints.keep({ ...endpoint, retired: true, at: Date.now() });
			const later = { deadline: client.now() + DELETE_LATER_MS };
			void new Endpoints(context, state, later).delete(endpoint.id, false);
		}
		state.save(context);
	}
	return true;
}
