import { WorkflowExecute } from 'n8n-core';
import {
	WAIT_INDEFINITELY,
	type INodeExecutionData,
	type INodeParameters,
	type IRunExecutionData,
	type Workflow,
} from 'n8n-workflow';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { ENDING_EVENTS } from '../../../nodes/ESign/service/ending';
import type { ESignCredential } from '../../support/n8nCore/credentials';
import { N8n, nodeRun, type NodeRun } from '../../support/n8nCore/n8n';
import { WAKE_PATH } from '../../../nodes/ESign/waiting/wakeUrl';
import { N8nInstance, type StoredWorkflow } from '../../trigger/support/n8nInstance';
import type { WebRequest, WebResponse } from '../../trigger/support/webServer';

const TYPE = 'n8n-nodes-esign.eSign';

/** What n8n's database holds of an execution. */
interface SavedExecution {
	status: 'running' | 'waiting' | 'success' | 'error';
	parameters: INodeParameters;
	/** As text, which is what an execution survives as. */
	data?: string;
	/** How often the node has put something out. */
	runs: NodeRun[];
}

let sequence = 0;

/**
 * An n8n whose executions wait: the trigger with its web server, and the action node. It treats a
 * call of a waiting execution as n8n 2.41 does (waiting-webhooks.js, webhook-helpers.js), and has
 * the answer of each.
 */
export class WaitingN8n {
	readonly executions = new Map<string, SavedExecution>();
	/** What waiting executions were called with, and the answers. */
	readonly calls: Array<{ execution: string; body: unknown; status: number }> = [];

	/**
	 * Those that came while it was asleep, or since: before that the node itself makes one, to prove
	 * the way.
	 */
	get wakes(): Array<{ execution: string; status: number }> {
		return this.calls.filter(
			({ execution }, index) =>
				this.calls.findIndex((one) => one.execution === execution) !== index,
		);
	}

	/**
	 * What happens between the end of the node and the moment at which n8n has saved that the
	 * execution waits.
	 */
	beforeAsleep: () => Promise<void> = async () => undefined;
	/** What an execution waits for that is to resume, as for a free slot under a concurrency limit. */
	beforeSlot: () => Promise<void> = async () => undefined;
	/** Whether it answers as n8n 1.x does, before it starts an execution. */
	answersFirst = false;
	/** How often it fails to start an execution, which n8n 1.x has said by then to resume. */
	failedStarts = 0;
	readonly node: N8n;

	private constructor(
		readonly trigger: N8nInstance,
		credential: ESignCredential,
	) {
		this.node = new N8n({ [TYPE]: new ESign() }, credential);
		trigger.otherwise = async (request, response) => await this.called(request, response);
	}

	static async start(credential: ESignCredential): Promise<WaitingN8n> {
		const trigger = new N8nInstance(credential);
		await trigger.start();
		return new WaitingN8n(trigger, credential);
	}

	/** Publishes a workflow with the trigger alone. */
	async publish(events: readonly string[] = ENDING_EVENTS): Promise<StoredWorkflow> {
		const workflow = this.trigger.add({ events: [...events] });
		await this.trigger.activate(workflow);
		return workflow;
	}

	/** Runs Wait for Completion in an execution of its own. */
	async wait(
		parameters: INodeParameters,
		items: INodeExecutionData[] = [{ json: {} }],
		settings: { onError?: 'continueRegularOutput' } = {},
	): Promise<{ id: string; run: NodeRun }> {
		const id = `${1000 + ++sequence}`;
		const asked = { resource: 'document', operation: 'wait', ...parameters };
		const saved: SavedExecution = { status: 'running', parameters: asked, runs: [] };
		this.executions.set(id, saved);
		const run = await this.node.runNode(TYPE, {
			parameters: asked,
			items,
			settings,
			mode: 'trigger',
			executionId: id,
			workflowId: 'waits',
			publicUrl: this.trigger.publicUrl,
		});
		await this.beforeAsleep();
		this.save(saved, run);
		return { id, run };
	}

	/** What an execution put out since it fell asleep; undefined while it sleeps. */
	outputOf(id: string): NodeRun | undefined {
		const saved = this.executions.get(id);
		return saved?.status === 'waiting' ? undefined : saved?.runs.at(-1);
	}

	/** How often an execution has gone on. */
	timesGoneOn(id: string): number {
		return Math.max(0, (this.executions.get(id)?.runs.length ?? 0) - 1);
	}

