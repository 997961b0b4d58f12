import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OWNER } from '../test/support/n8nServer/apiClient';
import { exampleWorkflow } from '../test/support/n8nServer/exampleWorkflow';
import { ensureInstalled } from '../test/support/n8nServer/installation';
import { packTarball, projectRoot } from '../test/support/packing';
import { startN8n } from '../test/support/n8nServer/server';
import { doMainJob, FORM_PATH, formWorkflow, type Stage } from './mainJob';
import { startSandboxProcess } from '../test/support/sandboxProcess';
import { Timeline } from './timeline';

type Undo = () => Promise<void>;

/**
 * Runs the demo and returns the exit code: 0 only if every step happened and was checked.
 *
 * @param args `--once`: end after the main job instead of staying up
 */
export async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({ args, options: { once: { type: 'boolean', default: false } } });
	const timeline = new Timeline((text) => process.stdout.write(text));
	const undo: Undo[] = [];
	const interrupted = interruption();
	let ready = false;
	try {
		const work = setUp(timeline, undo).then(async (stage) => {
			await doMainJob(stage);
			return stage;
		});
		// After an interruption the work fails, because what it uses is stopped: nobody waits for that.
		work.catch(() => undefined);
		const stage = await Promise.race([work, interrupted]);
		ready = stage !== undefined;
		if (stage && !values.once) {
			timeline.step('Look around; Ctrl-C stops everything', lookAround(stage));
			await interrupted;
		}
		return ready ? 0 : 130;
	} catch (error) {
		timeline.step(
			`Failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
		);
		return 1;
	} finally {
		for (const step of undo.reverse()) await step();
		timeline.step(ready ? 'Done, everything is stopped' : 'Everything is stopped');
	}
}

/** Builds, packs and starts everything; each thing started adds to `undo` how to stop it. */
async function setUp(timeline: Timeline, undo: Undo[]): Promise<Stage> {
	await ensureInstalled((message) => timeline.step(message));
	const tarball = await packTarball();
	undo.push(tarball.remove);
	timeline.step('The package is built and packed', [
		`${tarball.files.length} files, ${tarball.size} bytes`,
	]);

	const sandbox = await startSandboxProcess();
	undo.push(sandbox.stop);
	timeline.step('The sandbox is up', [sandbox.url]);

	const outputFolder = await emptyFolder(join(projectRoot, 'demo', 'output'));
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-demo-'));
	undo.push(async () => await rm(userFolder, { recursive: true, force: true, maxRetries: 5 }));
	const env = { N8N_RESTRICT_FILE_ACCESS_TO: outputFolder };
	const n8n = await startN8n({ tarball: tarball.path, userFolder, env });
	undo.push(async () => await n8n.close());
	timeline.step('n8n is up, with the package installed', [n8n.url]);

	const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.test };
	const credential = await n8n.api.createCredential({
		name: 'eSign account',
		type: 'eSignApi',
		data,
	});
	const choices = { credentialId: credential.id, folder: outputFolder };
	const send = await n8n.api.createWorkflow(await formWorkflow(choices));
	const file = await n8n.api.createWorkflow(
		await exampleWorkflow('file-signed-documents', choices),
	);
	await n8n.api.publish(send.id);
	await n8n.api.publish(file.id);
	timeline.step('Credential and two workflows are imported, the workflows published', [
		`credential ${credential.id}, workflows ${send.id} and ${file.id}`,
	]);
	return { n8n, sandbox, workflows: { send: send.id, file: file.id }, outputFolder, timeline };
}

function lookAround({ n8n, sandbox, workflows, outputFolder }: Stage): string[] {
	return [
		`editor     ${n8n.url}/workflow/${workflows.send}  (${OWNER.email}, password ${OWNER.password})`,
		`the form   ${n8n.url}/form/${FORM_PATH}`,
		`sandbox    ${sandbox.origin}/  (documents, deliveries; people sign here)`,
		`files      ${outputFolder}`,
	];
}

async function emptyFolder(path: string): Promise<string> {
	await rm(path, { recursive: true, force: true });
	await mkdir(path, { recursive: true });
	// n8n writes to no path with a symbolic link in it.
	return await realpath(path);
}

/**
 * Resolves on the first Ctrl-C or SIGTERM; a second one ends the process, and what it started, at
 * once.
 */
async function interruption(): Promise<undefined> {
	return await new Promise((resolve) => {
		const onSignal = () => resolve(undefined);
		process.once('SIGINT', onSignal);
		process.once('SIGTERM', onSignal);
	});
}
