import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse, stringify } from 'flatted';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	ExecutionLifecycleHooks,
	HookContext,
	LoadOptionsContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	type IBinaryData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type IWebhookData,
	type NodeExecutionHint,
	Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { TestCredentials, type ESignCredential } from './credentials';
import { nodeMemories } from './nodeMemory';
import './patientRegex';

/** The types under test and the one that hands staged items to them, by n8n's full type name. */
function nodeTypes(types: Record<string, INodeType>): INodeTypes {
	const all: Record<string, INodeType> = { ...types, 'test.items': new StagedItems() };
	const find = (name: string) => {
		const type = all[name];
		if (!type) throw new Error(`No node type ${name} in this test`);
		return type;
	};
	return {
		getByName: find,
		getByNameAndVersion: find,
		getKnownTypes: () => ({}),
	};
}

/** Emits the items that its `staged` registry holds under the node's workflow id. */
class StagedItems implements INodeType {
	static readonly staged = new Map<string, INodeExecutionData[]>();

	description = {
		displayName: 'Items',
		name: 'items',
		group: ['trigger' as const],
		version: 1,
		description: 'Emits the items of a test',
		defaults: {},
		inputs: [],
		outputs: ['main' as const],
		properties: [],
	};

	async execute(this: { getWorkflow(): { id?: string } }): Promise<INodeExecutionData[][]> {
		return [StagedItems.staged.get(this.getWorkflow().id ?? '') ?? []];
	}
}

/** What one run of a node gave. */
export interface NodeRun {
	/** Items of the first output; empty when the node failed. */
	items: INodeExecutionData[];
	/** Items of every output. */
	outputs: INodeExecutionData[][];
	/** The error the node failed with, as n8n keeps it. */
	error?: Error & {
		description?: string | null;
		httpCode?: string | null;
		context?: IDataObject;
		node?: INode;
	};
	hints: NodeExecutionHint[];
	run: IRun;
}

export interface RunNodeOptions {
	/** Parameters as a saved workflow holds them; n8n adds the defaults. */
	parameters: INodeParameters;
	/** Input items; one empty item when left out. */
	items?: INodeExecutionData[];
	/** Retry On Fail, On Error and the other settings of the node. */
	settings?: Partial<
		Pick<INode, 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'onError' | 'continueOnFail'>
	>;
	workflowSettings?: IWorkflowSettings;
	mode?: WorkflowExecuteMode;
	/** Aborting it cancels the execution as the Stop button does. */
	signal?: AbortSignal;
	/** Of the workflow and the execution; left out, each run has new ones. */
	workflowId?: string;
	executionId?: string;
	/** Where this n8n is reached. */
	publicUrl?: string;
}

let sequence = 0;

/**
 * n8n has saved no node: of one that was stopped it knows when it began, and which node was next; of
 * one that was killed when it began; of a sub-workflow that has crashed not even that.
 */
type Lost = 'stopped' | 'killed' | 'crashed';

/**
 * Runs nodes inside n8n-core, as a server does: real WorkflowExecute, real contexts, real HTTP and
 * binary helpers. Only the database is missing: credentials, static data and executions live in
 * memory.
 */
export class N8n {
	readonly credentials = new TestCredentials();

	/** What `$vars` gives in expressions. */
	readonly variables: IDataObject = {};

	private readonly types: INodeTypes;

	/**
	 * @param types node types by full name, for example `{ 'n8n-nodes-esign.eSign': new ESign() }`
	 */
	constructor(types: Record<string, INodeType>, credential: ESignCredential) {
		this.types = nodeTypes(types);
		nodeMemories();
		this.credentials.use(credential);
	}

	/**
	 * The static data that a server would keep of the node of a workflow; assign to simulate a
	 * restored one.
	 */
	staticData(workflow: Workflow, node: string): IDataObject {
		return workflow.getStaticData('node', workflow.getNode(node) ?? undefined);
	}

	/** A workflow that holds the nodes given; the credential is attached to each of our own. */
	workflow(
		nodes: Array<Partial<INode> & { name: string; type: string }>,
		options: Partial<IWorkflowBase> = {},
	): Workflow {
		return new Workflow({
			id: options.id ?? `wf${++sequence}`,
			name: options.name ?? 'Test workflow',
			nodes: nodes.map((node, index) => ({
				id: `${index}`,
				typeVersion: 1,
				position: [index * 200, 0],
				parameters: {},
				...(node.type.startsWith('n8n-nodes-esign.') && {
					credentials: { eSignApi: { id: this.credentials.id, name: 'eSign' } },
				}),
				...node,
			})),
			connections: options.connections ?? {},
			active: false,
			nodeTypes: this.types,
			staticData: options.staticData,
			settings: options.settings,
		});
	}

	/**
	 * Runs one node on staged items in a whole workflow execution. A failed node does not throw: see
	 * `error`.
	 */
	async runNode(type: string, options: RunNodeOptions): Promise<NodeRun> {
		const workflow = this.chain(type, options);
		StagedItems.staged.set(workflow.id, options.items ?? [{ json: {} }]);
		try {
			const run = await this.execute(workflow, 'Items', options);
			return nodeRun(run, 'eSign');
		} finally {
			StagedItems.staged.delete(workflow.id);
		}
	}

