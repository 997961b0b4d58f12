import type { INode } from 'n8n-workflow';
import { chain, node, postedRows } from '../test/e2e/support/nodes';
import { postRows } from '../test/e2e/support/runs';
import { postgresEnvironment, startTemporaryPostgres } from '../test/support/n8nCluster/postgres';
import { startN8n, type N8nServer } from '../test/support/n8nServer/server';
import { packInto } from '../test/support/packing';
import { withSandbox } from '../test/support/sandboxProcess';
import type { ServiceClient } from '../test/support/serviceClient';
import { withTemporaryFolder } from '../test/support/temporaryFolder';
import { HTTP_REQUEST, OURS, type Bench, type Figure } from './report/figure';
import { batching } from './setting/httpRequest';
import { contract, eSignTemplateSend, httpTemplateSend, signerTemplate } from './setting/template';
import type { ChainNode } from './setting/workbench';

/** At ten requests a minute. */
const MS_PER_CONTRACT = 6_000;

const PATH = 'bench-memory';
const PATIENCE_MS = 600_000;

/**
 * Contracts in one run of a real n8n that keeps its data in SQLite, and in PostgreSQL, without a
 * rate limit. Beside it the same requests by the HTTP Request node, one after the other: what ours
 * takes longer is n8n's memory of the node, which has what was begun and what is done, and whatever
 * else our node does.
 */
export const run: Bench = async ({ quick }) => {
	const count = quick ? 50 : 1_000;
	const figures = await withSandbox({ rateLimit: 0 }, async (service) => {
		const sqlite = await measure('SQLite', service, count, {});
		const postgres = await startTemporaryPostgres();
		try {
			const environment = postgresEnvironment(postgres);
			return [...sqlite, ...(await measure('PostgreSQL', service, count, environment))];
		} finally {
			await postgres.close();
		}
	});
	const title = `Memory of what was sent: ${count} contracts in one run, on a real n8n`;
	return { title, sides: [OURS, HTTP_REQUEST], figures };
};

async function measure(
	database: string,
	service: ServiceClient,
	count: number,
	env: NodeJS.ProcessEnv,
): Promise<Figure[]> {
	const { ours, theirs } = await withTemporaryFolder(async (folder) => {
		const { path } = await packInto(folder);
		const onProgress = (message: string) => console.error(message);
		const server = await startN8n({ tarball: path, env, onProgress });
		try {
			return await sendByBoth(server, service, count);
		} finally {
			await server.close();
		}
	});
	return [
		{
			name: `${database}: each contract`,
			unit: 'ms',
			values: { [OURS]: ours, [HTTP_REQUEST]: theirs },
			meaning: 'the time that the node took for its run, by the contracts in it.',
		},
		{
			name: `${database}: what ours takes longer, of the time at ten a minute`,
			unit: 'x',
			values: { [OURS]: (ours - theirs) / MS_PER_CONTRACT },
			target: { atMost: 0.02 },
			meaning:
				'the difference, as a share of the six seconds that the service allows each request.',
		},
	];
}

async function sendByBoth(server: N8nServer, service: ServiceClient, count: number) {
	const template = await signerTemplate(service);
	const data = { baseUrl: service.url, apiKey: service.key };
	const { id } = await server.api.createCredential({ name: 'eSign', type: 'eSignApi', data });
	const credentials = { eSignApi: { id, name: 'eSign' } };
	const send = async ({ name, type, parameters }: ChainNode, typeVersion: number) =>
		await timeOf(server, node(name, type, parameters, { typeVersion, credentials }), count);
	const theirs = await send(httpTemplateSend(service, template, batching(1, 0)), 4.2);
	const ours = await send(eSignTemplateSend(template), 1.1);
	return { ours, theirs };
}

/** How long a node takes for each of so many items, in milliseconds. */
async function timeOf(server: N8nServer, one: INode, count: number): Promise<number> {
	const { api } = server;
	const path = `${PATH}-${one.typeVersion}`;
	const { id } = await api.createWorkflow(chain(path, [...postedRows(path), one]));
	await api.publish(id);
	await postRows(
		server,
		path,
		Array.from({ length: count }, (_, index) => contract(index)),
	);
	const [execution] = await api.finishedExecutions(id, 1, PATIENCE_MS);
	if (execution?.status !== 'success') throw new Error(`It ended as ${execution?.status}`);
	return (execution.data.resultData.runData[one.name]?.[0]?.executionTime ?? NaN) / count;
}
