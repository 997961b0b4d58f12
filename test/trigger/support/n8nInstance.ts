import { TriggerContext, WorkflowExecute, type HookContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type SchedulingFunctions,
	type Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { ESignTrigger } from '../../../nodes/ESign/ESignTrigger.node';
import { receiveDelivery } from '../../../nodes/ESign/trigger/delivery/receive';
import { activate, remove } from '../../../nodes/ESign/trigger/endpoint/hooks';
import { watchEndpoint } from '../../../nodes/ESign/trigger/endpoint/watch';
import { TriggerProcess } from '../../../nodes/ESign/trigger/triggerState';
import { client } from '../../../nodes/ESign/client';
import type { ESignCredential } from '../../support/n8nCore/credentials';
import { N8n, nodeRun, type NodeRun } from '../../support/n8nCore/n8n';
import { nodeMemories } from '../../support/n8nCore/nodeMemory';
import { TestClock } from './testClock';
import { WebServer, type WebRequest, type WebResponse } from './webServer';

export const TRIGGER_TYPE = 'n8n-nodes-esign.eSignTrigger';

/** A workflow as n8n's database holds it. */
export interface StoredWorkflow {
	id: string;
	node: Pick<INode, 'id' | 'name' | 'webhookId'> & { parameters: INodeParameters };
	staticData: IDataObject;
	active: boolean;
}

/** A trigger in n8n's memory. */
interface RunningTrigger extends ReturnType<typeof watchEndpoint> {
	/** The workflow as it was activated, static data included. */
	live: Workflow;
	/** What it has on n8n's schedule, each once a minute. */
	everyMinute: Array<() => unknown>;
}

const HOOKS = { checkExists: activate, delete: remove };

/**
 * The clock of all n8n in a test file: it stands still until something is to happen in the
 * background.
 */
export const clock = new TestClock();

/** It outlives whatever happens to an n8n. */
const memories = nodeMemories();

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

let sequence = 0;

/**
 * An n8n with a database, a web server and the trigger node, around n8n-core's own contexts. It
 * keeps the order of n8n 2.41: routes are stored before `checkExists`; static data is saved after
 * the hooks, and after a delivery only when that delivery started no execution; a hook that fails
 * is followed by `delete`.
 */
export class N8nInstance {
	/** What the trigger has put out in executions, by workflow id. */
	readonly executions: Array<{ workflowId: string; item: INodeExecutionData; test: boolean }> = [];
	readonly workflows = new Map<string, StoredWorkflow>();
	/** 1.x saves static data after every delivery. */
	savesWithExecution = false;
	/** What n8n does between `webhook` and its answer; may throw, as a queue that is down does. */
	beforeAnswer: () => Promise<void> = async () => undefined;
	/** What comes between what a request wrote to static data and n8n's saving of it. */
	beforeSave: () => Promise<void> = async () => undefined;
	/** What happens to an answer on its way out. */
	onAnswer: (response: WebResponse) => void = () => undefined;
	/**
	 * Whether an activation waits until the trigger has looked after its endpoint for the first time.
	 */
	waitsForLook = true;
	/** When n8n saves what the hooks of an activation have written. */
	savesHooks: 'at once' | 'late' | 'never' = 'at once';
	/** Whether another process than that of the hooks receives the deliveries, as in queue mode. */
	inQueueMode = false;

	/** Answers what is called here and is no webhook of a trigger: an execution that waits. */
	otherwise?: (request: WebRequest, response: WebResponse) => Promise<void>;

	/** Deliveries that are accepted and not yet answered. */
	pending = 0;
	readonly n8n: N8n;
	/**
	 * What the process of the hooks, and the one that receives deliveries in queue mode, keep in
	 * memory.
	 */
	private main = new TriggerProcess();
	private webhookProcess = new TriggerProcess();
	private late: Array<() => void> = [];
	private server = this.newServer();
	private readonly running = new Map<string, RunningTrigger>();
	private readonly listeners = new Map<string, StoredWorkflow>();

	constructor(credential: ESignCredential) {
		Object.assign(client.settings, { clock });
		this.n8n = new N8n({ [TRIGGER_TYPE]: new ESignTrigger() }, credential);
	}

	async start(): Promise<void> {
		await memories;
		await this.server.start();
		for (const workflow of this.workflows.values())
			if (workflow.active) await this.register(workflow, 'init');
	}

	/**
	 * As a crash: nothing is deregistered, nobody listens any more, and what was in memory is gone.
	 */
	async kill(): Promise<void> {
		for (const { closeFunction } of this.running.values()) void closeFunction?.();
		this.running.clear();
		this.late = [];
		this.main = new TriggerProcess();
		this.webhookProcess = new TriggerProcess();
		this.server.stop();
	}

	/** As somebody who gives a stopped n8n another address: nothing is at the old one any more. */
	async move(): Promise<void> {
		await this.kill();
		await this.server.close();
		this.server = this.newServer();
	}

	private newServer(): WebServer {
		return new WebServer(async (request, response) => await this.receive(request, response));
	}

	/** As a user stops it for good. */
	async end(): Promise<void> {
		for (const workflow of this.active) await this.deactivate(workflow);
		await this.kill();
		await this.server.close();
	}

	/** n8n runs on, but nothing reaches it: its proxy, tunnel or DNS is down. */
	cutOff(): void {
		this.server.stop();
	}

	async reconnect(): Promise<void> {
		await this.server.start();
	}

	async hourPasses(): Promise<void> {
		await clock.pass(3_600_000);
		await this.tick(0);
	}

	/** What is on n8n's schedule has its turn twice. */
	async minutePasses(): Promise<void> {
		for (const half of [0, 1]) {
			await clock.pass(30_000);
			await this.tick(half);
		}
	}

	private async tick(half: number): Promise<void> {
		const running = [...this.running.values()];
		await clock.during(
			Promise.all(running.map(async ({ everyMinute }) => await everyMinute[half]?.())),
		);
	}

	/** Resolves when the running triggers have looked after their endpoints for the first time. */
	async looked(): Promise<void> {
		await clock.during(
			Promise.all([...this.running.values()].map(async ({ firstLook }) => await firstLook)),
		);
	}

	/** What n8n has not yet saved is saved: as it was then, over whatever was saved since. */
	saveLate(): void {
		for (const save of this.late.splice(0)) save();
	}

	/**
	 * Another trigger of the same workflow emits: n8n saves the static data as it was at the
	 * activation.
	 */
	otherTriggerEmits(workflow: StoredWorkflow): void {
		const running = this.running.get(workflow.id);
		if (running) replace(workflow.staticData, running.live);
	}

	get active(): StoredWorkflow[] {
		return [...this.workflows.values()].filter(({ active }) => active);
	}

	get publicUrl(): string {
		return this.server.url;
	}

	add(parameters: INodeParameters, stored: Partial<StoredWorkflow> = {}): StoredWorkflow {
		const n = ++sequence;
		const workflow: StoredWorkflow = {
			id: `workflow-${n}`,
			node: { id: `node-${n}`, name: 'eSign Trigger', webhookId: `hook-${n}`, parameters },
			staticData: {},
			active: false,
			...stored,
		};
		this.workflows.set(workflow.id, workflow);
		return workflow;
	}

	productionUrl(workflow: StoredWorkflow): string {
		return `${this.publicUrl}/webhook/${workflow.node.webhookId}/webhook`;
	}

	async activate(workflow: StoredWorkflow, mode: WorkflowActivateMode = 'activate'): Promise<void> {
		await this.register(workflow, mode);
		workflow.active = true;
	}

	async deactivate(workflow: StoredWorkflow): Promise<void> {
		workflow.active = false;
		void this.running.get(workflow.id)?.closeFunction?.();
		this.running.delete(workflow.id);
		const live = this.load(workflow);
		await this.hook('delete', live, 'update');
		save(live, workflow.staticData);
	}

	/** Listen for test event: hooks over empty static data and the `/webhook-test/` URL. */
	async listen(workflow: StoredWorkflow): Promise<void> {
		const listener = { ...workflow, staticData: {} };
		this.listeners.set(workflow.id, listener);
		const live = this.load(listener);
		await this.hook('checkExists', live, 'manual', true);
		save(live, listener.staticData);
	}

	async stopListening(workflow: StoredWorkflow): Promise<void> {
		const listener = this.listeners.get(workflow.id) ?? workflow;
		this.listeners.delete(workflow.id);
		await this.hook('delete', this.load(listener), 'update', true);
	}

	/** The output of the trigger in the execution that an item started. */
	async outputOf(
		workflow: StoredWorkflow,
		item: INodeExecutionData,
		mode: WorkflowExecuteMode = 'webhook',
		executionId?: string,
	): Promise<NodeRun> {
		const live = this.load({ ...workflow, staticData: {} });
		const node = live.getNode(workflow.node.name);
		if (!node) throw new Error('The workflow has no trigger');
		const runData = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: [[item]] }, source: null }] },
		});
		const run = new WorkflowExecute(
			this.n8n.additionalData(live, mode, executionId),
			mode,
			runData,
		).processRunExecutionData(live);
		return nodeRun(await clock.during(run), node.name);
	}

	/** The items that a workflow's executions were started with. */
	itemsOf(workflow: StoredWorkflow): INodeExecutionData[] {
		return this.executions
			.filter(({ workflowId }) => workflowId === workflow.id)
			.map(({ item }) => item);
	}

	private async register(workflow: StoredWorkflow, mode: WorkflowActivateMode): Promise<void> {
		const wasActive = workflow.active;
		workflow.active = true;
		void this.running.get(workflow.id)?.closeFunction?.();
		const live = this.load(workflow);
		// n8n 2.41 runs `trigger` beside the hooks, over the same workflow, and saves its static data
		// after both.
		const trigger = this.startTrigger(live, workflow, mode);
		try {
			await this.hook('checkExists', live, mode);
		} catch (error) {
			await this.hook('delete', live, 'update');
			save(live, workflow.staticData);
			void trigger.closeFunction?.();
			workflow.active = wasActive;
			throw error;
		}
		this.running.set(workflow.id, trigger);
		if (this.savesHooks === 'at once') save(live, workflow.staticData);
		const then = copy(live.staticData);
		if (this.savesHooks === 'late')
			this.late.push(() => replace(workflow.staticData, { staticData: then }));
		if (this.waitsForLook) await this.looked();
	}

	/**
	 * Runs `trigger` over the static data of the activation, which n8n never reads again while the
	 * trigger runs.
	 */
	private startTrigger(
		live: Workflow,
		{ node }: StoredWorkflow,
		activation: WorkflowActivateMode,
	): RunningTrigger {
		const everyMinute: RunningTrigger['everyMinute'] = [];
		const registerCron: SchedulingFunctions['registerCron'] = (_cron, onTick) =>
			void everyMinute.push(() => onTick(new Date()));
		const hook = this.n8n.hookContext(live, node.name, { url: this.publicUrl, activation });
		return {
			live,
			everyMinute,
			...watchEndpoint(triggerContext(live, hook, registerCron), this.main),
		};
	}

	private async hook(
		method: keyof typeof HOOKS,
		live: Workflow,
		activation: WorkflowActivateMode,
		isTest = false,
	): Promise<void> {
		const mode = method === 'delete' ? 'internal' : isTest ? 'manual' : 'trigger';
		const [name = ''] = Object.keys(live.nodes);
		const context = this.n8n.hookContext(live, name, {
			url: this.publicUrl,
			mode,
			activation,
			isTest,
		});
		return await clock.during(HOOKS[method](context, this.main));
	}

	/** Runs the trigger's own `execute`; files are fetched by the tests that want them. */
	private async execute(
		workflow: StoredWorkflow,
		received: INodeExecutionData,
		test: boolean,
	): Promise<void> {
		const { options, ...parameters } = workflow.node.parameters;
		const node = {
			...workflow.node,
			parameters: { ...parameters, options: { ...(options as object), downloadFiles: [] } },
		};
		const mode = test ? 'manual' : 'webhook';
		const { items } = await this.outputOf({ ...workflow, node }, received, mode);
		for (const item of items) this.executions.push({ workflowId: workflow.id, item, test });
	}

	private load({ id, node, staticData }: StoredWorkflow): Workflow {
		return this.n8n.workflow([{ ...copy(node), type: TRIGGER_TYPE }], {
			id,
			staticData: copy(staticData),
		});
	}

	private async receive(request: WebRequest, response: WebResponse): Promise<void> {
		const [, kind, webhookId] = request.url?.split('/') ?? [];
		const test = kind === 'webhook-test';
		const listening = test ? [...this.listeners.values()] : this.active;
		const workflow = listening.find(({ node }) => node.webhookId === webhookId);
		if (kind === 'webhook-waiting' && this.otherwise)
			return await this.otherwise(request, response);
		if (!workflow) {
			response.status(404).send('The requested webhook is not registered');
			return;
		}
		const live = this.load(workflow);
		const context = this.n8n.webhookContext(live, workflow.node.name, {
			url: this.publicUrl,
			request,
			response,
			mode: test ? 'manual' : 'webhook',
		});
		const result = await receiveDelivery(
			context,
			this.inQueueMode && !test ? this.webhookProcess : this.main,
		);
		if (result.workflowData && !result.noWebhookResponse) {
			this.pending++;
			await this.beforeAnswer().finally(() => this.pending--);
			for (const received of result.workflowData.flat())
				await this.execute(workflow, received, test);
		}
		if (!test && (!result.workflowData || this.savesWithExecution)) {
			if (live.staticData.__dataChanged) await this.beforeSave();
			save(live, workflow.staticData);
		}
		this.onAnswer(response);
		if (!result.noWebhookResponse)
			response.status(200).send(String(result.webhookResponse ?? 'Accepted'));
	}
}

