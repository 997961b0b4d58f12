import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The widths and schemes in which every page must work. */
export const WIDTHS = [1280, 390];
export const SCHEMES = ['light', 'dark'] as const;

export async function launchChromium(): Promise<Browser> {
	if (!existsSync(CHROMIUM)) {
		throw new Error(`These tests need Chromium: install the package "chromium", or name yours in CHROMIUM_PATH`);
	}
	return chromium.launch({ executablePath: CHROMIUM, args: ['--headless', '--no-sandbox', '--disable-gpu', ...QUIET] });
}

/** A fresh window; whatever its console complains about (the policy's refusals too) is kept in `complaints`. */
export async function openWindow(
	browser: Browser,
	options: BrowserContextOptions,
	complaints: string[] = [],
): Promise<Page> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	const page = await context.newPage();
	page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(error.message));
	return page;
}

/** Scrolls to each page of the document and waits until it is drawn. */
export async function pagesDrawn(page: Page, count: number): Promise<void> {
	for (let number = 1; number <= count; number++) {
		await page.locator(`canvas[data-page="${number}"]`).scrollIntoViewIfNeeded();
		await page.waitForSelector(`canvas[data-page="${number}"][data-drawn]`);
	}
}
