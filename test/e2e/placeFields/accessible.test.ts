import type { BrowserContextOptions } from 'playwright-core';
import { axeFindings } from '../support/axe';
import { DESKTOP, PHONE } from './support/placeFieldsPage';
import { openEmpty, place, setStage } from './support/stage';
import { pagesOf } from './support/testPdf';

const SCREENS: Array<[string, BrowserContextOptions]> = (['light', 'dark'] as const).flatMap(
	(colorScheme) => [
		[`on a desktop, ${colorScheme}`, { ...DESKTOP, colorScheme }],
		[`on a phone, ${colorScheme}`, { ...PHONE, colorScheme }],
	],
);

setStage();

const entry = (changes: object) => ({
	...{ type: 'SIGNATURE', pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.3, heightNorm: 0.05 },
	...changes,
});
/**
 * All recipients, every type, an overlap, a page that is not there and somebody who does not sign.
 */
const MANY = [
	...Array.from({ length: 10 }, (_x, index) =>
		entry({ recipient: index + 1, yNorm: 0.08 * index }),
	),
	...['DATE', 'CHECKBOX', 'RADIO_GROUP', 'TEXTAREA'].map((type, index) =>
		entry({ type, xNorm: 0.6, yNorm: 0.2 * index }),
	),
	entry({ xNorm: 0.35, yNorm: 0.1 }),
	entry({ pageNumber: 9 }),
];

describe('axe finds nothing', () => {
	it.each(SCREENS)('%s', async (_screen, options) => {
		await openEmpty(options);
		const tab = place.page.getByRole('button', { name: 'Recipients and JSON' });
		const both = async () => {
			const found = await axeFindings(place.page);
			if (!(await tab.isVisible())) return found;
			await tab.click();
			found.push(...(await axeFindings(place.page)));
			await place.page.getByRole('button', { name: 'Pages', exact: true }).click();
			return found;
		};
		expect(await both()).toEqual([]);

		await place.openPdf(await pagesOf(2));
		if (await tab.isVisible()) await tab.click();
		await place.read(JSON.stringify([entry({ xNorm: 0.9 })]));
		expect(await axeFindings(place.page)).toEqual([]);
		await place.read(JSON.stringify(MANY));
		await place.box(2).click();
		if (await tab.isVisible()) await tab.click();
		await place.page.getByText('More Options').click();
		await place.page.getByLabel('Field Key').fill('Wrong Key');
		await place.page.keyboard.press('Tab');
		expect(await both()).toEqual([]);
	});
});

describe('Recipients', () => {
	it('differ by number, line and pattern, not by colour alone', async () => {
		await openEmpty();
		await place.openPdf(await pagesOf(1));
		await place.read(JSON.stringify(MANY.slice(0, 10)));
		// Without the colours of the pattern.
		const looks = await place.page.evaluate<
			Array<{ shape: string; colour: string; number: string }>
		>(
			`[...document.querySelectorAll('.box')].map((box) => {
				const { borderTopStyle, backgroundImage, backgroundSize, borderTopColor } = getComputedStyle(box);
				const pattern = backgroundImage.replace(/rgba?\\([^)]*\\)/g, '');
				return { shape: [borderTopStyle, pattern, backgroundSize].join(), colour: borderTopColor, number: box.textContent[0] };
			})`,
		);
		expect(new Set(looks.map(({ shape }) => shape)).size).toBe(10);
		expect(new Set(looks.map(({ colour }) => colour)).size).toBe(10);
		expect(looks.map(({ number }) => number).slice(0, 9)).toEqual([
			'1',
			'2',
			'3',
			'4',
			'5',
			'6',
			'7',
			'8',
			'9',
		]);
	});
});
