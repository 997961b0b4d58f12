import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleNames, examplesFolder, readExample } from '../../../harness/examples';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { Workshop } from './support/workshop';

/** Of the window, when a picture is taken. */
const SIZE = { width: 940, height: 540 };
const MOST_BYTES = 65_000;
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

	beforeAll(async () => {
		await mkdir(join(examplesFolder, 'pictures'), { recursive: true });
		workshop = await Workshop.open(1);
		const { api } = workshop.n8n;
		// So that the model of the agent has one too.
		await api.createCredential({ name: 'Model', type: 'openAiApi', data: { apiKey: 'none' } });
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await workshop?.close());

	it('every example opens in the editor with all its nodes, none of them broken, and is small enough as a picture', async () => {
		const { page } = workshop.editor;
		for (const name of [...CALLED_FIRST, ...exampleNames.filter((other) => !CALLED_FIRST.includes(other))]) {
			const { nodes } = readExample(name);
			const id = await workshop.import(name);
			await page.setViewportSize(SIZE);
			await page.goto(`${workshop.n8n.url}/workflow/${id}`);
			const shown = page.locator('.vue-flow__node');
			await shown.nth(nodes.length - 1).waitFor();
			expect(await shown.count()).toBe(nodes.length);
			// What n8n marks in red: a parameter or a credential that is missing.
			const marked = page.locator('[data-node-name]:has([data-test-id="node-issues"])');
			const issues = await marked.evaluateAll((all) => all.map((element) => element.getAttribute('data-node-name')));
			expect([name, issues]).toEqual([name, []]);
			await page.addStyleTag({ content: `${NOT_PICTURED.join(', ')} { display: none !important }` });
			await page.locator('[data-test-id="canvas-wrapper"]').press('1');
			await page.waitForTimeout(600);
			const path = join(examplesFolder, 'pictures', `${name}.png`);
			const canvas = await page.locator('[data-test-id="canvas"]').first().boundingBox();
			if (!canvas) throw new Error(`${name} shows no canvas`);
			const clip = { ...canvas, y: canvas.y + TABS_HEIGHT, height: canvas.height - TABS_HEIGHT };
			await page.screenshot({ path, clip });
			expect([name, (await stat(path)).size < MOST_BYTES]).toEqual([name, true]);
			await page.setViewportSize({ width: 1280, height: 900 });
		}
	}, 600_000);
});
