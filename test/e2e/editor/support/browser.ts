import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * Starts a headless Chromium that asks nobody anything, and has `getByTestId` look at n8n's
 * attribute.
 *
 * @throws Error that says what to install when there is none
 */
export async function openBrowser(): Promise<Browser> {
	if (!existsSync(CHROMIUM)) {
		throw new Error(
			'These tests need Chromium: install the package "chromium", or name yours in CHROMIUM_PATH',
		);
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath: CHROMIUM,
		args: ['--no-sandbox', '--disable-gpu', ...QUIET],
	});
}
