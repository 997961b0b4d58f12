import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { chain, eSign, webhook } from './support/nodes';
import { Runs } from './support/runs';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from './support/stage';

/**
 * An operator's protection against requests to inner addresses, which leaves out where the sandbox
 * is.
 */
const ENVIRONMENT = {
	N8N_LOG_LEVEL: 'debug',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

describe('What a real n8n keeps and reaches', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await setStage({ env: ENVIRONMENT });
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/** Publishes a workflow that begins with a webhook, calls it, and returns its only execution. */
	async function runOnce(
		name: string,
		parameters: INodeParameters,
		credentialId = stage.credentialId,
	) {
		const { api, url } = stage.n8n;
		const start = webhook(name);
		const workflow = await api.createWorkflow(
			chain(name, [start, eSign('eSign', 'eSign', credentialId, parameters)]),
		);
		await api.publish(workflow.id);
		await fetch(`${url}/webhook/${name}`, { method: 'POST' });
		const [execution] = await api.finishedExecutions(workflow.id, 1);
		await api.unpublish(workflow.id);
		return execution;
	}

	const exported = async (workflowId: string) =>
		await stage.n8n.cli(['export:workflow', `--id=${workflowId}`]);

	/**
	 * Every file that n8n has written whose bytes hold the text: database, its journal, logs, binary
	 * data.
	 */
	async function filesWith(text: string): Promise<string[]> {
		const root = join(stage.n8n.userFolder, '.n8n');
		const entries = await readdir(root, { recursive: true, withFileTypes: true });
		const files = entries
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name))
			// The installed packages, which n8n did not write.
			.filter((path) => !path.startsWith(join(root, 'nodes')));
		expect(files.some((path) => path.endsWith('database.sqlite'))).toBe(true);
		const holding = await Promise.all(
			files.map(async (path) => ((await readFile(path)).includes(text) ? path : '')),
		);
		return holding.filter((path) => path !== '');
	}

	it('the API key is in no file and no log line, after work that succeeded and work that failed', async () => {
		const key = stage.sandbox.keys.test;
		const list = await runOnce('list', { resource: 'document', operation: 'getAll' });
		expect(list?.status).toBe('success');
		const missing = {
			resource: 'document',
			operation: 'get',
			documentId: 'doc_which_is_not_there',
		};
		const failed = await runOnce('missing', missing);
		expect(failed?.status).toBe('error');
		// What was written is found: the id that failed is in the database.
		expect(await filesWith('doc_which_is_not_there')).not.toEqual([]);
		expect(await filesWith(key)).toEqual([]);
		expect(stage.n8n.logs).toContain('doc_which_is_not_there');
		expect(stage.n8n.logs).not.toContain(key);
	});

	it("an endpoint's signing secret is in the workflow's static data while it is published, and no longer", async () => {
		const runs = await Runs.ofTrigger(stage, { events: ['document.sent'] });
		await runs.publish();
		expect(await exported(runs.workflowId)).toContain('whsec_');
		expect(stage.n8n.logs).not.toContain('whsec_');
		await runs.end();
		expect(await exported(runs.workflowId)).not.toContain('whsec_');
	});

	it("n8n's protection against requests to inner addresses holds for the nodes' requests", async () => {
		const inner = await stage.n8n.api.createCredential({
			name: 'An inner address',
			type: 'eSignApi',
			data: { baseUrl: 'http://127.0.0.2:9/v1', apiKey: stage.sandbox.keys.test },
		});
		const execution = await runOnce(
			'inner',
			{ resource: 'document', operation: 'getAll' },
			inner.id,
		);
		expect(execution?.data.resultData.error).toMatchObject({
			message: expect.stringMatching(
				/^Could not list the documents: n8n did not send it: .*restricted IP address$/,
			),
			description: 'Tried once. Trying again will not help until that is put right.',
		});
	});
});
