import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowFile } from './apiClient';
import { projectRoot } from '../packing';

/** What a user does by hand after importing an example: choosing the credential and the folder. */
export interface Choices {
	/** The id of the `eSignApi` credential. */
	credentialId: string;
	/** Takes the place of `/files`. */
	folder?: string;
}

/**
 * Reads `examples/<name>.json`, makes those choices in it, and gives each node an ID for webhooks, as
 * the editor does when it imports a workflow: without one, n8n 1 does not find addresses with spaces.
 */
export async function exampleWorkflow(name: string, choices: Choices): Promise<WorkflowFile> {
	const text = await readFile(join(projectRoot, 'examples', `${name}.json`), 'utf8');
	const placed = choices.folder ? text.replaceAll('/files/', `${choices.folder}/`) : text;
	const workflow = JSON.parse(placed) as WorkflowFile;
	for (const node of workflow.nodes) {
		node.webhookId = randomUUID();
		if (!node.type.startsWith('n8n-nodes-esign.')) continue;
		node.credentials = { eSignApi: { id: choices.credentialId, name: 'eSign account' } };
	}
	return workflow;
}
