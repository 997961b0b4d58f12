import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowFile } from '../../test/support/n8nServer/apiClient';
import { startN8n, type N8nServer } from '../../test/support/n8nServer/server';
import { packInto } from '../../test/support/packing';
import { until } from '../../test/support/processes/until';
import type { ServiceClient } from '../../test/support/serviceClient';
import { withTemporaryFolder } from '../../test/support/temporaryFolder';

/** To begin to wait, executions share ten requests a minute. */
const PATIENCE_MS = 300_000;

type Node = Partial<WorkflowFile['nodes'][number]> &
	Pick<WorkflowFile['nodes'][number], 'name' | 'type' | 'parameters'>;

/** A published workflow that begins with a webhook and ends with a node that waits. */
export interface Waiting {
	workflowId: string;
	/** Starts an execution with this body; it falls asleep at once. */
	start: (body: object) => Promise<void>;
}

export interface WakingServer {
	server: N8nServer;
	/** The workflow of our trigger, which wakes. */
	triggerId: string;
	ours: Waiting;
	/** n8n's own Wait node, resumed by a POST. */
	theirs: Waiting;
}

/**
 * Runs `work` against a real n8n with the packed package, our trigger, and a workflow that waits
 * for each side.
 */
export async function withWakingServer<T>(
	service: ServiceClient,
	work: (real: WakingServer) => Promise<T>,
): Promise<T> {
	return await withTemporaryFolder(async (folder) => {
		const { path } = await packInto(folder);
		const server = await startN8n({
			tarball: path,
			onProgress: (message) => console.error(message),
		});
		try {
			const data = { baseUrl: service.url, apiKey: service.key };
			const { id } = await server.api.createCredential({ name: 'eSign', type: 'eSignApi', data });
			const credentials = { eSignApi: { id, name: 'eSign' } };
			const events = [
				'document.completed',
				'document.declined',
				'document.expired',
				'document.cancelled',
			];
			const trigger = {
				name: 'eSign Trigger',
				type: 'n8n-nodes-esign.eSignTrigger',
				typeVersion: 1.1,
			};
			const triggerId = await publish(server, 'Trigger', [
				{ ...trigger, parameters: { events }, credentials },
			]);
			const documentId = { __rl: true, mode: 'id', value: '={{ $json.body.id }}' };
			const ours = await publishWaiting(server, 'ours', {
				name: 'Wait',
				type: 'n8n-nodes-esign.eSign',
				typeVersion: 1.1,
				parameters: { resource: 'document', operation: 'wait', documentId },
				credentials,
			});
			const theirs = await publishWaiting(server, 'theirs', {
				name: 'Wait',
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
			});
			return await work({ server, triggerId, ours, theirs });
		} finally {
			await server.close();
		}
	});
}

/** Resolves when so many executions of a workflow wait. @returns their ids */
export async function asleep(
	{ api }: N8nServer,
	{ workflowId }: Waiting,
	count: number,
): Promise<string[]> {
	const waiting = async () => {
		await pause(1000);
		const all = (await api.executions(workflowId)).filter(({ status }) => status === 'waiting');
		return all.length === count ? all.map(({ id }) => id) : undefined;
	};
	return await until(`${count} executions to wait`, waiting, PATIENCE_MS);
}

async function publishWaiting(server: N8nServer, path: string, wait: Node): Promise<Waiting> {
	const webhook = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path, options: {} },
	};
	// Where n8n's own node is resumed is known to the execution alone.
	const fields = {
		assignments: [
			{ id: '1', name: 'resumeUrl', type: 'string', value: '={{ $execution.resumeUrl }}' },
		],
	};
	const edit = {
		name: 'Edit Fields',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: fields, includeOtherFields: true, options: {} },
	};
	const workflowId = await publish(server, path, [webhook, edit, wait]);
	return {
		workflowId,
		start: async (body) => {
			const headers = { 'content-type': 'application/json' };
			const request = { method: 'POST', headers, body: JSON.stringify(body) };
			const { ok, status } = await fetch(`${server.url}/webhook/${path}`, request);
			if (!ok) throw new Error(`The webhook answered ${status}`);
		},
	};
}

/** Publishes a workflow in which each node leads to the next. */
async function publish({ api }: N8nServer, name: string, nodes: Node[]): Promise<string> {
	const connections: WorkflowFile['connections'] = {};
	nodes.slice(1).forEach((node, index) => {
		connections[nodes[index]?.name ?? ''] = {
			main: [[{ node: node.name, type: 'main', index: 0 }]],
		};
	});
	const placed = nodes.map((node, index) => ({
		id: `${index}`,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		webhookId: `bench-${name}-${index}`,
		...node,
	}));
	const { id } = await api.createWorkflow({ name, nodes: placed, connections });
	await api.publish(id);
	return id;
}
