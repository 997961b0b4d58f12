import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Person } from '../../../support/n8nServer/apiClient';
import { until } from '../../../support/processes/until';

/** Patient with a machine that does other things as well. */
const TIMEOUT_MS = 40_000;

/** Of the browser's window. */
export const WINDOW = { width: 1280, height: 900 };

/** What a form asks n8n for while somebody looks at it. */
export const LOOK_UP = 'dynamic-node-parameters';

/**
 * The address of a workflow that n8n has saved, a node of it being open or not; before, it ends in
 * `?new=true`.
 */
const SAVED = /\/workflow\/(?!new)(?!.*new=true)/;

/** n8n's editor as a person sees it: what a person clicks, by the names that stand there. */
export class Editor {
	/**
	 * How often the mouse was clicked, in this window and in those that it has opened; a key that
	 * presses a button does not count.
	 */
	clicks = 0;
	/** What the forms have asked n8n for and not been answered. */
	private readonly lookUps = new Set<unknown>();

	private constructor(
		readonly page: Page,
		private readonly url: string,
		private readonly pictures: string,
	) {}

	/**
	 * Opens a window and signs in; pictures go to the folder named by SCREENSHOTS, or to a temporary
	 * one.
	 */
	static async open(browser: Browser, url: string, person: Person): Promise<Editor> {
		const pictures =
			process.env.SCREENSHOTS ?? (await mkdtemp(join(tmpdir(), 'esign-screenshots-')));
		await mkdir(pictures, { recursive: true });
		const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce' });
		context.setDefaultTimeout(TIMEOUT_MS);
		const editor = new Editor(await context.newPage(), url, pictures);
		await context.exposeFunction('countClick', () => void editor.clicks++);
		await context.addInitScript(
			"addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) countClick(); }, true)",
		);
		editor.page.on(
			'request',
			(request) => void (request.url().includes(LOOK_UP) && editor.lookUps.add(request)),
		);
		for (const end of ['requestfinished', 'requestfailed'] as const) {
			editor.page.on(end as 'requestfinished', (request) => void editor.lookUps.delete(request));
		}
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

	/** The id of the workflow that is open. */
	get workflowId(): string {
		return String(/\/workflow\/([^/?]+)/.exec(this.page.url())?.[1]);
	}

	private async signIn({ email, password }: Person): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	}

	/** Opens an empty workflow, by the menu once n8n is open: loading the page anew takes seconds. */
	async newWorkflow(): Promise<void> {
		const add = this.page.getByTestId('universal-add');
		if (await add.isVisible()) {
			await add.click();
			await this.page.getByRole('menuitem', { name: 'New workflow' }).click();
		} else {
			await this.page.goto(`${this.url}/workflow/new`);
		}
		const empty = this.page.getByTestId('canvas-add-button');
		// n8n saves some time after the last change, and asks where that has not come.
		const leave = this.page.getByRole('button', { name: 'Leave without saving' });
		await empty.or(leave).first().waitFor();
		if (await leave.isVisible()) await leave.click();
		await empty.waitFor();
	}

	/**
	 * Imports a workflow by *Import > From file* in the menu of a new one. @returns its id, as soon
	 * as n8n has saved it
	 */
	async importFile(name: string, workflow: object): Promise<string> {
		await this.newWorkflow();
		return await this.importHere(name, workflow);
	}

	/** The same in the workflow that is open, and empty. */
	async importHere(name: string, workflow: object): Promise<string> {
		const buffer = Buffer.from(JSON.stringify(workflow));
		const file = { name: `${name}.json`, mimeType: 'application/json', buffer };
		await this.page.getByTestId('workflow-menu').click();
		await this.page.getByRole('menuitem', { name: 'Import', exact: true }).hover();
		const choosing = this.page.waitForEvent('filechooser');
		await this.page.getByRole('menuitem', { name: 'From file' }).click();
		await (await choosing).setFiles(file);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.page.waitForURL(SAVED);
		return this.workflowId;
	}

	/** A node on the canvas. */
	onCanvas(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Opens the dialog of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.onCanvas(name).dblclick();
		await this.parameters.waitFor();
	}

	/**
	 * The address at which a published trigger of the workflow is called: its *Production URL*, or
	 * the only one that it shows.
	 */
	async productionUrl(trigger: string): Promise<string> {
		await this.openNode(trigger);
		const address = this.parameters.getByText(/^https?:\S+$/);
		await address.waitFor();
		const production = this.parameters.getByTestId('radio-button-production');
		if (await production.isVisible()) await production.click();
		const url = await address.innerText();
		await this.closeNode();
		return url;
	}

