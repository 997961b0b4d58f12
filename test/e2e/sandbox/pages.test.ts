import type { Browser, Page } from 'playwright-core';
import { ADA, BO, Desk } from '../../sandbox/pages/desk';
import { launchChromium, openWindow, pagesDrawn as drawn } from './window';

const PHONE = { width: 375, height: 740 };
const FIELDS = [
	{ of: 0, type: 'TEXT', fieldKey: 'project', pageNumber: 1, yNorm: 0.85 },
	{ of: 0, type: 'RADIO_GROUP', fieldKey: 'colour', dropdownOptions: ['Red', 'Blue'], yNorm: 0.9, heightNorm: 0.05 },
	{ of: 0, type: 'DROPDOWN', fieldKey: 'currency', dropdownOptions: ['EUR', 'GBP'], pageNumber: 2, yNorm: 0.9 },
	{ of: 0, type: 'CHECKBOX', fieldKey: 'agreed', pageNumber: 2, xNorm: 0.6, yNorm: 0.9, widthNorm: 0.04 },
];

let desk: Desk;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
	desk = await Desk.open();
	browser = await launchChromium();
});
afterAll(async () => {
	await browser?.close();
	await desk?.close();
});
beforeEach(async () => {
	await desk.reset();
	complaints.length = 0;
	await open({});
});
afterEach(async () => {
	await page?.context().close();
});

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
	await page?.context().close();
	page = await openWindow(browser, options, complaints);
}

const visit = (path: string) => page.goto(desk.origin + path);

const pagesDrawn = (count: number) => drawn(page, count);

/** Dark pixels of a drawn page: a blank canvas has none. */
function inkOf(number: number): Promise<number> {
	return page.locator(`canvas[data-page="${number}"]`).evaluate((element) => {
		const canvas = element as unknown as { width: number; height: number; getContext(kind: '2d'): Context };
		interface Context {
			getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
		}
		const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		let dark = 0;
		for (let at = 0; at < data.length; at += 4) if (data[at + 3]! > 0 && data[at]! < 128) dark++;
		return dark;
	});
}

async function focused(): Promise<string> {
	return page.evaluate('document.activeElement.getAttribute("name") || document.activeElement.textContent.trim()');
}

describe('signing in a browser', () => {
	it('shows every page of the document, without a complaint of the browser', async () => {
		await desk.send([ADA, BO], { fields: FIELDS });
		await visit(await desk.signPath('Ada'));
		await pagesDrawn(3);
		for (const number of [1, 2, 3]) expect(await inkOf(number)).toBeGreaterThan(1000);
		expect(complaints).toEqual([]);
	});

	it('lays every field over its place on the page', async () => {
		await desk.send([ADA, BO], { fields: FIELDS });
		await visit(await desk.signPath('Ada'));
		const sheet = (await page.locator('.sheet').nth(0).boundingBox())!;
		const input = (await page.getByLabel('Project').boundingBox())!;
		expect((input.x - sheet.x) / sheet.width).toBeCloseTo(0.1, 2);
		expect((input.y - sheet.y) / sheet.height).toBeCloseTo(0.85, 2);
		expect(input.width / sheet.width).toBeCloseTo(0.3, 2);
	});

	it('is done by keyboard alone', async () => {
		const { id } = await desk.send([ADA, BO], { fields: FIELDS });
		await visit(await desk.signPath('Ada'));
		const press = async (...keys: string[]) => {
			for (const key of keys) await page.keyboard.press(key);
		};
		await press('Tab');
		expect(await focused()).toBe('Skip the document');
		await press('Tab');
		expect(await focused()).toBe('Go to the first field');
		await press('Enter');
		await page.keyboard.type('Pump rig');
		await press('Tab', 'Space', 'ArrowDown', 'Tab');
		await page.keyboard.type('GBP');
		await press('Tab', 'Space', 'Tab');
		expect(await focused()).toContain('field.');
		await page.keyboard.type('Ada A. Arden');
		await press('Tab', 'Tab');
		expect(await focused()).toBe('Sign');
		await press('Enter');
		await page.waitForSelector('text=You have signed');
		expect((await desk.document(id)).recipients[0]!.status).toBe('signed');
	});

	it('does not send the form while something required is missing', async () => {
		const { id } = await desk.send([ADA, BO], { fields: FIELDS });
		await visit(await desk.signPath('Ada'));
		await page.getByRole('button', { name: 'Sign', exact: true }).click();
		expect(await focused()).toContain('field.');
		expect((await desk.document(id)).recipients[0]!.status).toBe('viewed');
	});

	it('works without JavaScript', async () => {
		await open({ javaScriptEnabled: false });
		const { id } = await desk.send([ADA, BO]);
		await visit(await desk.signPath('Ada'));
		await page.getByLabel('Signature').fill('Ada Arden');
		await page.getByRole('button', { name: 'Sign', exact: true }).click();
		await page.waitForSelector('text=You have signed');
		expect((await desk.document(id)).recipients[0]!.status).toBe('signed');
	});

	it('declining asks once more, then ends the document', async () => {
		const { id } = await desk.send([ADA, BO]);
		await visit(await desk.signPath('Ada'));
		expect(await page.getByRole('button', { name: 'Decline to sign' }).isVisible()).toBe(false);
		await page.getByText('Decline instead').click();
		await page.getByRole('button', { name: 'Decline to sign' }).click();
		await page.waitForSelector('h1:has-text("Declined")');
		expect((await desk.document(id)).status).toBe('declined');
	});
});

describe('on a phone', () => {
	const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');

	it('no page scrolls sideways, and every control is large enough to touch', async () => {
		await open({ viewport: PHONE, hasTouch: true });
		await desk.api('POST', '/webhooks', {
			url: 'http://127.0.0.1:9/a/very/long/hook/address',
			events: ['document.sent'],
		});
		await desk.send([ADA, { ...BO, pin: '4711' }], { title: 'W'.repeat(160), fields: FIELDS });
		await desk.sandbox.control.advance(60);
		for (const path of ['/', await desk.signPath('Ada'), await desk.signPath('Bo'), '/t/none']) {
			await visit(path);
			expect([path, await overflow()]).toEqual([path, 0]);
		}
		await visit(await desk.signPath('Ada'));
		for (const control of await page.locator('.fields input[type=text], .fields select, button.primary').all()) {
			expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(40);
		}
	});

	it('a document is signed with the fields below their page', async () => {
		await open({ viewport: PHONE, hasTouch: true });
		const { id } = await desk.send([ADA, BO], { fields: FIELDS });
		await visit(await desk.signPath('Ada'));
		await pagesDrawn(3);
		const sheet = (await page.locator('.sheet').nth(0).boundingBox())!;
		expect((await page.getByLabel('Project').boundingBox())!.y).toBeGreaterThan(sheet.y + sheet.height);
		await page.getByLabel('Project').fill('Rig');
		await page.getByLabel('Blue').check();
		await page.getByLabel('Currency').selectOption('EUR');
		await page.getByLabel('Agreed').check();
		await page.getByRole('button', { name: 'Sign', exact: true }).tap();
		await page.waitForSelector('text=You have signed');
		expect((await desk.document(id)).recipients[0]!.status).toBe('signed');
	});
});
