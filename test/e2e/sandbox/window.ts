import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../editor/support/browser';
import { Desk } from '../../sandbox/pages/desk';

/** The widths and schemes in which every page must work. */
export const WIDTHS = [1280, 390];
export const SCHEMES = ['light', 'dark'] as const;

let browser: Browser;

export let desk: Desk;

/**
 * The page of the test that runs, and whatever its console complained about: the policy's refusals
 * too.
 */
export let page: Page;
export let complaints: string[];

/** A sandbox and a browser for the tests of a file; each test's page is closed after it. */
export function setStage(): void {
	beforeAll(async () => {
		desk = await Desk.open();
		browser = await openBrowser();
	});
	afterAll(async () => {
		await browser?.close();
		await desk?.close();
	});
	afterEach(() => page?.context().close());
}

/** A fresh window with the page at this path. */
export async function visit(path: string, options: BrowserContextOptions = {}): Promise<Page> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	page = await context.newPage();
	complaints = [];
	page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(error.message));
	await page.goto(new URL(path, desk.origin).href);
	return page;
}

/** Scrolls to each page of the document and waits until it is drawn. */
export async function pagesDrawn(count: number): Promise<void> {
	for (let number = 1; number <= count; number++) {
		await page.locator(`canvas[data-page="${number}"]`).scrollIntoViewIfNeeded();
		await page.waitForSelector(`canvas[data-page="${number}"][data-drawn]`);
	}
}

export async function sign(): Promise<void> {
	await page.getByRole('button', { name: 'Sign', exact: true }).click();
	await page.waitForSelector('h1:has-text("You have signed"), h1:has-text("Completed")');
}
