import { createRequire } from 'node:module';
import type { INodeType } from 'n8n-workflow';
import { startN8n, type N8nServer } from '../../test/support/n8nServer/server';
import { until } from '../../test/support/processes/until';
import { ownNodeFile } from '../setting/n8nNodes';
import type { ServiceClient } from '../../test/support/serviceClient';
import { packInto } from '../../test/support/packing';
import { withTemporaryFolder } from '../../test/support/temporaryFolder';
import { signedByGithub, signedByService, type Receiver } from './deliveries';
import { startGithub } from './github';

/** A published workflow of one trigger, and where its events go. */
export interface Published {
	workflowId: string;
	receiver: Receiver;
}

export interface RealServer {
	server: N8nServer;
	ours: Published;
	/** One of n8n's own triggers, which checks a signature as well. */
	github: Published;
	webhook: Published;
}

/**
 * Runs `work` against a real n8n with the packed package, our trigger, n8n's GitHub Trigger and its
 * Webhook node published.
 */
export async function withRealServer<T>(
	service: ServiceClient,
	env: NodeJS.ProcessEnv,
	work: (real: RealServer) => Promise<T>,
): Promise<T> {
	return await withTemporaryFolder(async (folder) => {
		const { path } = await packInto(folder);
		const githubApi = await startGithub();
		const server = await startN8n({
			tarball: path,
			env,
			onProgress: (message) => console.error(message),
		});
		try {
			const ours = await publishTrigger(server, service);
			const github = await publishGithub(server, githubApi);
			const webhook = await publishWebhook(server);
			return await work({ server, ours, github, webhook });
		} finally {
			await server.close();
			await githubApi.close();
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
	return {
		workflowId,
		receiver: { url, sign: signedByService(await signingSecret(server, workflowId)) },
	};
}

/**
 * n8n treats a webhook node of version 1 differently, so that the version in use is part of what is
 * measured.
 */
function newestVersion(file: string): number {
	const { ESignTrigger } = createRequire(__filename)(file) as { ESignTrigger: new () => INodeType };
	return Math.max(...[new ESignTrigger().description.version].flat());
}

/**
 * The service tells the secret only once, to the node; n8n keeps it in the workflow's static data.
 */
async function signingSecret(server: N8nServer, workflowId: string): Promise<string> {
	return await until('the signing secret in the static data', async () => {
		const { staticData } = await server.api.request<{
			staticData?: Record<string, Record<string, { endpoint?: Array<{ secret: string }> }>>;
		}>('GET', `/workflows/${workflowId}`);
		const known = Object.values(staticData?.global ?? {});
		return known.find(({ endpoint }) => endpoint?.length)?.endpoint?.[0]?.secret;
	});
}

async function publishGithub(
	server: N8nServer,
	api: { url: string; secret: () => string },
): Promise<Published> {
	const data = { server: api.url, user: 'bench', accessToken: 'bench' };
	const { id } = await server.api.createCredential({ name: 'GitHub', type: 'githubApi', data });
	const webhookId = 'bench-github';
	const locator = (value: string) => ({ __rl: true, mode: 'name', value });
	const workflowId = await publish(server, {
		name: 'GitHub Trigger',
		type: 'n8n-nodes-base.githubTrigger',
		webhookId,
		parameters: {
			owner: locator('bench'),
			repository: locator('bench'),
			events: ['push'],
			options: {},
		},
		credentials: { githubApi: { id, name: 'GitHub' } },
	});
	return {
		workflowId,
		receiver: {
			url: `${server.url}/webhook/${webhookId}/webhook`,
			sign: signedByGithub(api.secret),
		},
	};
}

async function publishWebhook(server: N8nServer): Promise<Published> {
	const path = 'bench-acknowledgement';
	const workflowId = await publish(server, {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, options: {} },
	});
	return { workflowId, receiver: { url: `${server.url}/webhook/${path}`, sign: () => ({}) } };
}

type TriggerNode = {
	name: string;
	type: string;
	typeVersion?: number;
	webhookId?: string;
	parameters: Record<string, string | string[] | Record<string, string | boolean>>;
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

/**
 * Executions of a workflow that ended well, once there are as many as expected, or after this time.
 */
export async function successes(
	{ api }: N8nServer,
	workflowId: string,
	expected: number,
	timeoutMs = 10_000,
): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
	let count = 0;
	const settled = until(
		`${expected} executions`,
		async () => {
			({ count } = await api.request<{ count: number }>(
				'GET',
				`/executions?filter=${filter}&limit=1`,
			));
			return count >= expected ? count : undefined;
		},
		timeoutMs,
	);
	return await settled.catch(() => count);
}
