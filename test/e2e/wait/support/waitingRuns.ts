import { setTimeout as pause } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { ApiClient, Execution, ExecutionSummary } from '../../../../harness/n8nServer/apiClient';
import { until } from '../../../../harness/processes/until';
import { seededRandom } from '../../../../harness/seededRandom';
import type { Control } from '../../../../sandbox/controls/client';
import { ENDING_EVENTS } from '../../../../nodes/ESign/service/ending';
import type { Document, ServiceClient } from '../../../../harness/serviceClient';
import { chain, eSign, itemsOf, node } from '../../support/nodes';

export const WAIT = 'Wait';

/** How a document may end, and how it is brought about. */
export const ENDINGS = {
	completed: async ({ recipients }: Document, control: Control) => await control.sign(recipients[0]?.id ?? ''),
	declined: async ({ recipients }: Document, control: Control) => await control.decline(recipients[0]?.id ?? ''),
	cancelled: async ({ id }: Document, _control: Control, service: ServiceClient) =>
		await service.api('POST', `/documents/${id}/cancel`),
	expired: async ({ id }: Document, control: Control) => await control.expire(id),
} as const;

export type Ending = keyof typeof ENDINGS;

export const ENDING_NAMES = Object.keys(ENDINGS) as Ending[];

/** One n8n, wherever its parts run. */
export interface Site {
	api: ApiClient;
	/** Where webhooks are called. */
	webhookUrl: string;
	service: ServiceClient;
	control: Control;
	credentialId: string;
}

/** A workflow that waits for the documents that are posted to it, and the trigger that wakes it. */
export class WaitingRuns {
	private constructor(
		readonly site: Site,
		readonly workflowId: string,
		readonly triggerId: string,
		private readonly path: string,
	) {}

