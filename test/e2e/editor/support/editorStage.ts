import type { Browser } from 'playwright-core';
import { setSharedStage, type ServiceOptions, type SharedStage } from '../../support/stage';
import { openBrowser } from './browser';
import { Editor } from './editor';

/** A person of an n8n with the package, and its editor open in a browser. `close` it when the tests of the file have run. */
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
		return { ...stage, browser, editor: await Editor.open(browser, stage.n8n.url, stage.person), close };
	} catch (error) {
		await close();
		throw error;
	}
}
