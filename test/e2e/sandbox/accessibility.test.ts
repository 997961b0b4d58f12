import { ADA, BO } from '../../sandbox/pages/desk';
import { axeFindings } from '../support/axe';
import { desk, page, SCHEMES, setStage, visit, WIDTHS } from './window';

const HOOK = {
	url: 'http://127.0.0.1:9/a/long/address/for/deliveries',
	events: ['document.sent', 'document.completed'],
};
const FIELDS = [
	{
		type: 'TEXT',
		fieldKey: 'project',
		yNorm: 0.1,
		helpText: 'What it is about',
		placeholderText: 'A name',
	},
	{ type: 'NUMBER', fieldKey: 'price', yNorm: 0.16 },
	{
		type: 'RADIO_GROUP',
		fieldKey: 'colour',
		dropdownOptions: ['Red', 'Blue'],
		yNorm: 0.22,
		heightNorm: 0.05,
	},
	{ type: 'DROPDOWN', fieldKey: 'currency', dropdownOptions: ['EUR', 'GBP'], yNorm: 0.3 },
	{ type: 'CHECKBOX', fieldKey: 'agreed', yNorm: 0.36, widthNorm: 0.04 },
	{ type: 'TEXTAREA', fieldKey: 'notes', required: false, yNorm: 0.42 },
	{ of: 1, type: 'TEXT', value: 'Fixed', fillMode: 'PREFILLED', yNorm: 0.5 },
];

setStage();

/**
 * The path of each page, and what is done there before it is looked at; it is looked at in every
 * width and scheme.
 */
const pages: Record<string, { path: string; act?: () => Promise<unknown> }> = {};

const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** Sends a form that the browser itself would not send. */
const sendInvalid = (button: string) => async () => {
	await page.evaluate('for (const form of document.forms) form.noValidate = true');
	await click(button);
	await page.waitForSelector('[role=alert], .problem');
};

beforeAll(async () => {
	await desk.api('POST', '/webhooks', HOOK);
	await desk.send([ADA, BO], { title: 'W'.repeat(160), fields: FIELDS });
	const signing = await desk.signPath('Ada');
	pages['the signing page'] = {
		path: signing,
		act: () => page.waitForSelector('canvas[data-drawn]'),
	};
	pages['the signing page with problems'] = { path: signing, act: sendInvalid('Sign') };
	await desk.send([{ name: 'Pia Pin', email: 'pia@pin.example', pin: '4711' }], {
		title: 'Behind a PIN',
	});
	const pin = await desk.signPath('Pia');
	pages['the page that asks for a PIN'] = { path: pin };
	const enterWrongPin = async () => {
		await page.getByLabel('PIN').fill('1');
		await page.keyboard.press('Enter');
		await page.waitForSelector('[role=alert]');
	};
	pages['the page after a wrong PIN'] = { path: pin, act: enterWrongPin };
	const done = await desk.send([{ name: 'Dora Done', email: 'dora@done.example' }]);
	await desk.control.sign(done.recipients[0].id);
	pages['a completed document'] = { path: await desk.signPath('Dora') };
	const asked = await desk.send([{ name: 'Del Decline', email: 'del@x.example' }]);
	await desk.control.decline(asked.recipients[0].id);
	pages['a declined document'] = { path: await desk.signPath('Del') };
	const offer = await desk.template(desk.test, 'Offer Letter');
	const signers = [{ placeholder_id: offer.roles[0].id, is_open: true }];
	const { slug } = await desk.api('POST', `/templates/${offer.id}/links`, {
		signers,
		message: 'Hello',
	});
	pages['the start page of a public link'] = { path: `/t/${slug}` };
	pages['the start page with problems'] = { path: `/t/${slug}`, act: sendInvalid('Start') };
	pages['a link that does not work'] = { path: '/t/none' };
	await desk.control.advance(60);
	pages['the dashboard'] = { path: '/' };
	const unfold = async () => {
		for (const summary of await page.locator('summary').all()) await summary.click();
	};
	pages['the dashboard with everything unfolded'] = { path: '/?done=replayed', act: unfold };
});

const WAYS = SCHEMES.flatMap((scheme) => WIDTHS.map((width) => [scheme, width] as const));

describe.each(WAYS)('in the %s scheme at %d pixels', (colorScheme, width) => {
	it('axe finds no violation on any page, and no page scrolls sideways', async () => {
		const found: unknown[] = [];
		for (const [name, { path, act }] of Object.entries(pages)) {
			await visit(path, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
			await act?.();
			found.push(...(await axeFindings(page)).map((finding) => [name, finding]));
			const wide = await page.evaluate<number>(
				'document.documentElement.scrollWidth - window.innerWidth',
			);
			if (wide > 0) found.push([name, `scrolls sideways by ${wide}`]);
			await page.context().close();
		}
		expect(Object.keys(pages)).toHaveLength(11);
		expect(found).toEqual([]);
	});
});
