import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Person } from '../../../../harness/n8nServer/apiClient';

/** Patient with a machine that does other things as well. */
const TIMEOUT_MS = 40_000;

/** The address of a workflow that n8n has saved, a node of it being open or not; before, it ends in `?new=true`. */
const SAVED = /\/workflow\/(?!new)[^?]+$/;

/** n8n's editor as a person sees it: what a person clicks, by the names that stand there. */
export class Editor {
	/** How often the mouse was clicked, in this window and in those that it has opened; a key that presses a button does not count. */
	clicks = 0;

	private constructor(
		readonly page: Page,
		private readonly url: string,
		private readonly pictures: string,
	) {}

	/** Opens a window and signs in; pictures go to the folder named by SCREENSHOTS, or to a temporary one. */
	static async open(browser: Browser, url: string, person: Person): Promise<Editor> {
		const pictures = process.env.SCREENSHOTS ?? (await mkdtemp(join(tmpdir(), 'esign-screenshots-')));
		await mkdir(pictures, { recursive: true });
		const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
		context.setDefaultTimeout(TIMEOUT_MS);
		const editor = new Editor(await context.newPage(), url, pictures);
		await context.exposeFunction('countClick', () => void editor.clicks++);
		await context.addInitScript(
			"addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) countClick(); }, true)",
		);
		await editor.signIn(person);
		return editor;
	}

	/** The dialog of the node that is open. */
	get node(): Locator {
		return this.page.getByTestId('ndv');
	}

	/** The parameters of the node that is open. */
	get parameters(): Locator {
		return this.node.getByTestId('node-parameters');
	}

	/** The list of nodes to add. */
	get panel(): Locator {
		return this.page.getByTestId('node-creator');
	}

	get credentialDialog(): Locator {
		return this.page.getByTestId('editCredential-modal');
	}

