import type { INode, INodeParameters } from 'n8n-workflow';
import type { Execution } from '../../../support/n8nServer/apiClient';
import { seededRandom } from '../../../support/seededRandom';
import { ENDING_EVENTS } from '../../../../nodes/ESign/service/ending';
import { chain, eSign, itemsOf, postedRows } from '../../support/nodes';
import { postRows, Runs, type Site } from '../../support/runs';
import { untilLook } from '../../trigger/support/deliveries';
import { end, type Plot } from '../../trigger/support/stories';

export const WAIT = 'Wait';

const ENDINGS = ['completed', 'declined', 'cancelled', 'expired'] as const;

/**
 * Ten seconds on a machine of its own; more where others work beside it. What resumes at the hourly
 * look only takes far longer.
 */
const SOON_MS = 40_000;

/** The node that waits for a document. */
export function waitNode(
	credentialId: string,
	value: string,
	options: INodeParameters = {},
): INode {
	const documentId = { __rl: true, mode: 'id', value };
	return eSign(WAIT, 'eSign', credentialId, {
		resource: 'document',
		operation: 'wait',
		documentId,
		options,
	});
}

/** A workflow that waits for the documents that are posted to it, and the trigger that wakes it. */
export class WaitingRuns extends Runs {
	private constructor(
		readonly site: Site,
		workflowId: string,
		readonly trigger: Runs,
		private readonly path: string,
	) {
		super(site.n8n.api, workflowId);
	}

	/**
	 * Publishes both.
	 *
	 * @param options of Wait for Completion
	 */
	static async of(site: Site, path: string, options: INodeParameters = {}): Promise<WaitingRuns> {
		const trigger = await Runs.ofTrigger(site, { events: [...ENDING_EVENTS] });
		// Its first look asks for the documents that are waited for too, and is no part of what is
		// counted.
		await untilLook(site.service, async () => await trigger.publish());
		const { id } = await site.n8n.api.createWorkflow(
			chain(path, [...postedRows(path), waitNode(site.credentialId, '={{ $json.id }}', options)]),
		);
		return await new WaitingRuns(site, id, trigger, path).publish();
	}

	/** Starts one execution that waits for this document. */
	async start(id: string): Promise<void> {
		await postRows(this.site.n8n, this.path, [{ id }]);
	}

	/** Takes both out of service. */
	override async end(): Promise<void> {
		await super.end();
		await this.trigger.end();
	}

	/** Sends so many documents, each with the way it is to end, in an order that a seed decides. */
	async send(count: number, seed: number): Promise<Plot[]> {
		const random = seededRandom(seed);
		const plots: Array<Plot & { at: number }> = [];
		for (let index = 0; index < count; index++) {
			const document = await this.site.service.send(`Contract ${index}`, [`p${index}@example.com`]);
			plots.push({ document, story: ENDINGS[index % ENDINGS.length] ?? 'completed', at: random() });
		}
		return plots.sort((one, other) => one.at - other.at);
	}

	/**
	 * Starts one execution for each of these documents, at once; resolves when they and those before
	 * wait, `count` in all.
	 */
	async fallAsleep(plots: readonly Plot[], count = plots.length): Promise<void> {
		await Promise.all(plots.map(async ({ document }) => await this.start(document.id)));
		await this.asleep(count);
	}

	/** Every execution has gone on once, with the document that it waited for, as that has ended. */
	async expectGoneOn(plots: readonly Plot[], timeoutMs?: number): Promise<void> {
		const gone = (await this.settled(plots.length, timeoutMs)).map((execution) => {
			const [waitedFor] = itemsOf(execution, 'Rows').map(({ json }) => json.id);
			const { items, runs } = outcomeOf(execution);
			return [
				waitedFor,
				runs,
				...items.map(({ json }) => `${String(json.id)} ${String(json.status)}`),
			];
		});
		const wanted = plots.map(({ document: { id }, story }) => [id, 1, `${id} ${story}`]);
		expect(gone.sort()).toEqual(wanted.sort());
	}

	/**
	 * Twenty executions wait at once, and resume soon after their documents have ended in random
	 * order.
	 */
	async expectTwentyToGoOn(
		seed: number,
		whileAsleep: () => Promise<void> = async () => undefined,
	): Promise<void> {
		const plots = await this.send(20, seed);
		await this.fallAsleep(plots);
		await whileAsleep();
		for (const plot of plots) await end(this.site.service, plot);
		await this.expectGoneOn(plots, SOON_MS);
	}
}

/** What an execution put out of the wait, and how often it resumed. */
export function outcomeOf(execution: Execution) {
	const items = itemsOf(execution, WAIT).map(({ json, pairedItem }) => ({ json, pairedItem }));
	return { items, runs: execution.data.resultData.runData[WAIT]?.length ?? 0 };
}
