import type { IExecuteFunctions, INodeType, NodeExecutionHint } from 'n8n-workflow';
import type { ESignCredential } from '../../support/n8nCore/credentials';
import { N8n } from '../../support/n8nCore/n8n';

const NODE = 'n8n-nodes-esign.probe';

/** Of a node with our credential. */
export const PROBE: INodeType['description'] = {
	displayName: 'Probe',
	name: 'probe',
	group: ['transform'],
	version: 1,
	description: 'Runs a function of a test',
	defaults: {},
	inputs: ['main'],
	outputs: ['main'],
	credentials: [{ name: 'eSignApi', required: true }],
	properties: [],
};

export interface InNodeOptions {
	executionId?: string;
	signal?: AbortSignal;
}

/**
 * Runs the work inside a node of a workflow execution, with a real context of n8n-core, and gives
 * what it returned, or throws what it threw.
 */
export async function inNode<T>(
	credential: ESignCredential,
	work: (context: IExecuteFunctions) => Promise<T>,
	options: InNodeOptions = {},
): Promise<{ value: T; hints: NodeExecutionHint[] }> {
	let working: Promise<T> | undefined;
	const node: INodeType = {
		description: PROBE,
		async execute() {
			working = work(this);
			await working.catch(() => undefined);
			return [[{ json: {} }]];
		},
	};
	const { hints } = await new N8n({ [NODE]: node }, credential).runNode(NODE, {
		parameters: {},
		...options,
	});
	if (!working) throw new Error('The node did not run');
	// A node that is cancelled may run for a while.
	return { value: await working, hints };
}
