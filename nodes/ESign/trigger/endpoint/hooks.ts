import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { client, asThrown, readCallFailure } from '../../client';
import { WEBHOOK_URI } from '../../operation/parameters';
import { EVENTS, isEventType } from '../../service/events';
import { isSameUrl } from '../../service/urls';
import { log, ownUrl, thisProcess, type TriggerState, type WantedEndpoint } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import { OwnEndpoints } from './ownEndpoints';
import { collectMissed, giveUp, LEAVING_MS, runMissed } from './missed';

/**
 * How long each request may take: n8n 2.41 gives an activation 84 s in all, and never tries a start
 * again that took longer.
 */
const FIND_MS = 10_000;
const CREATE_MS = 25_000;
const DELETE_MS = 5_000;
/** How long the service is asked to delete an endpoint after the hook has ended. */
const DELETE_LATER_MS = 120_000;
/** As where the credential was deleted, or its key revoked: n8n asks nobody again. */
const DELETE_BY_HAND =
	'The next activation of the trigger replaces it. To free its place before, delete it: in the eSign node, Webhook > Delete, or in the web application.';

/** Its endpoints, asked about for so long. */
const within = (ms: number, context: IHookFunctions, state: TriggerState) =>
	new OwnEndpoints(context, state, { deadline: client.now() + ms });

/**
 * What the trigger's parameters and n8n's address ask for, checked before any request.
 *
 * @throws NodeOperationError no or an unknown event; a URL that the service refuses
 * (docs/service.md section 4)
 */
function wantedEndpoint(context: IHookFunctions): WantedEndpoint {
	const refusal = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { description });
	const url = ownUrl(context);
	// n8n on a laptop has no certificate; whoever listens on this machine can read the traffic
	// anyway.
	if (!URL.canParse(url) || !WEBHOOK_URI.test(url)) {
		const remedy =
			"Set n8n's public https address in WEBHOOK_URL (N8N_WEBHOOK_URL in new versions), then try again.";
		throw refusal(`The service delivers to https URLs only, and this n8n's is ${url}`, remedy);
	}
	const given = context.getNodeParameter('events', []) as unknown;
	// A program that writes a workflow may give one event without a list.
	const selected = [...new Set([given ?? []].flat() as unknown[])];
	if (selected.length === 0)
		throw refusal('No event is selected', "Choose at least one event under 'Trigger On'.");
	const unknown = selected.filter((event) => !isEventType(event));
	const known = Object.keys(EVENTS).join(', ');
	if (unknown.length > 0)
		throw refusal(
			`Unknown event in 'Trigger On': ${unknown.join(', ')}`,
			`The service has these events: ${known}.`,
		);
	return { url, events: selected.filter(isEventType) };
}

/**
 * At every activation and start: finds the endpoint that this trigger needs, and makes it if there
 * is none that fits. A start succeeds whatever the service answers: n8n would never try it again,
 * while the running trigger does until all is well.
 *
 * @throws NodeOperationError what is asked for cannot work: see `wantedEndpoint`, `createEndpoint`
 * @throws NodeApiError the service did not say what it has: to make one would make a twin; or see
 * `createEndpoint`
 */
export async function activate(context: IHookFunctions, process = thisProcess): Promise<void> {
	// "Listen for test event" and "Execute workflow" run the hooks in this mode.
	const state = process.stateOf(context, context.getMode() === 'manual');
	const wanted = wantedEndpoint(context);
	const ignoresMissed = context.getNodeParameter('options.recoverMissed', true) === false;
	const activeFor = context.getWorkflow().name;
	state.activation = { isOver: false, wanted, activeFor, ignoresMissed };
	// The person may replay the same event to each test listener.
	if (state.isTest) state.events.clear();
	// It was switched off, and nobody wants what was before. n8n 2.41 may repair an activation by an
	// `update` (WorkflowPublicationReconciler).
	const activation = context.getActivationMode();
	if (['activate', 'manual'].includes(activation)) state.markWithoutEndpoint();
	try {
		const finding = within(FIND_MS, context, state);
		const found = finding.find(wanted, await finding.list());
		if (!found.fits) await createEndpoint(within(CREATE_MS, context, state), wanted, found);
		// What is replaced is deleted by the look, once its delivery log was run. A test has no look.
		for (const id of state.isTest ? found.replaceable : []) await finding.delete(id);
	} catch (error) {
		const isStart = ['init', 'leadershipChange'].includes(activation);
		if (!isStart || state.isTest) throw asThrown(error);
		const { message } = readCallFailure(error);
		log(
			context,
			'error',
			`the webhook could not be checked or registered, and is looked at again: ${message}`,
		);
	} finally {
		state.save(context);
	}
	state.activation.isOver = true;
}

/**
 * Deletes the trigger's own endpoint: what we know to be at the URL of this activation, so that
 * ending a test listener touches nothing of the published trigger. What it has missed runs before,
 * as far as there is time. A failure is logged, so that n8n's own clean-up continues. Then the
 * endpoint stays known, to be replaced at the next activation, and the service is asked again in
 * the background.
 */
export async function remove(context: IHookFunctions, process = thisProcess): Promise<void> {
	const url = ownUrl(context);
	for (const state of [process.stateOf(context), process.stateOf(context, true)]) {
		const { activation } = state;
		const here = state.endpoints.all().filter((endpoint) => isSameUrl(endpoint.url, url));
		// Who ends a test listener wants what the published trigger has missed. Another process may
		// have activated the trigger since, at another URL.
		if (here.length === 0 && !isSameUrl(activation.wanted?.url ?? url, url)) continue;

		const endpoints = within(DELETE_MS, context, state);
		for (const { id } of here) await collectMissed(endpoints, id);
		await runMissed(endpoints, url, LEAVING_MS);
		giveUp(endpoints, 'the trigger was switched off');
		activation.activeFor = undefined;
		for (const endpoint of here) {
			if (await within(DELETE_MS, context, state).delete(endpoint.id, DELETE_BY_HAND)) continue;
			state.endpoints.keep({ ...endpoint, retired: true, at: Date.now() });
			void within(DELETE_LATER_MS, context, state).delete(endpoint.id, DELETE_BY_HAND);
		}
		state.save(context);
	}
}
