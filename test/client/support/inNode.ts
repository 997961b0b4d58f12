import type { IExecuteFunctions, INodeExecutionData, INodeType, NodeExecutionHint } from 'n8n-workflow';
import type { ESignCredential } from '../../../harness/n8nCore/credentials';
import { N8n } from '../../../harness/n8nCore/n8n';

const NODE = 'n8n-nodes-esign.probe';

/** A node whose work is a function of the test: what the client gets is a real context of n8n-core. */
class ProbeNode implements INodeType {
	description = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform' as const],
		version: 1,
		description: 'Runs a function of a test',
		defaults: {},
		inputs: ['main' as const],
		outputs: ['main' as const],
		credentials: [{ name: 'eSignApi', required: true }],
		properties: [],
	};

	constructor(work: (context: IExecuteFunctions) => Promise<void>) {
		// n8n calls `execute` with the context as `this`, so the work has to come along otherwise.
		this.execute = async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			await work(this);
			return [[{ json: {} }]];
		};
	}

	readonly execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

export interface InNode<T> {
	value: T;
	hints: NodeExecutionHint[];
}

export interface InNodeOptions {
	executionId?: string;
	signal?: AbortSignal;
}

/** Runs the work inside a node of a workflow execution, and gives what it returned, or throws what it threw. */
export async function inNode<T>(
	credential: ESignCredential,
	work: (context: IExecuteFunctions) => Promise<T>,
	options: InNodeOptions = {},
): Promise<InNode<T>> {
	let settled: { value: T } | { failure: unknown } | undefined;
	let finish = (): void => undefined;
	const finished = new Promise<void>((resolve) => (finish = resolve));
	const node = new ProbeNode(async (context) => {
		try {
			settled = { value: await work(context) };
		} catch (failure) {
			settled = { failure };
		} finally {
			finish();
		}
	});
	const { hints } = await new N8n({ [NODE]: node }, credential).runNode(NODE, { parameters: {}, ...options });
	await finished;
	if (!settled || 'failure' in settled) throw settled?.failure;
	return { value: settled.value, hints };
}
