import type { IHookFunctions } from 'n8n-workflow';
import { asThrown, now, readCallFailure } from '../../transport';
import { isSameUrl, logFieldsOf } from '../identity';
import { Known } from '../known';
import { memories, type Memories, type TriggerMemory } from '../memory';
import { register } from './register';
import { retire } from './retire';
import { survey } from './survey';
import { wantedEndpoint } from './wanted';

/**
 * How long each hook may take, whatever the service does. n8n 2.41 gives an activation 84 seconds, in which it may call all
 * three, and never tries a start again that took longer.
 */
const CHECK_MS = 20_000;
const CREATE_MS = 30_000;
const DELETE_MS = 25_000;

/** "Listen for test event" and "Execute workflow" run the hooks in this mode. */
const isTestListener = (context: IHookFunctions): boolean => context.getMode() === 'manual';

/**
 * Does the work of a hook. A start of n8n goes on whatever the service answered, or did not: n8n would never try it again,
 * while the running trigger tries until all is well, as when a plan is renewed or a key allowed again. A person who
 * activates the workflow is told.
 */
async function orGoesOn(
	context: IHookFunctions,
	{ activation }: TriggerMemory,
	work: () => Promise<boolean>,
): Promise<boolean> {
	try {
		return await work();
	} catch (error) {
		const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStart || isTestListener(context)) throw asThrown(error);
		activation.isOver = true;
		const { message } = readCallFailure(error);
		context.logger.error(
			`eSign: the webhook could not be checked, which is tried again until it succeeds: ${message}`,
			logFieldsOf(context),
		);
		return true;
	}
}

/**
 * Whether the service has exactly the endpoint that this trigger needs and we hold its secret. n8n runs it at every
 * activation and every start. What else of ours the service has is deleted, here or, if `create` has to follow, by that.
 *
 * @throws NodeOperationError what is asked for cannot work; see `wantedEndpoint`
 * @throws NodeApiError the service did not say what it has: `false` would make a twin
 */
export async function checkExists(context: IHookFunctions, processes: Memories = memories): Promise<boolean> {
	const isTest = isTestListener(context);
	const wanted = wantedEndpoint(context);
	const known = Known.of(context, isTest, processes);
	const { activation } = known.memory;
	const limits = { deadline: now() + CHECK_MS };
	Object.assign(activation, { isOver: false, wanted, checkedId: undefined, replaceable: [] });
	return await orGoesOn(context, known.memory, async () => {
		const { fits, replaceable } = await survey(context, known, wanted, limits);
		activation.replaceable = replaceable;
		if (!fits) return false;
		// The static data of a node that was renamed is empty.
		known.add('endpoint', fits);
		for (const id of replaceable) await retire(context, known, id, { ...limits, isTest });
		Object.assign(activation, { isOver: true, checkedId: fits.id });
		return true;
	});
}

/**
 * Makes the endpoint, and deletes what it replaces.
 *
 * @throws NodeOperationError the limit is reached: says what to do, and which endpoints hold the places
 * @throws NodeApiError the service refused, or did not answer
 */
export async function create(context: IHookFunctions, processes: Memories = memories): Promise<boolean> {
	const isTest = isTestListener(context);
	const wanted = wantedEndpoint(context);
	const known = Known.of(context, isTest, processes);
	const { activation, members } = known.memory;
	// The person may replay the same event to each listener.
	if (isTest) members.event.clear();
	return await orGoesOn(context, known.memory, async () => {
		const registration = { isTest, replaceable: activation.replaceable, processes, deadline: now() + CREATE_MS };
		const { id } = await register(context, known, wanted, registration);
		Object.assign(activation, { isOver: true, checkedId: id });
		return true;
	});
}

/**
 * Deletes the trigger's own endpoint, and no other: what we know to be at the URL that this activation had. A test listener
 * has another URL than the published trigger, so that ending it touches nothing of that. A failure is logged and never
 * thrown, so that n8n's own clean-up goes on; the endpoint stays in the set, and the next activation replaces it.
 */
export async function remove(context: IHookFunctions, processes: Memories = memories): Promise<boolean> {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const deadline = now() + DELETE_MS;
	for (const isTest of [false, true]) {
		const known = Known.of(context, isTest, processes);
		for (const endpoint of known.all('endpoint')) {
			if (endpoint.test !== isTest || !isSameUrl(endpoint.url, url)) continue;
			processes.listening.delete(endpoint.id);
			if (await retire(context, known, endpoint.id, { isTest, deadline })) continue;
			known.add('endpoint', { ...endpoint, retired: true, at: Date.now() });
		}
	}
	return true;
}
