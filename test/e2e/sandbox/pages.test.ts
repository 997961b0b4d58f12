import { ADA, BO } from '../../sandbox/pages/desk';
import { complaints, desk, page, pagesDrawn, setStage, sign, visit, WIDTHS } from './window';

const FIELDS = [
	{ type: 'TEXT', fieldKey: 'project', pageNumber: 1, yNorm: 0.85 },
	{
		type: 'RADIO_GROUP',
		fieldKey: 'colour',
		dropdownOptions: ['Red', 'Blue'],
		yNorm: 0.9,
		heightNorm: 0.05,
	},
	{
		type: 'DROPDOWN',
		fieldKey: 'currency',
		dropdownOptions: ['EUR', 'GBP'],
		pageNumber: 2,
		yNorm: 0.9,
	},
	{ type: 'CHECKBOX', fieldKey: 'agreed', pageNumber: 2, xNorm: 0.6, yNorm: 0.9, widthNorm: 0.04 },
];

/**
 * What a person enters into a field of each type; every signer has a signature on the last page.
 */
const ENTRIES: Record<string, string> = {
	INITIALS: 'AA',
	DATE: '2026-11-30',
	TEXT: 'Arden Ltd',
	CHECKBOX: 'true',
	DROPDOWN: 'Delaware',
	EMAIL: 'ada@arden.example',
	RADIO_GROUP: 'Blue',
	NAME: 'Ada Arden',
	TITLE: 'Director',
	COMPANY: 'Arden Ltd',
	STAMP: 'Arden Ltd',
	TEXTAREA: 'Two\nlines',
	NUMBER: '12.5',
	PHONE: '+44 20 7946 0000',
	SIGNATURE: 'Ada Arden',
};

setStage();
beforeEach(() => desk.control.reset());

/** The signing page of Ada, of a document with all of the fields. */
async function visitAsAda(options: object = {}) {
	const { id } = await desk.send([ADA, BO], { fields: FIELDS });
	await visit(await desk.signPath('Ada'), options);
	return id;
}

const statusOfAda = async (id: string) => (await desk.statuses(id))[0];

/** Dark pixels of a drawn page: a blank canvas has none. */
function inkOf(number: number): Promise<number> {
	return page.locator(`canvas[data-page="${number}"]`).evaluate((element) => {
		const canvas = element as unknown as {
			width: number;
			height: number;
			getContext(kind: '2d'): Context;
		};
		interface Context {
			getImageData(
				x: number,
				y: number,
				width: number,
				height: number,
			): { data: Uint8ClampedArray };
		}
		const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		return data.filter((red, at) => at % 4 === 0 && data[at + 3]! > 0 && red < 128).length;
	});
}

async function focused(): Promise<string> {
	return page.evaluate(
		'document.activeElement.getAttribute("name") || document.activeElement.textContent.trim()',
	);
}

describe('signing in a browser', () => {
	it('shows every page of the document with every field over its place, without a complaint of the browser', async () => {
		await visitAsAda();
		await pagesDrawn(3);
		for (const number of [1, 2, 3]) expect(await inkOf(number)).toBeGreaterThan(1000);
		expect(complaints).toEqual([]);
		const sheet = (await page.locator('.sheet').nth(0).boundingBox())!;
		const input = (await page.getByLabel('Project').boundingBox())!;
		expect((input.x - sheet.x) / sheet.width).toBeCloseTo(0.1, 2);
		expect((input.y - sheet.y) / sheet.height).toBeCloseTo(0.85, 2);
		expect(input.width / sheet.width).toBeCloseTo(0.3, 2);
	});

	it('is done by keyboard alone', async () => {
		const id = await visitAsAda();
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
		expect(await statusOfAda(id)).toBe('signed');
	});

	it('does not send the form while something required is missing, and declines only when asked once more', async () => {
		const id = await visitAsAda();
		await page.getByRole('button', { name: 'Sign', exact: true }).click();
		expect(await focused()).toContain('field.');
		expect(await statusOfAda(id)).toBe('viewed');
		const decline = page.getByRole('button', { name: 'Decline to sign' });
		expect(await decline.isVisible()).toBe(false);
		await page.getByText('Decline instead').click();
		await decline.click();
		await page.waitForSelector('h1:has-text("Declined")');
		expect((await desk.document(id)).status).toBe('declined');
	});

	it('works without JavaScript', async () => {
		const { id } = await desk.send([ADA]);
		await visit(await desk.signPath('Ada'), { javaScriptEnabled: false });
		await page.getByLabel('Signature').fill('Ada Arden');
		await sign();
		expect(await statusOfAda(id)).toBe('signed');
	});

	it('on a phone has the fields below their page, large enough to touch', async () => {
		await visitAsAda({ viewport: { width: 375, height: 740 }, hasTouch: true });
		await pagesDrawn(3);
		for (const control of await page
			.locator('.fields input[type=text], .fields select, button.primary')
			.all()) {
			expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(40);
		}
		const sheet = (await page.locator('.sheet').nth(0).boundingBox())!;
		expect((await page.getByLabel('Project').boundingBox())!.y).toBeGreaterThan(
			sheet.y + sheet.height,
		);
	});
});

it('the dashboard copies a key at a click', async () => {
	await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] });
	await page.getByRole('button', { name: `Copy ${desk.sandbox.keys.test}` }).click();
	await page.getByRole('button', { name: 'Copied' }).waitFor();
	expect(await page.evaluate('navigator.clipboard.readText()')).toBe(desk.sandbox.keys.test);
	expect(complaints).toEqual([]);
});

describe.each(WIDTHS)('at %d pixels', (width) => {
	it('a person fills in and signs one field of each of the fifteen types', async () => {
		const types = Object.keys(ENTRIES).filter((type) => type !== 'SIGNATURE');
		const fields = types.map((type, index) => ({
			...{
				type,
				xNorm: index % 2 ? 0.55 : 0.1,
				yNorm: 0.06 + Math.floor(index / 2) * 0.11,
				heightNorm: 0.05,
			},
			dropdownOptions: [ENTRIES[type] ?? '', 'Other'],
		}));
		const { id } = await desk.send([ADA], { fields });
		await visit(await desk.signPath('Ada'), { viewport: { width, height: 900 } });
		await pagesDrawn(1);
		expect(await page.locator('.field').count()).toBe(15);
		for (const [type, entry] of Object.entries(ENTRIES)) {
			const field = page.locator(`.field.type-${type.toLowerCase().replace('_', '-')}`);
			if (type === 'CHECKBOX') await field.getByRole('checkbox').check();
			else if (type === 'RADIO_GROUP') await field.getByLabel(entry).check();
			else if (type === 'DROPDOWN') await field.locator('select').selectOption(entry);
			else await field.locator('input, textarea').fill(entry);
		}
		await sign();
		expect((await desk.document(id)).status).toBe('completed');
	});
});
