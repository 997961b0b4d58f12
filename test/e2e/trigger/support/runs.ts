import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { ApiClient, ExecutionSummary } from '../../../../harness/n8nServer/apiClient';
import { until } from '../../../../harness/processes/until';
import { chain, eSign, itemsOf } from '../../support/nodes';
import type { Stage } from '../../support/stage';
import { EVERY_EVENT } from './stories';

/** An event as an execution got it. */
export interface Run extends ExecutionSummary {
	/** When n8n took the execution in hand and when it was through, in milliseconds since the epoch. */
	startedAt: number;
	stoppedAt: number;
	events: Array<{ id: string; event: string; documentId: string }>;
}

interface ListedExecution extends ExecutionSummary {
	startedAt: string | null;
	stoppedAt: string | null;
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Follows the executions of one workflow, however many. */
export class Runs {
	private readonly finished = new Map<string, Run>();

	constructor(
		private readonly api: ApiClient,
		private readonly workflowId: string,
		private readonly triggerName: string,
	) {}

	/** Executions of every status, oldest first. */
	async list(): Promise<ListedExecution[]> {
		const listed = await this.api.executions<ListedExecution>(this.workflowId);
		return listed.sort((a, b) => Number(a.id) - Number(b.id));
	}

	async count(): Promise<number> {
		return (await this.list()).length;
	}

	/** Waits until there are at least `count` executions and all of them have finished. */
	async settled(count: number, timeoutMs = 60_000): Promise<Run[]> {
		let last: ListedExecution[] = [];
		const settled = await until(
			`${count} finished executions of workflow ${this.workflowId}`,
			async () => {
				// Listing is work for n8n, which has the executions themselves to run.
				await pause(300);
				last = await this.list();
				const isSettled = last.length >= count && last.every(({ status }) => !UNFINISHED.includes(status));
				return isSettled ? last : undefined;
			},
			timeoutMs,
		).catch((error: Error) => {
			const statuses = last.map(({ id, status }) => `${id} ${status}`).join(', ');
			throw new Error(`${error.message}; there are ${last.length}: ${statuses}`);
		});
		const runs: Run[] = [];
		for (const execution of settled) runs.push(await this.read(execution));
		return runs;
	}

	/** The event ids that executions got, in the order of the executions, once there are `count`. */
	async eventIds(count: number, timeoutMs?: number): Promise<string[]> {
		return await this.eventIdsAfter(0, count, timeoutMs);
	}

	/**
	 * The event ids of what came after the first `before` executions, once there are `more`. A SIGKILL leaves executions
	 * without any event behind: they count among the executions, and not among the events.
	 */
	async eventIdsAfter(before: number, more: number, timeoutMs?: number): Promise<string[]> {
		const after = (await this.settled(before + more, timeoutMs)).slice(before);
		return after.flatMap(({ events }) => events.map(({ id }) => id));
	}

	private async read({ startedAt, stoppedAt, ...summary }: ListedExecution): Promise<Run> {
		const known = this.finished.get(summary.id);
		if (known) return known;
		const items = itemsOf(await this.api.execution(summary.id), this.triggerName);
		const run: Run = {
			...summary,
			startedAt: Date.parse(startedAt ?? ''),
			stoppedAt: Date.parse(stoppedAt ?? ''),
			events: items.map(({ json }) => ({
				id: String(json.id),
				event: String(json.event),
				documentId: String((json.document as IDataObject).id),
			})),
		};
		this.finished.set(summary.id, run);
		return run;
	}
}

/** Publishes a workflow that every event starts. */
export async function publishForEveryEvent({ n8n, credentialId }: Stage): Promise<{ workflowId: string; runs: Runs }> {
	const trigger = eSign('eSign Trigger', 'eSignTrigger', credentialId, { events: EVERY_EVENT, options: {} });
	const { id } = await n8n.api.createWorkflow(chain('Every event', [trigger]));
	const runs = new Runs(n8n.api, id, trigger.name);
	await n8n.api.publish(id);
	return { workflowId: id, runs };
}