	/**
	 * As `retry`, of what `runNode` gave.
	 *
	 * @param isLost n8n has saved nothing of what the nodes did, as when the worker was
	 */
	async retryNode(
		type: string,
		{ run }: NodeRun,
		options: Omit<RunNodeOptions, 'items'>,
		lost?: Lost,
	): Promise<NodeRun> {
		const workflow = this.chain(type, { workflowId: workflowIds.get(run), ...options });
		return nodeRun(await this.retry(workflow, run, { ...options, lost }), 'eSign');
	}

	/**
	 * "Retry execution", as n8n's server does it: what was saved of the failed execution is loaded,
	 * the failed run of its last node removed, and the stack run on in a new execution, with the
	 * workflow as it is saved by now.
	 */
	async retry(
		workflow: Workflow,
		failed: IRun,
		{
			executionId,
			signal,
			lost,
		}: Pick<RunNodeOptions, 'executionId' | 'signal'> & { lost?: Lost } = {},
	): Promise<IRun> {
		const saved = parse(savedRuns.get(failed) ?? '') as IRunExecutionData;
		delete saved.resultData.error;
		if (lost) saved.resultData.runData = {};
		if (lost && saved.executionData) saved.executionData.contextData = {};
		const [start] = Object.values(workflow.nodes);
		const isFromStart = lost === 'killed' || lost === 'crashed';
		if (isFromStart && saved.executionData && start) {
			StagedItems.staged.set(
				workflow.id,
				saved.executionData.nodeExecutionStack[0]?.data.main?.[0] ?? [],
			);
			if (lost === 'crashed') delete saved.executionData.runtimeData;
			saved.executionData.nodeExecutionStack = [
				{ node: start, data: { main: [[{ json: {} }]] }, source: null },
			];
		}
		const stack = saved.executionData?.nodeExecutionStack ?? [];
		saved.resultData.runData[stack[0]?.node.name ?? '']?.pop();
		for (const waiting of stack) waiting.node = nodeOf(workflow, waiting.node.name);
		const additionalData = this.additionalData(workflow, 'retry', executionId);
		const execution = new WorkflowExecute(additionalData, 'retry', saved).processRunExecutionData(
			workflow,
		);
		signal?.addEventListener('abort', () => execution.cancel(), { once: true });
		return save(await execution, workflow);
	}

	/** The node under test behind one that emits the items. */
	chain(
		type: string,
		{ parameters, settings, workflowId, workflowSettings }: Omit<RunNodeOptions, 'items'>,
	): Workflow {
		return this.workflow(
			[
				{ name: 'Items', type: 'test.items' },
				{ name: 'eSign', type, parameters, ...settings },
			],
			{
				id: workflowId,
				connections: { Items: { main: [[{ node: 'eSign', type: 'main', index: 0 }]] } },
				settings: workflowSettings,
			},
		);
	}

	/** Runs a workflow from the node named. */
	async execute(
		workflow: Workflow,
		from: string,
		options: Pick<RunNodeOptions, 'mode' | 'signal' | 'executionId' | 'publicUrl'> = {},
	): Promise<IRun> {
		const mode = options.mode ?? 'manual';
		const additionalData = this.additionalData(
			workflow,
			mode,
			options.executionId,
			options.publicUrl,
		);
		const execution = new WorkflowExecute(additionalData, mode).run({
			workflow,
			startNode: workflow.getNode(from) ?? undefined,
		});
		options.signal?.addEventListener('abort', () => execution.cancel(), { once: true });
		return save(await execution, workflow);
	}

	/**
	 * The context that `checkExists`, `create` and `delete` of a trigger get; in mode `manual`, while
	 * it listens for a test event.
	 */
	hookContext(
		workflow: Workflow,
		nodeName: string,
		options: {
			url: string;
			mode?: WorkflowExecuteMode;
			activation?: WorkflowActivateMode;
			isTest?: boolean;
		},
	): HookContext {
		const { url, mode = 'trigger', activation = 'activate', isTest = mode === 'manual' } = options;
		const node = nodeOf(workflow, nodeName);
		const additionalData = this.additionalData(workflow, mode, undefined, url);
		return new HookContext(
			workflow,
			node,
			additionalData,
			mode,
			activation,
			this.webhookData(workflow, node, isTest),
		);
	}

	/**
	 * The context that `webhook` of a node gets for one HTTP request; of a node that waits, with its
	 * execution.
	 */
	webhookContext(
		workflow: Workflow,
		nodeName: string,
		options: {
			url?: string;
			request: IncomingMessage;
			response: ServerResponse;
			mode?: WorkflowExecuteMode;
			executionId?: string;
			data?: IRunExecutionData;
		},
	): WebhookContext {
		const { mode = 'webhook', executionId, data = null } = options;
		const node = nodeOf(workflow, nodeName);
		const additionalData = this.additionalData(workflow, mode, executionId, options.url);
		Object.assign(additionalData, { httpRequest: options.request, httpResponse: options.response });
		const webhookData = this.webhookData(workflow, node, mode === 'manual');
		return new WebhookContext(workflow, node, additionalData, mode, webhookData, [], data);
	}

