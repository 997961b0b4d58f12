import type { CronExpression, ITriggerFunctions } from 'n8n-workflow';
import type { WebhookDelivery, WebhookEndpoint } from '../../transport';
import { failureOf } from './failures';
import { handOver } from './handover';
import { logFieldsOf, ownerOf } from './identity';
import { deleteEndpoint, deleteSuperseded, listEndpoints, register } from './lifecycle';
import { memoryOf, type BackgroundRun, type TriggerMemory } from './memory';
import { replayMissedEvents, reportLoss } from './recovery';
import { TriggerState, type HeldEndpoint } from './state';

/** The service tries an event so often before it gives it up (docs/service.md section 6, rule 1). */
const ATTEMPTS = 3;

/** Once an hour, each trigger at a second of its own: the requests of many share one rate limit. */
export function hourlyFor(owner: string): CronExpression {
	const spread = [...owner].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 3_600, 7);
	return `${spread % 60} ${Math.floor(spread / 60)} * * * *`;
}

/** Puts an endpoint that is gone or switched off back. Returns the new one once n8n holds its secret. */
async function putBack(
	context: ITriggerFunctions,
	state: TriggerState,
	held: HeldEndpoint,
	endpoints: readonly WebhookEndpoint[],
	memory: TriggerMemory,
	watch: BackgroundRun,
): Promise<HeldEndpoint | undefined> {
	const fields = logFieldsOf(context);
	const found = endpoints.find(({ id }) => id === held.id);
	const what = `webhook ${held.id} ${found ? 'was switched off by the service' : 'is gone'}`;

	// It also tells that the workflow is still active, and that what we know is what n8n holds.
	const obstacle = await handOver(context, held, held.secret);
	if (watch.stopped) return undefined;
	if (obstacle) {
		context.logger.error(`eSign: ${what}, and is not put back before the next hour: ${obstacle}`, fields);
		return undefined;
	}
	context.logger.warn(`eSign: ${what}, and is put back`, fields);
	if (found) await reportLoss(context, found, state, memory);
	// They deliver nothing, and may hold the last place there is.
	const dead = endpoints.filter(({ url }) => url === held.url);
	await deleteSuperseded(
		context,
		state,
		dead.map(({ id }) => id),
	);

	const { id, signing_secret: secret } = await register(context, state, held);
	const next: HeldEndpoint = { ...held, id, secret };
	if (!watch.stopped) await handOver(context, next, held.secret);
	// Asked again with the new secret: n8n opens it only with what it saved.
	const refusal = watch.stopped ? undefined : await handOver(context, next, secret);
	if (watch.stopped || refusal) {
		await deleteEndpoint(context, id);
		context.logger.error(
			`eSign: webhook ${id} was deleted again: ${refusal ?? 'the trigger was switched off'}`,
			fields,
		);
		return undefined;
	}
	context.logger.info(`eSign: webhook ${id} is registered for ${held.events.join(', ')}`, fields);
	return next;
}

/** Looks after the endpoint of a running trigger. Returns what is held by now. */
async function check(
	context: ITriggerFunctions,
	state: TriggerState,
	held: HeldEndpoint,
	memory: TriggerMemory,
	watch: BackgroundRun,
	replays: boolean,
): Promise<HeldEndpoint> {
	const endpoints = await listEndpoints(context);
	if (watch.stopped) return held;
	const isActive = ({ status }: WebhookEndpoint) => status === 'ACTIVE';
	if (endpoints.some((endpoint) => endpoint.id === held.id && isActive(endpoint))) {
		// Each once in this process: twenty failures of replays would switch the endpoint off.
		const isDue = ({ event_id, attempt }: WebhookDelivery) => attempt >= ATTEMPTS && !memory.wasReplayed(event_id);
		if (replays) await replayMissedEvents(context, held.id, state, memory, isDue);
		return held;
	}
	// Another process of this n8n has replaced it; if not, the next start sorts it out.
	if (endpoints.some((endpoint) => endpoint.url === held.url && isActive(endpoint))) return held;
	return (await putBack(context, state, held, endpoints, memory, watch)) ?? held;
}

/**
 * Checks the endpoint once an hour while n8n runs: the service switches it off after twenty failures, and n8n may not be
 * started again for months. Costs two requests an hour; a check that fails is logged and left for the next one. The
 * public URL and the events are those of the last `checkExists`: they change only with an activation or a start.
 *
 * n8n's own schedule ends with the activation, and runs in one process of several.
 */
export function watchEndpoint(trigger: ITriggerFunctions): void {
	if (trigger.getMode() === 'manual') return;
	const owner = ownerOf(trigger);
	const memory = memoryOf(owner);
	const replays = trigger.getNodeParameter('options.replayMissed', true) === true;
	let current: HeldEndpoint | undefined;
	let isFirst = true;
	let isChecking = false;

	const look = async (): Promise<void> => {
		if (isChecking || watch.stopped) return;
		isChecking = true;
		try {
			// A copy, as what is written here would not be saved, or be saved too late: see `handOver`.
			const state = new TriggerState({ ...trigger.getWorkflowStaticData('node') });
			const held = current ?? state.endpoint;
			if (held?.owner !== owner) return;
			// A context of its own, as the transport reads the credential once for each: it may be another by now.
			const context = Object.create(trigger) as ITriggerFunctions;
			current = await check(context, state, held, memory, watch, replays);
		} catch (error) {
			trigger.logger.error(
				`eSign: the webhook could not be checked, and will be in an hour: ${failureOf(error).message}`,
				logFieldsOf(trigger),
			);
		} finally {
			isChecking = false;
		}
	};
	const watch = memory.beginWatch(look);
	const tick = async (): Promise<void> => {
		// The first time may come while the activation is at work.
		const isDue = !isFirst;
		isFirst = false;
		if (isDue) await look();
	};
	try {
		trigger.helpers.registerCron({ expression: hourlyFor(owner) }, tick);
	} catch (error) {
		// An n8n of before August 2025 takes other arguments: there the endpoint is checked at starts only.
		trigger.logger.warn(`eSign: the hourly check is not possible: ${failureOf(error).message}`, logFieldsOf(trigger));
	}
}
