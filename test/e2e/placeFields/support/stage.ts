import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openBrowser } from '../../editor/support/browser';
import { DESKTOP, PlaceFieldsPage } from './placeFieldsPage';
import { pagesOf } from './testPdf';

let browser: Browser;

/** A PDF of three pages. */
export let threePages: Buffer;

/** The page of the test that runs. */
export let place: PlaceFieldsPage;

/** A browser for the tests of a file; each test's page is closed after it. */
export function setStage(): void {
	beforeAll(async () => {
		browser = await openBrowser();
		threePages = await pagesOf(3);
	});
	afterAll(() => browser?.close());
	afterEach(() => place?.close());
}

/** The page as it comes, without a document. Takes what `PlaceFieldsPage.open` takes. */
export async function openEmpty(
	options: BrowserContextOptions = DESKTOP,
	address?: string,
): Promise<void> {
	place = await PlaceFieldsPage.open(browser, options, address);
}

/** The page with a document of three pages. */
export async function open(options: BrowserContextOptions = DESKTOP): Promise<void> {
	await openEmpty(options);
	await place.openPdf(threePages);
}

/** As `open`, with one field that is drawn on the first page. */
export async function openWithField(): Promise<void> {
	await open();
	await place.draw(1, [0.1, 0.2, 0.4, 0.3]);
}
