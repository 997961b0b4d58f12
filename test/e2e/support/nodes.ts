import { randomUUID } from 'node:crypto';
import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Execution, WorkflowFile } from '../../support/n8nServer/apiClient';

/** A node of a workflow under test; webhook nodes get the id that n8n derives their path from. */
export function node(
	name: string,
	type: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode {
	return { id: randomUUID(), name, type, typeVersion: 1, position: [0, 0], parameters, ...more };
}

/** One of ours, with its credential. */
export function eSign(
	name: string,
	type: 'eSign' | 'eSignTrigger',
	credentialId: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode {
	const credentials = { eSignApi: { id: credentialId, name: 'eSign account' } };
	return node(name, `n8n-nodes-esign.${type}`, parameters, {
		typeVersion: 1.1,
		credentials,
		webhookId: randomUUID(),
		...more,
	});
}

/** What starts a workflow when somebody posts to the path. */
export function webhook(path: string): INode {
	const parameters = { path, httpMethod: 'POST' };
	return node('Webhook', 'n8n-nodes-base.webhook', parameters, { typeVersion: 2, webhookId: path });
}

/** What starts a workflow with the rows that somebody posts to the path: see `postRows`. */
export function postedRows(path: string): INode[] {
	return [
		webhook(path),
		node('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.rows', options: {} }),
	];
}

/** A workflow in which each node leads to the next. */
export function chain(name: string, nodes: INode[]): WorkflowFile {
	const connections: WorkflowFile['connections'] = {};
	nodes.slice(0, -1).forEach((from, index) => {
		connections[from.name] = {
			main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main', index: 0 }]],
		};
	});
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** Everything that a node of an execution put out. */
export function itemsOf(execution: Execution | undefined, nodeName: string): INodeExecutionData[] {
	if (!execution) throw new Error('There is no such execution');
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []);
}