	/** Starts a run from one of the triggers on the canvas, by the button beside it. */
	async executeFrom(trigger: string): Promise<void> {
		await this.onCanvas(trigger).hover();
		await this.page.getByTestId(`execute-workflow-button-${trigger}`).click();
	}

	/** Searches the node panel. @returns the entry named eSign */
	async search(words: string): Promise<Locator> {
		if (!(await this.panel.isVisible()))
			await this.page.getByTestId('node-creator-plus-button').click();
		await this.panel.locator('input').first().fill(words);
		const found = this.panel.getByTestId('item-iterator-item');
		return found.filter({ has: this.page.getByText('eSign', { exact: true }) });
	}

	/** Adds one of the triggers or actions of eSign, found by these words; its dialog opens. */
	async add(words: string, entry: string): Promise<void> {
		await (await this.search(words)).click();
		const entries = this.panel.getByText(entry, { exact: true });
		// The panel unfolds the actions or the triggers, whichever fit the workflow.
		await entries
			.or(this.panel.getByTestId('node-creator-category-item').first())
			.first()
			.waitFor();
		if (!(await entries.isVisible()))
			await this.panel.getByTestId('node-creator-category-item').last().click();
		await entries.click();
		await this.parameters.waitFor();
		// n8n refuses lists to whoever does not own it until it has saved the workflow by itself.
		await this.page.waitForURL(SAVED);
	}

	/** Picks an entry of one of the open node's dropdowns by its name. */
	async pick(parameter: string, entry: string): Promise<void> {
		await this.pickFrom(this.parameters.getByTestId(`parameter-input-${parameter}`).last(), entry);
	}

	async pickFrom(dropdown: Locator, entry: string): Promise<void> {
		await dropdown.locator('input').click();
		await this.openEntries()
			.filter({ has: this.page.getByText(entry, { exact: true }) })
			.click();
	}

	/** The entries of the dropdown that is open. */
	openEntries(): Locator {
		return this.page.locator('.el-select-dropdown__item:visible');
	}

	/**
	 * Writes into the last text input of that name: of several recipients, the one that was added
	 * last.
	 */
	async write(parameter: string, text: string, place: Locator = this.parameters): Promise<void> {
		await place
			.getByTestId(`parameter-input-${parameter}`)
			.last()
			.locator('input, textarea')
			.first()
			.fill(text);
	}

	/** Opens a resource locator and searches its list. @returns what is listed */
	async searchList(parameter: string, words: string): Promise<Locator> {
		const entries = this.page.getByTestId('rlc-item');
		if (!(await this.page.getByTestId('rlc-search').isVisible())) {
			await this.parameters
				.getByTestId(`resource-locator-${parameter}`)
				.getByTestId('rlc-input')
				.click();
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

	/** Waits until what is open has been drawn, and all that its form has asked n8n for is there. */
	async settled(): Promise<void> {
		await until('the form to be filled', async () => {
			await this.page.evaluate(
				'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
			);
			return this.lookUps.size === 0 || undefined;
		});
	}

	/** What is said to be wrong in the node that is open, or in a message over the editor. */
	async problems(): Promise<string[]> {
		const words = this.parameters.getByText(/error|could not|can.t get|problem|not supported/i);
		return await words
			.filter({ visible: true })
			.or(this.page.getByTestId('error-toast'))
			.allInnerTexts();
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.node.waitFor({ state: 'hidden' });
	}

	/**
	 * Publishes the workflow, and confirms what n8n says about it. @returns the words of the
	 * confirmation
	 */
	async publish(): Promise<string> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		const confirmation = this.page.getByTestId('activation-modal');
		await confirmation.waitFor();
		const words = await confirmation.innerText();
		await confirmation.getByRole('button', { name: 'Got it' }).click();
		return words;
	}

	/** Takes a picture in n8n's light and one in its dark theme. */
	async picture(name: string): Promise<void> {
		for (const colorScheme of ['dark', 'light'] as const) {
			await this.page.emulateMedia({ colorScheme });
			const path = join(this.pictures, `${name}-${colorScheme}.png`);
			await this.page.screenshot({ path, animations: 'disabled' });
		}
	}
}
