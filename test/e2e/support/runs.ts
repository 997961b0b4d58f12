import { setTimeout as pause } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { ApiClient, Execution, ExecutionSummary } from '../../support/n8nServer/apiClient';
import { until } from '../../support/processes/until';
import type { ServiceClient } from '../../support/serviceClient';
import { chain, eSign, itemsOf } from './nodes';

export const TRIGGER = 'eSign Trigger';

/** One n8n, wherever its parts run, and the service that its credential is for. */
export interface Site {
	/** `url` is where webhooks are called. */
	n8n: { api: ApiClient; url: string };
	service: ServiceClient;
	credentialId: string;
}

/** Starts a workflow that begins with `postedRows`. */
export async function postRows(
	{ url }: { url: string },
	path: string,
	rows: object[],
): Promise<void> {
	const headers = { 'content-type': 'application/json' };
	const request = { method: 'POST', headers, body: JSON.stringify({ rows }) };
	// An n8n that has just started answers before its webhooks are there.
	await until(
		'the webhook',
		async () => (await fetch(`${url}/webhook/${path}`, request)).ok || undefined,
	);
}

/** An event as the trigger puts it out. */
export interface Event {
	id: string;
	event: string;
	document: { id: string };
}

/**
 * The events that executions got, in their order. A SIGKILL leaves executions behind that have none,
 * or an item of n8n's own in place of it.
 */
export function eventsOf(executions: readonly Execution[]): Event[] {
	return executions
		.flatMap((execution) => itemsOf(execution, TRIGGER))
		.filter(({ json }) => !json.isArtificialRecoveredEventItem)
		.map(({ json }) => json as unknown as Event);
}

/** Follows the executions of one workflow, however many. */
export class Runs {
	constructor(
		protected readonly api: ApiClient,
		readonly workflowId: string,
	) {}

	/** A new workflow that the trigger starts, not published yet. */
	static async ofTrigger(
		{ n8n: { api }, credentialId }: Pick<Site, 'n8n' | 'credentialId'>,
		parameters: INodeParameters,
		after: INode[] = [],
	): Promise<Runs> {
		const trigger = eSign(TRIGGER, 'eSignTrigger', credentialId, parameters);
		const { id } = await api.createWorkflow(chain('Events', [trigger, ...after]));
		return new Runs(api, id);
	}

	async publish(): Promise<this> {
		await this.api.publish(this.workflowId);
		return this;
	}

	async end(): Promise<void> {
		await this.api.unpublish(this.workflowId);
	}

	/** Executions of every status, newest first. */
	async list(): Promise<ExecutionSummary[]> {
		return await this.api.executions(this.workflowId);
	}

	async count(): Promise<number> {
		return (await this.list()).length;
	}

	/**
	 * All executions in the order in which they were made, once there are at least `count` and none
	 * still runs.
	 */
	async settled(count: number, timeoutMs?: number): Promise<Execution[]> {
		return await this.api.finishedExecutions(this.workflowId, count, timeoutMs);
	}

	/** The event ids of what came after the first `before` executions, once there are `more`. */
	async eventIdsAfter(before: number, more: number): Promise<string[]> {
		return eventsOf((await this.settled(before + more)).slice(before)).map(({ id }) => id);
	}

	/** Resolves when so many executions wait. */
	async asleep(count: number, timeoutMs?: number): Promise<ExecutionSummary[]> {
		return await until(
			`${count} executions of workflow ${this.workflowId} to wait`,
			async () => {
				const waiting = (await this.list()).filter(({ status }) => status === 'waiting');
				if (waiting.length === count) return waiting;
				// Listing is work for n8n, which has the executions themselves to run.
				await pause(count * 10);
				return undefined;
			},
			timeoutMs,
		);
	}
}
