import type { WebhookDelivery, WebhookEndpoint } from '../../client';
import { logFieldsOf, ownerOf } from '../identity';
import type { EndpointContext, Limits } from '../share';
import type { TriggerState } from '../triggerState';
import { deleteEndpoint, readDeliveryLog } from './deleteEndpoint';
import { listEndpoints } from './findOwnEndpoints';
import { isTestUrlOfSameN8n, type WantedEndpoint } from './wanted';

/** For what an endpoint is made. */
export interface Registration extends Limits {
	isTest: boolean;
	/** Ids of the endpoints whose place it takes. */
	replaceable: readonly string[];
}

/** Whether somebody receives what an endpoint delivers, as far as its log shows: nobody does who has only ever failed. */
export function isDeaf(log: readonly WebhookDelivery[]): boolean {
	return log.length > 0 && log.every(({ succeeded }) => !succeeded);
}

/**
 * Makes room at the endpoint limit: what is replaced anyway; test listeners of this n8n left behind; then endpoints of this
 * trigger at another URL where nobody receives (one request each). Another n8n that is made of a copy of our database keeps
 * its own: what it has received stands in the log.
 *
 * @returns whether a place is free
 */
export async function freePlace(
	context: EndpointContext,
	state: TriggerState,
	{ url }: WantedEndpoint,
	{ replaceable, isTest, ...limits }: Registration,
): Promise<boolean> {
	const remove = async (id: string, why: string, ofTest = isTest): Promise<boolean> => {
		context.logger.warn(`eSign: webhook ${id}, ${why}, is deleted to make room`, logFieldsOf(context));
		return await deleteEndpoint(context, state, id, { ...limits, isTest: ofTest });
	};
	let hasRoom = false;
	for (const id of replaceable) hasRoom = (await remove(id, 'which is replaced')) || hasRoom;
	if (hasRoom) return true;
	const listed = await listEndpoints(context, limits);
	for (const { id, url: other } of listed) {
		if (state.processes.listening.has(id) || !isTestUrlOfSameN8n(other, url)) continue;
		hasRoom = (await remove(id, 'left behind by a test', true)) || hasRoom;
	}
	if (hasRoom || isTest) return hasRoom;
	const isOwn = ({ id }: WebhookEndpoint) => state.endpoints.get(id)?.owner === ownerOf(context);
	for (const { id, url: other } of listed.filter(isOwn)) {
		if (!isDeaf(await readDeliveryLog(context, id, limits))) continue;
		if (await remove(id, `whose address ${other} receives nothing`)) return true;
	}
	return false;
}

/** Who holds the places: workflows of this n8n by name, others by host. */
export function takenBy(
	holders: readonly WebhookEndpoint[],
	workflowOf: (endpoint: WebhookEndpoint) => string | undefined,
): string {
	const names = holders.map((endpoint) => {
		const workflow = workflowOf(endpoint);
		const host = URL.canParse(endpoint.url) ? new URL(endpoint.url).host : endpoint.url;
		return { isOurs: workflow !== undefined, name: workflow === undefined ? host : `the workflow "${workflow}"` };
	});
	const oursFirst = names.sort((one, other) => Number(other.isOurs) - Number(one.isOurs)).map(({ name }) => name);
	const counted = [...new Set(oursFirst)].map((name) => {
		const times = oursFirst.filter((one) => one === name).length;
		return times > 1 ? `${name} (${times})` : name;
	});
	return `by ${counted.join(', ')}`;
}
