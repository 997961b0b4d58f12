import { createRequire } from 'node:module';
import type { INodeType } from 'n8n-workflow';
import { startN8n, type N8nServer } from '../../harness/n8nServer/server';
import { until } from '../../harness/processes/until';
import { ownNodeFile } from '../setting/n8nNodes';
import type { ServiceClient } from '../../harness/serviceClient';
import { packInto } from '../../harness/packing';
import { withTemporaryFolder } from '../../harness/temporaryFolder';
import type { Receiver } from './deliveries';

/** A published workflow of one trigger, and where its events go. */
export interface Published {
	workflowId: string;
	receiver: Receiver;
}

export interface RealServer {
	server: N8nServer;
	ours: Published;
	webhook: Published;
}

/** Runs `work` against a real n8n with the packed package, our trigger and n8n's own Webhook node published. */
export async function withRealServer<T>(
	service: ServiceClient,
	env: NodeJS.ProcessEnv,
	work: (real: RealServer) => Promise<T>,
): Promise<T> {
	return await withTemporaryFolder(async (folder) => {
		const { path } = await packInto(folder);
		const server = await startN8n({ tarball: path, env, onProgress: (message) => console.error(message) });
		try {
			const ours = await publishTrigger(server, service);
			const webhook = await publishWebhook(server, ours.receiver.secret);
			return await work({ server, ours, webhook });
		} finally {
			await server.close();
		}
	});
}

async function publishTrigger(server: N8nServer, service: ServiceClient): Promise<Published> {
	const data = { baseUrl: service.url, apiKey: service.key };
	const { id } = await server.api.createCredential({ name: 'eSign', type: 'eSignApi', data });
	const name = 'eSign Trigger';
	const workflowId = await publish(server, {
		name,
		type: 'n8n-nodes-esign.eSignTrigger',
		typeVersion: newestVersion(ownNodeFile('ESignTrigger')),
		parameters: { events: ['recipient.signed'] },
		credentials: { eSignApi: { id, name: 'eSign' } },
	});
	const webhooks = await service.api<{ data: Array<{ url: string }> }>('GET', '/webhooks');
	const url = webhooks.data[0]?.url;
	if (!url) throw new Error('The trigger left no webhook at the service');
	return { workflowId, receiver: { url, secret: await signingSecret(server, workflowId, name) } };
}

/** n8n treats a webhook node of version 1 differently, so that the version in use is part of what is measured. */
function newestVersion(file: string): number {
	const { ESignTrigger } = createRequire(__filename)(file) as { ESignTrigger: new () => INodeType };
	return Math.max(...[new ESignTrigger().description.version].flat());
}

/** The service tells the secret only once, to the node; n8n keeps it in the workflow's static data. */
async function signingSecret(server: N8nServer, workflowId: string, node: string): Promise<string> {
	return await until('the signing secret in the static data', async () => {
		const { staticData } = await server.api.request<{
			staticData?: Record<string, Record<string, { secret?: string }>>;
		}>('GET', `/workflows/${workflowId}`);
		const known = Object.entries(staticData?.[`node:${node}`] ?? {});
		return known.find(([key]) => key.startsWith('endpoint:'))?.[1].secret;
	});
}

async function publishWebhook(server: N8nServer, secret: string): Promise<Published> {
	const path = 'bench-acknowledgement';
	const workflowId = await publish(server, {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, options: {} },
	});
	return { workflowId, receiver: { url: `${server.url}/webhook/${path}`, secret } };
}

type TriggerNode = {
	name: string;
	type: string;
	typeVersion?: number;
	webhookId?: string;
	parameters: Record<string, string | string[] | Record<string, never>>;
	credentials?: Record<string, { id: string; name: string }>;
};

async function publish({ api }: N8nServer, node: TriggerNode): Promise<string> {
	const { id } = await api.createWorkflow({
		name: node.name,
		nodes: [{ id: '1', typeVersion: 1, position: [0, 0], webhookId: 'bench-trigger', ...node }],
		connections: {},
	});
	await api.publish(id);
	return id;
}

/** Executions of a workflow that ended well, once there are as many as expected or no more come for ten seconds. */
export async function successes({ api }: N8nServer, workflowId: string, expected: number): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
	let count = 0;
	const settled = until(
		`${expected} executions`,
		async () => {
			({ count } = await api.request<{ count: number }>('GET', `/executions?filter=${filter}&limit=1`));
			return count >= expected ? count : undefined;
		},
		10_000,
	);
	return await settled.catch(() => count);
}
