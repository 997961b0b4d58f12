import type { IHookFunctions } from 'n8n-workflow';
import { now } from '../../transport';
import { asApiError, isOutOfReach, readCallFailure } from '../callFailure';
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
 * A start of n8n goes on although the service could not be asked: n8n may never try it again, and the running trigger puts
 * everything right as soon as the service answers. A person who activates the workflow is told instead.
 */
function goesOn(context: IHookFunctions, memory: TriggerMemory, error: unknown): boolean {
	const failure = readCallFailure(error);
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	if (!isStart || isTestListener(context) || !isOutOfReach(failure)) {
		memory.hooks = 'failed';
		return false;
	}
	memory.hooks = 'done';
	context.logger.error(
		`eSign: the webhook could not be checked and is looked after once the service answers: ${failure.message}`,
		logFieldsOf(context),
	);
	return true;
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
	const { memory } = known;
	const limits = { deadline: now() + CHECK_MS };
	Object.assign(memory, { hooks: 'under way', wanted, checkedId: undefined, replaceable: [] });
	try {
		const { fits, replaceable } = await survey(context, known, wanted, limits);
		memory.replaceable = replaceable.map(({ id }) => id);
		if (!fits) return false;
		for (const id of memory.replaceable) await retire(context, known, id, { ...limits, isTest });
		Object.assign(memory, { hooks: 'done', checkedId: fits.id });
		return true;
	} catch (error) {
		if (goesOn(context, memory, error)) return true;
		throw asApiError(context.getNode(), error);
	}
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
	const { memory } = known;
	// The person may replay the same event to each listener.
	if (isTest) memory.members.event.clear();
	try {
		const { replaceable } = memory;
		const limits = { deadline: now() + CREATE_MS };
		const { id } = await register(context, known, wanted, { isTest, replaceable, processes, ...limits });
		Object.assign(memory, { hooks: 'done', checkedId: id, replaceable: [] });
		return true;
	} catch (error) {
		if (goesOn(context, memory, error)) return true;
		throw asApiError(context.getNode(), error);
	}
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
