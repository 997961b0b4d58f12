import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { examplesFolder, readExample, Workshop } from './support/workshop';

/** Debian's Chromium unless another one is named. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** Runs as root, without a screen, and calls nobody. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
const MOST_BYTES = 60_000;
/** Pixels by which the tabs of the editor hang over the canvas. */
const TABS_HEIGHT = 18;

/** The editor's own controls, and its background, which would make up most of a picture's bytes. */
const NOT_PICTURED = [
	'[data-test-id="canvas-background"]',
	'[data-test-id="canvas-controls"]',
	'[data-test-id="canvas-handle-plus-wrapper"]',
	'[data-test-id="node-creator-plus-button"]',
	'[data-test-id="command-bar-button"]',
	'[data-test-id="add-sticky-button"]',
	'[data-test-id="toggle-focus-panel-button"]',
	'[class*="executionButtons"]',
	'.vue-flow__panel',
];

/** Imported before those that call them. */
const CALLED_FIRST = ['file-a-completed-document', 'follow-up-a-document'];

describe('The pictures of the examples, taken from the editor', () => {
	let workshop: Workshop;
	let browser: Browser;
	let page: Page;
	let names: string[];

	beforeAll(async () => {
		await mkdir(join(examplesFolder, 'pictures'), { recursive: true });
		const files = (await readdir(examplesFolder)).filter((file) => file.endsWith('.json'));
		names = files.map((file) => file.slice(0, -'.json'.length));
		names.sort((left, right) => Number(CALLED_FIRST.includes(right)) - Number(CALLED_FIRST.includes(left)));
		workshop = await Workshop.open();
		browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
		const context = await browser.newContext({ viewport: { width: 940, height: 540 } });
		page = await context.newPage();
		const { email, password } = workshop.person;
		const login = { emailOrLdapLoginId: email, password };
		const response = await page.request.post(`${workshop.n8n.url}/rest/login`, { data: login });
		if (!response.ok()) throw new Error(`n8n answered ${response.status()} to the login`);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await browser?.close();
		await workshop?.close();
	});

	it('every example opens in the editor with all its nodes, none of them broken, and is small enough as a picture', async () => {
		for (const name of names) {
			const { nodes } = await readExample(name);
			const id = await workshop.import(name);
			await page.goto(`${workshop.n8n.url}/workflow/${id}`);
			const shown = page.locator('.vue-flow__node');
			await shown.nth(nodes.length - 1).waitFor();
			expect(await shown.count()).toBe(nodes.length);
			// What n8n marks in red: a parameter or a credential that is missing. The model's key is the user's to give.
			const marked = page.locator('[data-node-name]:has([data-test-id="node-issues"])');
			const issues = await marked.evaluateAll((all) => all.map((element) => element.getAttribute('data-node-name')));
			expect(issues).toEqual(name === 'ai-agent-sends-contracts' ? ['Model'] : []);
			await page.addStyleTag({ content: `${NOT_PICTURED.join(', ')} { display: none !important }` });
			await page.locator('[data-test-id="canvas-wrapper"]').press('1');
			await page.waitForTimeout(600);
			const path = join(examplesFolder, 'pictures', `${name}.png`);
			const canvas = await page.locator('[data-test-id="canvas"]').first().boundingBox();
			if (!canvas) throw new Error(`${name} shows no canvas`);
			const clip = { ...canvas, y: canvas.y + TABS_HEIGHT, height: canvas.height - TABS_HEIGHT };
			await page.screenshot({ path, clip });
			expect([name, (await stat(path)).size < MOST_BYTES]).toEqual([name, true]);
		}
	}, 600_000);
});
