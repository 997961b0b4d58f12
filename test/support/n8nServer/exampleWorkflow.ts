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

/** Reads `examples/<name>.json` and makes those choices in it. */
export async function exampleWorkflow(name: string, choices: Choices): Promise<WorkflowFile> {
	const text = await readFile(join(projectRoot, 'examples', `${name}.json`), 'utf8');
	const placed = choices.folder ? text.replaceAll('/files/', `${choices.folder}/`) : text;
	const workflow = JSON.parse(placed) as WorkflowFile;
	for (const node of workflow.nodes) {
		if (!node.type.startsWith('n8n-nodes-esign.')) continue;
		node.credentials = { eSignApi: { id: choices.credentialId, name: 'eSign account' } };
	}
	return workflow;
}
