import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	NodeConnectionTypes,
	type IDataObject,
	type INode,
	type IRunExecutionData,
	type ISupplyDataFunctions,
} from 'n8n-workflow';
import type { N8n, RunNodeOptions } from './n8n';

/** Calls a node as the tool of an agent. Throws what the agent reads when the call has failed. */
export type CallTool = (args: IDataObject) => Promise<unknown>;

/**
 * A node as the tool of an agent, in one execution: n8n-core's own code calls it, with Retry On
 * Fail, a context and a run index of its own for each try.
 */
export function asTool(
	n8n: N8n,
	type: string,
	{
		parameters,
		settings,
		mode = 'manual',
	}: Pick<RunNodeOptions, 'parameters' | 'settings' | 'mode'>,
): CallTool {
	const workflow = n8n.workflow([{ name: 'eSign', type, parameters, ...settings }]);
	const node = workflow.getNode('eSign') as INode;
	const data = {
		startData: {},
		resultData: { runData: {} },
		executionData: {
			contextData: {},
			nodeExecutionStack: [],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	} as unknown as IRunExecutionData;
	const additionalData = n8n.additionalData(workflow, mode);
	const executeData = { node, data: { main: [[{ json: {} }]] }, source: null };
	const contextFor = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			node,
			additionalData,
			mode,
			data,
			runIndex,
			[{ json: {} }],
			{},
			NodeConnectionTypes.AiTool,
			executeData,
			[],
		) as unknown as ISupplyDataFunctions;
	// One for all calls of an agent, so that calls that are made at once have run indexes of their
	// own.
	const invoke = makeHandleToolInvocation(
		contextFor,
		node,
		workflow.nodeTypes.getByNameAndVersion(type),
		data,
	);
	return async (args) => {
		return JSON.parse(String(await invoke(args))) as unknown;
	};
}