	/**
	 * The context that list searches, dropdowns and resource mappers get while the editor shows
	 * `parameters`.
	 */
	loadOptionsContext(type: string, parameters: INodeParameters, path = ''): LoadOptionsContext {
		const workflow = this.workflow([{ name: 'eSign', type, parameters }]);
		const additionalData = this.additionalData(workflow, 'internal');
		additionalData.currentNodeParameters = parameters;
		return new LoadOptionsContext(workflow, nodeOf(workflow, 'eSign'), additionalData, path);
	}

	private webhookData(workflow: Workflow, node: INode, isTest: boolean): IWebhookData {
		const { description } = this.types.getByNameAndVersion(node.type) as INodeType;
		const webhookDescription = description.webhooks?.[0];
		if (!webhookDescription) throw new Error(`${node.type} has no webhook`);
		return {
			httpMethod: 'POST',
			node: node.name,
			path: `${node.webhookId ?? ''}/webhook`,
			webhookDescription,
			isTest,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: this.additionalData(workflow, 'trigger'),
		};
	}

	/** What the server knows of an execution. */
	additionalData(
		workflow: Workflow,
		mode: WorkflowExecuteMode,
		executionId = `${++sequence}`,
		publicUrl = 'http://127.0.0.1:5678',
	): IWorkflowExecuteAdditionalData {
		const base = publicUrl.replace(/\/+$/, '');
		const workflowData: IWorkflowBase = {
			id: workflow.id,
			name: workflow.name ?? '',
			nodes: Object.values(workflow.nodes),
			connections: workflow.connectionsBySourceNode,
			active: false,
			activeVersionId: null,
			isArchived: false,
			createdAt: new Date(),
			updatedAt: new Date(),
			settings: workflow.settings,
		};
		const data: Partial<IWorkflowExecuteAdditionalData> = {
			credentialsHelper: this.credentials,
			executionId,
			hooks: new ExecutionLifecycleHooks(mode, executionId, workflowData),
			currentNodeExecutionIndex: 0,
			restApiUrl: `${base}/rest`,
			instanceBaseUrl: base,
			formBaseUrl: `${base}/form`,
			formWaitingBaseUrl: `${base}/form-waiting`,
			formTestBaseUrl: `${base}/form-test`,
			webhookBaseUrl: `${base}/webhook`,
			webhookWaitingBaseUrl: `${base}/webhook-waiting`,
			webhookTestBaseUrl: `${base}/webhook-test`,
			mcpBaseUrl: `${base}/mcp`,
			mcpTestBaseUrl: `${base}/mcp-test`,
			variables: this.variables,
			setExecutionStatus: () => undefined,
			logAiEvent: () => undefined,
		};
		return data as IWorkflowExecuteAdditionalData;
	}
}

/** Chooses where n8n-core keeps binary data: in the item (`default`) or in files (`filesystem`). */
export async function useBinaryDataMode(mode: 'default' | 'filesystem'): Promise<void> {
	Container.get(BinaryDataConfig).mode = mode;
	await Container.get(BinaryDataService).init();
}

/**
 * A binary property as an upstream node would attach it, stored by the binary data mode in force.
 */
export async function binary(
	bytes: Buffer,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'upstream', executionId: `${++sequence}` },
		bytes,
		{ data: bytes.toString('base64'), fileName, mimeType },
	);
}

/** The bytes behind a binary property of an output item, whatever the binary data mode. */
export async function bytesOf(data: IBinaryData): Promise<Buffer> {
	return await Container.get(BinaryDataService).getAsBuffer(data);
}

function nodeOf(workflow: Workflow, name: string): INode {
	const node = workflow.getNode(name);
	if (!node) throw new Error(`No node ${name} in the workflow`);
	return node;
}

/**
 * Executions as n8n saves them when they end: what the process does with the same objects
 * afterwards is not in them. One whose items hold what no JSON can cannot be saved, and so not
 * retried.
 */
const savedRuns = new WeakMap<IRun, string>();

/** Of which workflow an execution is. */
const workflowIds = new WeakMap<IRun, string>();

function save(run: IRun, { id }: Workflow): IRun {
	workflowIds.set(run, id);
	try {
		savedRuns.set(run, stringify(run.data));
	} catch {
		savedRuns.delete(run);
	}
	return run;
}

/** What the named node gave in its last run of an execution. */
export function nodeRun(run: IRun, name: string): NodeRun {
	const task = run.data.resultData.runData[name]?.at(-1);
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	const error = (task?.error ?? run.data.resultData.error) as NodeRun['error'];
	return { items: outputs[0] ?? [], outputs, error, hints: task?.hints ?? [], run };
}
