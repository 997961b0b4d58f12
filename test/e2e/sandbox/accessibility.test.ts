import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { ADA, BO, Desk, type FieldPlace } from '../../sandbox/pages/desk';
import { launchChromium, openWindow, SCHEMES, WIDTHS } from './window';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const HOOK = {
	url: 'http://127.0.0.1:9/a/long/address/for/deliveries',
	events: ['document.sent', 'document.completed'],
};
const FIELDS: FieldPlace[] = [
	{ of: 0, type: 'TEXT', fieldKey: 'project', yNorm: 0.1, helpText: 'What it is about', placeholderText: 'A name' },
	{ of: 0, type: 'NUMBER', fieldKey: 'price', yNorm: 0.16 },
	{ of: 0, type: 'RADIO_GROUP', fieldKey: 'colour', dropdownOptions: ['Red', 'Blue'], yNorm: 0.22, heightNorm: 0.05 },
	{ of: 0, type: 'DROPDOWN', fieldKey: 'currency', dropdownOptions: ['EUR', 'GBP'], yNorm: 0.3 },
	{ of: 0, type: 'CHECKBOX', fieldKey: 'agreed', yNorm: 0.36, widthNorm: 0.04 },
	{ of: 0, type: 'TEXTAREA', fieldKey: 'notes', required: false, yNorm: 0.42 },
	{ of: 1, type: 'TEXT', value: 'Fixed', fillMode: 'PREFILLED', yNorm: 0.5 },
];

let desk: Desk;
let browser: Browser;
/** How each page is reached; it is looked at in every width and scheme. */
const pages: Record<string, (page: Page) => Promise<unknown>> = {};

beforeAll(async () => {
	desk = await Desk.open();
	browser = await launchChromium();
	const goTo = (path: string) => (page: Page) => page.goto(desk.origin + path);
	await desk.api('POST', '/webhooks', HOOK);
	await desk.send([ADA, BO], { title: 'Open', fields: FIELDS });
	const signing = await desk.signPath('Ada');
	pages['the signing page'] = async (page) => {
		await page.goto(desk.origin + signing);
		await page.waitForSelector('canvas[data-drawn]');
	};
	pages['the signing page with problems'] = async (page) => {
		await page.goto(desk.origin + signing);
		await page.evaluate('document.getElementById("sign").noValidate = true');
		await page.getByRole('button', { name: 'Sign', exact: true }).click();
		await page.waitForSelector('[role=alert]');
	};
	await desk.send([{ name: 'Pia Pin', email: 'pia@pin.example', pin: '4711' }], { title: 'Behind a PIN' });
	pages['the page that asks for a PIN'] = goTo(await desk.signPath('Pia'));
	pages['the page after a wrong PIN'] = async (page) => {
		await page.goto(desk.origin + (await desk.signPath('Pia')));
		await page.getByLabel('PIN').fill('1');
		await page.keyboard.press('Enter');
		await page.waitForSelector('[role=alert]');
	};
	const done = await desk.send([{ name: 'Dora Done', email: 'dora@done.example' }], { title: 'Completed' });
	await desk.sandbox.control.sign(done.recipients[0]?.id ?? '');
	pages['a completed document'] = goTo(await desk.signPath('Dora'));
	const [asked] = (await desk.send([{ name: 'Del Decline', email: 'del@x.example' }], { title: 'Declined' }))
		.recipients;
	await desk.sandbox.control.decline(asked?.id ?? '');
	pages['a declined document'] = goTo(await desk.signPath('Del'));
	const { data } = await desk.api<{ data: Array<{ id: string; name: string }> }>('GET', '/templates');
	const offer = data.find(({ name }) => name === 'Offer Letter')?.id ?? '';
	const { roles } = await desk.api<{ roles: Array<{ id: string }> }>('GET', `/templates/${offer}`);
	const signers = [{ placeholder_id: roles[0]?.id, is_open: true }];
	const link = await desk.api<{ slug: string }>('POST', `/templates/${offer}/links`, { signers, message: 'Hello' });
	pages['the start page of a public link'] = goTo(`/t/${link.slug}`);
	pages['the start page with problems'] = async (page) => {
		await page.goto(`${desk.origin}/t/${link.slug}`);
		await page.evaluate('document.querySelector("form").noValidate = true');
		await page.getByRole('button', { name: 'Start' }).click();
		await page.waitForSelector('.problem');
	};
	pages['a link that does not work'] = goTo('/t/none');
	await desk.sandbox.control.advance(60);
	pages['the dashboard'] = goTo('/');
	pages['the dashboard with everything unfolded'] = async (page) => {
		await page.goto(`${desk.origin}/?done=replayed`);
		for (const summary of await page.locator('summary').all()) await summary.click();
	};
});
afterAll(async () => {
	await browser?.close();
	await desk?.close();
});

interface Violation {
	id: string;
	nodes: Array<{ html: string; failureSummary: string }>;
}

const WAYS = SCHEMES.flatMap((scheme) => WIDTHS.map((width) => [scheme, width] as const));

describe.each(WAYS)('in the %s scheme at %d pixels', (colorScheme, width) => {
	it('axe finds no violation on any page, and no page scrolls sideways', async () => {
		const found: unknown[] = [];
		for (const [name, reach] of Object.entries(pages)) {
			const page = await openWindow(browser, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
			await reach(page);
			await page.evaluate(AXE);
			// Experimental in axe, yet what a voice user needs: the name of a control holds its text.
			const { violations, passes } = await page.evaluate<{ violations: Violation[]; passes: object[] }>(
				'axe.run({ rules: { "label-content-name-mismatch": { enabled: true } } })',
			);
			expect(passes.length).toBeGreaterThan(10);
			const wide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
			if (wide > 0) found.push([name, `scrolls sideways by ${wide}`]);
			found.push(
				...violations.flatMap(({ id, nodes }) => nodes.map((node) => [name, id, node.failureSummary, node.html])),
			);
			await page.context().close();
		}
		expect(found).toEqual([]);
	});
});

it('has looked at every kind of page', () => {
	expect(Object.keys(pages)).toHaveLength(11);
});