/** What `trigger` gets of n8n. */
export function triggerContext(
	workflow: Workflow,
	hook: HookContext,
	registerCron: SchedulingFunctions['registerCron'],
): TriggerContext {
	const [mode, activation, none] = [hook.getMode(), hook.getActivationMode(), undefined];
	const { node, additionalData } = hook;
	return new TriggerContext(workflow, node, additionalData, mode, activation, none, none, none, {
		registerCron,
	});
}

/** What n8n's database holds of one kind for the trigger of a workflow, and is not gone, by id. */
export function storedOf(
	{ node, staticData }: StoredWorkflow,
	kind: 'endpoint' | 'wait',
): Record<string, IDataObject> {
	const { [`eSign/${node.id}`]: known } = (staticData.global ?? {}) as IDataObject;
	const { [kind]: stored = [] } = (known ?? {}) as Record<string, Array<IDataObject>>;
	const there = stored.filter(({ isRemoved }) => !isRemoved);
	return Object.fromEntries(there.map((entry) => [entry.id, entry]));
}

function save(workflow: Workflow, staticData: IDataObject): void {
	if (!workflow.staticData.__dataChanged) return;
	replace(staticData, workflow);
}

function replace(staticData: IDataObject, saved: Pick<Workflow, 'staticData'>): void {
	for (const key of Object.keys(staticData)) delete staticData[key];
	Object.assign(staticData, copy(saved.staticData));
}