	private async signIn({ email, password }: Person): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-add-button').waitFor();
	}

	/** Imports a workflow by *Import > From file* in the menu of a new one. @returns its id, as soon as n8n has saved it */
	async importFile(name: string, workflow: object): Promise<string> {
		await this.newWorkflow();
		const buffer = Buffer.from(JSON.stringify(workflow));
		const file = { name: `${name}.json`, mimeType: 'application/json', buffer };
		await this.page.getByTestId('workflow-menu').click();
		await this.page.getByRole('menuitem', { name: 'Import', exact: true }).hover();
		const choosing = this.page.waitForEvent('filechooser');
		await this.page.getByRole('menuitem', { name: 'From file' }).click();
		await (await choosing).setFiles(file);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.page.waitForURL(SAVED);
		return String(/\/workflow\/([^/?]+)/.exec(this.page.url())?.[1]);
	}

	/** Opens the dialog of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.parameters.waitFor();
	}

	/** Starts a run from one of the triggers on the canvas, by the button beside it. */
	async executeFrom(trigger: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${trigger}"]`).hover();
		await this.page.getByTestId(`execute-workflow-button-${trigger}`).click();
	}

	/** Moves a node on the canvas a little. */
	async moveNode(name: string): Promise<void> {
		const { mouse } = this.page;
		const box = await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).boundingBox();
		if (!box) throw new Error(`There is no node ${name} to move`);
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await mouse.move(x, y);
		await mouse.down();
		await mouse.move(x + 40, y + 40, { steps: 4 });
		await mouse.up();
	}

	/** Chooses a credential of the open node by its name. */
	async chooseCredential(name: string): Promise<void> {
		await this.page.getByTestId('node-credentials-select').locator('input').click();
		await this.openEntries()
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.click();
	}

	/** Searches the node panel. @returns the entry named eSign */
	async search(words: string): Promise<Locator> {
		if (!(await this.panel.isVisible())) await this.page.getByTestId('node-creator-plus-button').click();
		await this.panel.locator('input').first().fill(words);
		const found = this.panel.getByTestId('item-iterator-item');
		return found.filter({ has: this.page.getByText('eSign', { exact: true }) });
	}

	/** Adds one of the triggers or actions of eSign, found by these words; its dialog opens. */
	async add(words: string, entry: string): Promise<void> {
		await (await this.search(words)).click();
		const entries = this.panel.getByText(entry, { exact: true });
		// The panel unfolds the actions or the triggers, whichever fit the workflow.
		await entries.or(this.panel.getByTestId('node-creator-category-item').first()).first().waitFor();
		if (!(await entries.isVisible())) await this.panel.getByTestId('node-creator-category-item').last().click();
		await entries.click();
		await this.parameters.waitFor();
		// n8n refuses lists to whoever does not own it until it has saved the workflow by itself.
		await this.page.waitForURL(SAVED);
	}

	/** Picks an entry of one of the open node's dropdowns by its name. */
	async pick(parameter: string, entry: string, place: Locator = this.parameters): Promise<void> {
		await place.getByTestId(`parameter-input-${parameter}`).last().locator('input').click();
		await this.openEntries()
			.filter({ has: this.page.getByText(entry, { exact: true }) })
			.click();
	}

	/** The entries of the dropdown that is open. */
	openEntries(): Locator {
		return this.page.locator('.el-select-dropdown__item:visible');
	}

	/** Writes into the last text input of that name: of several recipients, the one that was added last. */
	async write(parameter: string, text: string, place: Locator = this.parameters): Promise<void> {
		await place.getByTestId(`parameter-input-${parameter}`).last().locator('input, textarea').first().fill(text);
	}

	/** Opens a resource locator and searches its list. @returns what is listed */
	async searchList(parameter: string, words: string): Promise<Locator> {
		const entries = this.page.getByTestId('rlc-item');
		if (!(await this.page.getByTestId('rlc-search').isVisible())) {
			await this.parameters.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
			await entries.first().waitFor();
		}
		await this.page.getByTestId('rlc-search').fill(words);
		return entries;
	}

	/** Clicks into a text input and types. */
	async type(parameter: string, text: string): Promise<void> {
		await this.parameters.getByTestId(`parameter-input-${parameter}`).locator('input').click();
		await this.page.keyboard.type(text);
	}

	/** Goes on with the Tab key until something has the focus, as somebody without a mouse does. */
	async tabTo(selector: string, page = this.page): Promise<void> {
		const focused = page.locator(`${selector}:focus`);
		for (let presses = 0; presses < 200; presses++) {
			if ((await focused.count()) > 0) return;
			await page.keyboard.press('Tab');
		}
		throw new Error(`The Tab key does not lead to ${selector}`);
	}

	/** What is said to be wrong in the node that is open, or in a message over the editor. */
	async problems(): Promise<string[]> {
		const words = this.parameters.getByText(/error|could not|can.t get|problem|not supported/i);
		return await words.filter({ visible: true }).or(this.page.getByTestId('error-toast')).allInnerTexts();
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.node.waitFor({ state: 'hidden' });
	}

	/** Publishes the workflow, and confirms what n8n says about it. @returns the words of the confirmation */
	async publish(): Promise<string> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		const confirmation = this.page.getByTestId('activation-modal');
		await confirmation.waitFor();
		const words = await confirmation.innerText();
		await confirmation.getByRole('button', { name: 'Got it' }).click();
		return words;
	}

	/** Takes the workflow out of service by the menu beside *Published*, and confirms it. */
	async unpublish(): Promise<void> {
		const published = this.page.getByTestId('workflow-open-publish-modal-button');
		await published.locator('xpath=../..').getByRole('button').last().click();
		await this.page.getByRole('menuitem', { name: 'Unpublish' }).click();
		await this.page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
	}

	/** Takes a picture in n8n's light and one in its dark theme. @returns the paths of both */
	async picture(name: string): Promise<string[]> {
		const paths: string[] = [];
		for (const colorScheme of ['light', 'dark'] as const) {
			await this.page.emulateMedia({ colorScheme });
			const path = join(this.pictures, `${name}-${colorScheme}.png`);
			await this.page.screenshot({ path, animations: 'disabled' });
			paths.push(path);
		}
		await this.page.emulateMedia({ colorScheme: 'light' });
		return paths;
	}
}