	/** Publishes both. */
	static async publish(
		site: Site,
		path: string,
		{ options = {}, more = [] }: { options?: INodeParameters; more?: INode[] } = {},
	): Promise<WaitingRuns> {
		const { api, credentialId } = site;
		const trigger = eSign('eSign Trigger', 'eSignTrigger', credentialId, { events: [...ENDING_EVENTS] });
		const { id: triggerId } = await api.createWorkflow(chain(`${path} trigger`, [trigger]));
		const before = await looksAt(site);
		await api.publish(triggerId);
		// Its first look asks for the documents that are waited for too, and is no part of what is counted.
		await until('the first look of the trigger', async () => ((await looksAt(site)) > before ? true : undefined));
		const workflow = await api.createWorkflow(
			chain(path, [
				node('Webhook', 'n8n-nodes-base.webhook', { path, httpMethod: 'POST' }, { typeVersion: 2, webhookId: path }),
				node('Each document', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.ids', options: {} }),
				eSign(WAIT, 'eSign', credentialId, {
					resource: 'document',
					operation: 'wait',
					documentId: { __rl: true, mode: 'id', value: '={{ $json["body.ids"] ?? $json.ids }}' },
					options,
				}),
				...more,
			]),
		);
		await api.publish(workflow.id);
		return new WaitingRuns(site, workflow.id, triggerId, path);
	}

	/** Starts one execution that waits for these documents. */
	async start(ids: string[]): Promise<void> {
		await until('the webhook', async () => {
			const response = await fetch(`${this.site.webhookUrl}/webhook/${this.path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ ids }),
			});
			return response.ok ? true : undefined;
		});
	}

	/** Resolves when so many executions wait. */
	async asleep(count: number, timeoutMs = 60_000): Promise<ExecutionSummary[]> {
		return await until(
			`${count} executions to wait`,
			async () => {
				const all = await this.site.api.executions(this.workflowId);
				const failed = all.filter(({ status }) => status === 'error');
				if (failed.length > 0) throw new Error(`Execution ${failed[0]?.id} failed`);
				const waiting = all.filter(({ status }) => status === 'waiting');
				if (waiting.length === count) return waiting;
				// Listing is work for n8n, which has the executions themselves to run.
				await pause(count * 10);
				return undefined;
			},
			timeoutMs,
		);
	}

	async finished(count: number, timeoutMs = 60_000): Promise<Execution[]> {
		return await this.site.api.finishedExecutions(this.workflowId, count, timeoutMs);
	}

	/** Somebody takes the trigger out of service, gives it another name, and publishes it again. */
	async renameTrigger(name: string): Promise<void> {
		const { api } = this.site;
		await api.unpublish(this.triggerId);
		const { nodes, versionId } = await api.request<{ nodes: INode[]; versionId: string }>(
			'GET',
			`/workflows/${this.triggerId}`,
		);
		const renamed = nodes.map((one) => ({ ...one, name }));
		await api.request('PATCH', `/workflows/${this.triggerId}`, { nodes: renamed, connections: {}, versionId });
		await api.publish(this.triggerId);
	}

	async end(): Promise<void> {
		await this.site.api.unpublish(this.workflowId);
		await this.site.api.unpublish(this.triggerId);
	}
}

/** How often a trigger has read its delivery log, which is the last thing that it does when it looks after its endpoint. */
export async function looksAt({ control }: Pick<Site, 'control'>): Promise<number> {
	return (await control.requests()).filter(({ path }) => path.includes('/deliveries')).length;
}

/** What an execution put out of the wait, and how often it went on. */
export function outcomeOf(execution: Execution): {
	items: Array<{ json: unknown; pairedItem: unknown }>;
	runs: number;
} {
	const items = itemsOf(execution, WAIT).map(({ json, pairedItem }) => ({ json, pairedItem }));
	return { items, runs: execution.data.resultData.runData[WAIT]?.length ?? 0 };
}

/** How an execution ended that waited for one document. */
export interface GoneOn {
	documentId: string;
	status: string;
	/** How often the node has put something out. */
	runs: number;
	/** From the end of the document to the end of the execution, in milliseconds. */
	after: number;
}

/** The documents that were sent, each with the way it is to end, which a seed decides. */
export async function sendMany(
	{ service }: Site,
	count: number,
	seed: number,
): Promise<Array<{ document: Document; ending: Ending }>> {
	const random = seededRandom(seed);
	const plots: Array<{ document: Document; ending: Ending }> = [];
	for (let index = 0; index < count; index++) {
		const document = await service.send(`Contract ${index}`, [`p${index}@example.com`]);
		plots.push({ document, ending: ENDING_NAMES[index % ENDING_NAMES.length] as Ending });
	}
	return plots
		.map((plot) => ({ plot, at: random() }))
		.sort((one, other) => one.at - other.at)
		.map(({ plot }) => plot);
}

/**
 * Twenty executions wait at once, and their documents end in random order: what became of each, in the order of the
 * documents given.
 */
export async function twentyGoOn(
	runs: WaitingRuns,
	seed: number,
	whileAsleep: () => Promise<void> = async () => undefined,
): Promise<Array<GoneOn & { ending: Ending }>> {
	const { site } = runs;
	const plots = await sendMany(site, 20, seed);
	await Promise.all(plots.map(async ({ document }) => await runs.start([document.id])));
	await runs.asleep(20);
	await whileAsleep();
	const endedAt = new Map<string, number>();
	for (const { document, ending } of plots) {
		endedAt.set(document.id, Date.now());
		await ENDINGS[ending](document, site.control, site.service);
	}
	const executions = await runs.finished(20);
	return plots.map(({ document, ending }) => ({ ...goneOnFor(executions, document.id, endedAt), ending }));
}

/** What became of the execution that waited for a document. */
export function goneOnFor(executions: Execution[], documentId: string, endedAt: ReadonlyMap<string, number>): GoneOn {
	const [execution, ...others] = executions.filter((one) =>
		itemsOf(one, 'Each document').some(({ json }) => Object.values(json).includes(documentId)),
	);
	if (!execution || others.length > 0) throw new Error(`There is not one execution for ${documentId}`);
	const { items, runs } = outcomeOf(execution);
	const [{ json } = { json: {} }] = items;
	const { id = '', status = '' } = json as { id?: string; status?: string };
	const stoppedAt = Date.parse(String((execution as unknown as { stoppedAt: string }).stoppedAt));
	return { documentId: id, status, runs, after: stoppedAt - (endedAt.get(documentId) ?? 0) };
}
