import type { Browser } from 'playwright-core';
import { until } from '../../../support/processes/until';
import { setSharedStage, type ServiceOptions, type SharedStage } from '../../support/stage';
import { openBrowser } from './browser';
import { Editor } from './editor';

/**
 * A person of an n8n with the package, and its editor open in a browser. `close` it when the tests
 * of the file have run.
 */
export interface EditorStage extends SharedStage {
	browser: Browser;
	editor: Editor;
}

export async function setEditorStage(options: ServiceOptions = {}): Promise<EditorStage> {
	const stage = await setSharedStage(options);
	let browser: Browser | undefined;
	const close = async () => {
		await browser?.close();
		await stage.close();
	};
	try {
		browser = await openBrowser();
		return {
			...stage,
			browser,
			editor: await Editor.open(browser, stage.n8n.url, stage.person),
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

/** Nothing that was tried in the workflow that is open has failed. */
export async function everyRunSucceeded({ n8n, editor }: EditorStage, count = 1): Promise<void> {
	const executions = await n8n.api.finishedExecutions(editor.workflowId, count);
	expect(executions.map(({ status }) => status)).toEqual(Array(count).fill('success'));
}

/**
 * n8n takes over what was typed a moment later, and runs what it has saved: sooner than a person
 * presses the button.
 */
export async function saved({ n8n, editor }: EditorStage, text: string): Promise<void> {
	await until(`"${text}" to be saved`, async () => {
		const workflow = await n8n.api.request('GET', `/workflows/${editor.workflowId}`);
		return JSON.stringify(workflow).includes(text) || undefined;
	});
}
