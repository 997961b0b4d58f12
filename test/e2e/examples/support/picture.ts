import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { examplesFolder } from '../../../support/examples';
import { until } from '../../../support/processes/until';
import { WINDOW } from '../../editor/support/editor';

/** Of the window, when a picture is taken. */
const SIZE = { width: 940, height: 540 };
const MAX_BYTES = 65_000;
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

/**
 * Waits until the canvas shows the nodes of an example, none of them marked in red: no parameter
 * and no credential is missing.
 */
export async function expectNoneMarked(page: Page, name: string, nodes: number): Promise<void> {
	const marked = page.locator('[data-node-name]:has([data-test-id="node-issues"])');
	await until(`${name} without a red mark`, async () => {
		const shown = await page.locator('.vue-flow__node').count();
		const names = await marked.evaluateAll((found) =>
			found.map((node) => node.getAttribute('data-node-name')),
		);
		if (shown === nodes && names.length === 0) return true;
		throw new Error(`${shown} of ${nodes} nodes are shown, and marked: ${names.join(', ')}`);
	});
}

/**
 * Opens the workflow of an example anew and takes the picture of it that the README of the examples
 * shows.
 *
 * @throws Error if it has not all its nodes, one of them is marked in red, or the picture is too
 * large
 */
export async function takePicture(page: Page, name: string, nodes: number): Promise<void> {
	await page.setViewportSize(SIZE);
	await page.reload();
	await expectNoneMarked(page, name, nodes);
	const hidden = await page.addStyleTag({
		content: `${NOT_PICTURED.join(', ')} { display: none !important }`,
	});
	await page.locator('[data-test-id="canvas-wrapper"]').press('1');
	let before: string | null | undefined;
	await until('the canvas to have zoomed', async () => {
		const now = await page.locator('.vue-flow__transformationpane').getAttribute('style');
		return now === before ? true : void (before = now);
	});
	const canvas = await page.locator('[data-test-id="canvas"]').first().boundingBox();
	if (!canvas) throw new Error(`${name} shows no canvas`);
	const path = join(examplesFolder, 'pictures', `${name}.png`);
	const clip = { ...canvas, y: canvas.y + TABS_HEIGHT, height: canvas.height - TABS_HEIGHT };
	await page.screenshot({ path, clip });
	if ((await stat(path)).size > MAX_BYTES) throw new Error(`The picture of ${name} is too large`);
	await hidden.evaluate((style) => (style as unknown as { remove(): void }).remove());
	await page.setViewportSize(WINDOW);
}
