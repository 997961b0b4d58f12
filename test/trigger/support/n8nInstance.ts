import { TriggerContext, type HookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	SchedulingFunctions,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { ESignTrigger } from '../../../nodes/ESign/ESignTrigger.node';
import type { ESignCredential } from '../../../harness/n8nCore/credentials';
import { N8n } from '../../../harness/n8nCore/n8n';
import { WebServer, type WebRequest, type WebResponse } from './webServer';

export const TRIGGER_TYPE = 'n8n-nodes-esign.eSignTrigger';

/** A workflow as n8n's database holds it. */
interface StoredWorkflow {
	id: string;
	node: Pick<INode, 'id' | 'name' | 'webhookId'> & { parameters: INodeParameters };
	staticData: IDataObject;
	active: boolean;
}

/** A trigger in n8n's memory: what it has on n8n's schedule, and how it is ended. */
interface RunningTrigger {
	ticks: Array<() => unknown>;
	close: () => Promise<void>;
}

interface TestListener {
	workflow: StoredWorkflow;
	staticData: IDataObject;
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * An n8n with a database, a web server and the trigger node, around n8n-core's own contexts. It keeps the order of n8n
 * 2.41: routes are stored before `checkExists`; static data is saved after the hooks, and after a delivery only when that
 * delivery started no execution; a hook that fails is followed by `delete`.
 */
export class N8nInstance {
	/** The items that executions were started with, by workflow id. */
	readonly executions: Array<{ workflowId: string; item: INodeExecutionData; test: boolean }> = [];

	readonly workflows = new Map<string, StoredWorkflow>();

	/** 1.x saves static data after every delivery. */
	savesWithExecution = false;

	/** What n8n does between `webhook` and its answer; may throw, as a queue that is down does. */
	beforeAnswer: () => Promise<void> = async () => undefined;

	/** What happens when a request comes in, before n8n looks whom it is for. */
	beforeRequest: () => Promise<void> = async () => undefined;

	/** Deliveries that are accepted and not yet answered. */
	pending = 0;

	/** The path in front of n8n, as WEBHOOK_URL gives it. */
	publicPath = '';

	readonly n8n: N8n;

	private readonly trigger = new ESignTrigger();

	private readonly server = new WebServer(async (request, response) => await this.receive(request, response));

	private readonly running = new Map<string, RunningTrigger>();

	private readonly listeners = new Map<string, TestListener>();

	private sequence = 0;

	constructor(credential: ESignCredential) {
		this.n8n = new N8n({ [TRIGGER_TYPE]: this.trigger }, credential);
	}

	async start(): Promise<void> {
		await this.server.start();
		for (const workflow of this.workflows.values()) if (workflow.active) await this.register(workflow, 'init');
	}

	/** As a crash: nothing is deregistered, and nobody listens any more. */
	async kill(): Promise<void> {
		this.running.clear();
		await this.server.stop();
	}

	/** n8n runs on, but nothing reaches it: its proxy, tunnel or DNS is down. */
	async cutOff(): Promise<void> {
		await this.server.stop();
	}

	async reconnect(): Promise<void> {
		await this.server.start();
	}

	/** What is on n8n's schedule once an hour has its turn. */
	async hourPasses(): Promise<void> {
		const ticks = [...this.running.values()].flatMap((trigger) => trigger.ticks);
		await Promise.all(ticks.map(async (tick) => await tick()));
	}

	get active(): StoredWorkflow[] {
		return [...this.workflows.values()].filter(({ active }) => active);
	}

	get publicUrl(): string {
		return `${this.server.url}${this.publicPath}`;
	}

	add(parameters: INodeParameters, stored: Partial<StoredWorkflow> = {}): StoredWorkflow {
		const n = ++this.sequence;
		const workflow: StoredWorkflow = {
			id: `workflow-${this.server.url.split(':').at(-1)}-${n}`,
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
		const trigger = this.running.get(workflow.id);
		this.running.delete(workflow.id);
		await Promise.all([this.hook('delete', workflow, workflow.staticData, 'update'), trigger?.close()]);
	}

	/** Listen for test event: hooks over empty static data and the `/webhook-test/` URL. */
	async listen(workflow: StoredWorkflow): Promise<void> {
		const listener: TestListener = { workflow, staticData: {} };
		this.listeners.set(workflow.id, listener);
		if (!(await this.hook('checkExists', workflow, listener.staticData, 'manual', true))) {
			await this.hook('create', workflow, listener.staticData, 'manual', true);
		}
	}

	async stopListening(workflow: StoredWorkflow): Promise<void> {
		const listener = this.listeners.get(workflow.id);
		this.listeners.delete(workflow.id);
		if (listener) await this.hook('delete', workflow, listener.staticData, 'update', true);
	}

	/** The endpoint that a test listener has at the service. */
	testEndpointOf(workflow: StoredWorkflow): { url: string; secret: string } {
		const data = this.listeners.get(workflow.id)?.staticData[`node:${workflow.node.name}`] as IDataObject | undefined;
		if (!data) throw new Error('Nobody listens to this workflow');
		return data.endpoint as { url: string; secret: string };
	}

	/** The items that a workflow's executions were started with. */
	itemsOf(workflow: StoredWorkflow): INodeExecutionData[] {
		return this.executions.filter(({ workflowId }) => workflowId === workflow.id).map(({ item }) => item);
	}

	private async register(workflow: StoredWorkflow, mode: WorkflowActivateMode): Promise<void> {
		const wasActive = workflow.active;
		workflow.active = true;
		try {
			if (!(await this.hook('checkExists', workflow, workflow.staticData, mode))) {
				await this.hook('create', workflow, workflow.staticData, mode);
			}
		} catch (error) {
			workflow.active = wasActive;
			await this.hook('delete', workflow, workflow.staticData, 'update');
			throw error;
		}
		await this.running.get(workflow.id)?.close();
		this.running.set(workflow.id, await this.startTrigger(workflow, mode));
	}

	/** Runs `trigger` over the static data of the activation, which n8n never reads again while the trigger runs. */
	private async startTrigger(workflow: StoredWorkflow, mode: WorkflowActivateMode): Promise<RunningTrigger> {
		const live = this.load(workflow, workflow.staticData);
		const hook = this.n8n.hookContext(live, workflow.node.name, { url: this.publicUrl, activation: mode });
		const ticks: RunningTrigger['ticks'] = [];
		const schedule: SchedulingFunctions = {
			registerCron: (_cron, onTick) => void ticks.push(() => onTick(new Date())),
		};
		const none = undefined;
		const context = new TriggerContext(
			live,
			hook.node,
			hook.additionalData,
			'trigger',
			mode,
			none,
			none,
			none,
			schedule,
		);
		const { closeFunction } = await this.trigger.trigger.call(context);
		return { ticks, close: async () => await closeFunction?.() };
	}

	/** Runs one hook over a copy of the static data, and saves it as n8n's database would. */
	private async hook(
		method: 'checkExists' | 'create' | 'delete',
		workflow: StoredWorkflow,
		staticData: IDataObject,
		mode: WorkflowActivateMode,
		test = false,
	): Promise<boolean> {
		const live = this.load(workflow, staticData);
		const executionMode = method === 'delete' ? 'internal' : test ? 'manual' : 'trigger';
		const context = this.n8n.hookContext(live, workflow.node.name, {
			url: this.publicUrl,
			mode: executionMode,
			activation: mode,
		});
		if (test) markAsTest(context);
		try {
			return await this.trigger.webhookMethods.default[method].call(context);
		} finally {
			save(live, staticData);
		}
	}

	private load({ id, node }: StoredWorkflow, staticData: IDataObject): Workflow {
		return this.n8n.workflow([{ ...copy(node), type: TRIGGER_TYPE }], { id, staticData: copy(staticData) });
	}

	private async receive(request: WebRequest, response: WebResponse): Promise<void> {
		await this.beforeRequest();
		const path = request.url?.slice(this.publicPath.length) ?? '';
		const [, kind, webhookId] = path.split('/');
		const test = kind === 'webhook-test';
		const listener = [...this.listeners.values()].find(({ workflow }) => workflow.node.webhookId === webhookId);
		const active = [...this.workflows.values()].find(({ active, node }) => active && node.webhookId === webhookId);
		const workflow = test ? listener?.workflow : active;
		const staticData = test ? listener?.staticData : active?.staticData;
		if (!workflow || !staticData) {
			response.status(404).send('The requested webhook is not registered');
			return;
		}
		const live = this.load(workflow, staticData);
		const context = this.n8n.webhookContext(live, workflow.node.name, {
			url: this.publicUrl,
			request,
			response,
			mode: test ? 'manual' : 'webhook',
		});
		const result = await this.trigger.webhook.call(context);
		if (result.workflowData && !result.noWebhookResponse) {
			this.pending++;
			await this.beforeAnswer().finally(() => this.pending--);
			for (const item of result.workflowData.flat()) this.executions.push({ workflowId: workflow.id, item, test });
		}
		if (!test && (!result.workflowData || this.savesWithExecution)) save(live, staticData);
		if (!result.noWebhookResponse) response.status(200).send(String(result.webhookResponse ?? 'Accepted'));
	}
}

function save(workflow: Workflow, staticData: IDataObject): void {
	if (!workflow.staticData.__dataChanged) return;
	for (const key of Object.keys(staticData)) delete staticData[key];
	Object.assign(staticData, copy(workflow.staticData));
}

/** n8n tells the context of a test listener in its webhook data, which sets the URL. */
function markAsTest(context: HookContext): void {
	Object.assign(context['webhookData'] ?? {}, { isTest: true });
}
