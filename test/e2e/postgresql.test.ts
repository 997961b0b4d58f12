import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doMainJob, formWorkflow } from '../../demo/mainJob';
import { Timeline } from '../../demo/timeline';
import type { WorkflowFile } from '../support/n8nServer/apiClient';
import { exampleWorkflow } from '../support/n8nServer/exampleWorkflow';
import { WaitingRuns } from './wait/support/waitingRuns';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from './support/stage';

describe('An n8n that keeps its data in PostgreSQL', () => {
	let stage: Stage;
	let outputFolder: string;
	let workflows: { send: string; file: string };

	beforeAll(async () => {
		outputFolder = await realpath(await mkdtemp(join(tmpdir(), 'signed-files-')));
		stage = await setStage({
			database: 'postgres',
			env: { N8N_RESTRICT_FILE_ACCESS_TO: outputFolder },
		});
		const choices = { credentialId: stage.credentialId, folder: outputFolder };
		const add = async (workflow: WorkflowFile) => {
			const { id } = await stage.n8n.api.createWorkflow(workflow);
			await stage.n8n.api.publish(id);
			return id;
		};
		workflows = {
			send: await add(await formWorkflow(choices)),
			file: await add(await exampleWorkflow('file-signed-documents', choices)),
		};
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await rm(outputFolder, { recursive: true, force: true });
	});

	it('does the main job: the two examples send a contract, and file what was signed', async () => {
		const steps: string[] = [];
		const { url } = stage.sandbox;
		await doMainJob({
			n8n: stage.n8n,
			sandbox: { url, origin: new URL(url).origin },
			workflows,
			outputFolder,
			timeline: new Timeline((text) => void steps.push(text)),
		});
		expect(steps.join('')).toContain('Both files are there');
		expect(existsSync(join(stage.n8n.userFolder, '.n8n', 'database.sqlite'))).toBe(false);
	});

	it('twenty wait at once, n8n is killed and started again, and each resumes once when its document ends', async () => {
		const runs = await WaitingRuns.of(stage, 'twenty');
		await runs.expectTwentyToGoOn(11, async () => {
			await stage.n8n.kill();
			await stage.n8n.start();
		});
		await runs.end();
	});
});