	/** The limit of an execution that waits is reached: n8n starts it again. */
	async timeIsUp(id: string): Promise<void> {
		const saved = this.waiting(id);
		const data = JSON.parse(saved.data ?? '') as IRunExecutionData;
		data.waitTill = new Date(data.waitTill ?? 0);
		await this.goOn(id, saved, data);
	}

	/** When an execution resumes by itself; undefined without a limit. */
	limitOf(id: string): Date | undefined {
		const { waitTill } = JSON.parse(this.waiting(id).data ?? '') as { waitTill: string };
		const until = new Date(waitTill);
		return until.getTime() === WAIT_INDEFINITELY.getTime() ? undefined : until;
	}

	async end(): Promise<void> {
		await this.trigger.end();
	}

	private waiting(id: string): SavedExecution {
		const saved = this.executions.get(id);
		if (saved?.status !== 'waiting') throw new Error(`Execution ${id} does not wait`);
		return saved;
	}

	private save(saved: SavedExecution, run: NodeRun): void {
		saved.runs.push(run);
		const isAsleep = run.run.data.waitTill !== undefined;
		saved.status = run.error ? 'error' : isAsleep ? 'waiting' : 'success';
		saved.data = JSON.stringify(run.run.data);
	}

	private workflowOf({ parameters }: SavedExecution): Workflow {
		return this.node.chain(TYPE, { parameters, workflowId: 'waits' });
	}

	private async goOn(id: string, saved: SavedExecution, data: IRunExecutionData): Promise<void> {
		const workflow = this.workflowOf(saved);
		const additionalData = this.node.additionalData(
			workflow,
			'trigger',
			id,
			this.trigger.publicUrl,
		);
		saved.status = 'running';
		const run = await new WorkflowExecute(additionalData, 'trigger', data).processRunExecutionData(
			workflow,
		);
		this.save(saved, nodeRun(run, 'eSign'));
	}

	private async called(request: WebRequest, response: WebResponse): Promise<void> {
		const [, , id = '', suffix] = new URL(request.url ?? '', 'http://n8n').pathname.split('/');
		const body: unknown = JSON.parse(request.rawBody?.toString('utf8') ?? 'null');
		request.body = body;
		response.once('finish', () =>
			this.calls.push({ execution: id, body, status: response.statusCode }),
		);
		const refuseWith = (status: number, message: string) => {
			response.statusCode = status;
			response
				.setHeader('content-type', 'application/json')
				.end(JSON.stringify({ code: status, message }));
		};
		const saved = this.executions.get(id);
		if (!saved) return refuseWith(404, `The execution "${id}" does not exist.`);
		if (suffix !== WAKE_PATH)
			return refuseWith(
				404,
				`The workflow for execution "${id}" does not contain a waiting webhook`,
			);
		if (saved.status === 'running')
			return refuseWith(409, `The execution "${id}" is running already.`);
		if (saved.status !== 'waiting')
			return refuseWith(409, `The execution "${id} has finished already.`);

		const data = JSON.parse(saved.data ?? '') as IRunExecutionData;
		const [next] = data.executionData?.nodeExecutionStack ?? [];
		if (!next) throw new Error(`Execution ${id} has nothing to resume with`);
		next.node.disabled = true;
		data.waitTill = undefined;
		data.resultData.runData.eSign?.pop();
		const workflow = this.workflowOf(saved);
		const call = { request, response, executionId: id, data, url: this.trigger.publicUrl };
		const context = this.node.webhookContext(workflow, 'eSign', { ...call, mode: 'trigger' });
		if (this.answersFirst) Object.assign(context, { establishTriggerIdentity: undefined });
		const result = await new ESign().webhook.call(context);
		const isStarted = this.failedStarts === 0 || !result.workflowData;
		if (!isStarted) this.failedStarts--;
		if (!isStarted && !this.answersFirst) return refuseWith(500, 'The execution was not started');
		if (result.workflowData && isStarted) {
			await this.beforeSlot();
			// Of two calls at once the second finds that the first has taken the execution.
			if (this.executions.get(id)?.status !== 'waiting')
				return refuseWith(500, 'The execution is already resuming');
			next.data.main = result.workflowData;
			await this.goOn(id, saved, data);
		}
		if (!result.noWebhookResponse) response.status(200).send(result.webhookResponse);
	}
}
