import { findTexts } from '../../../nodes/ESign/actions/document/fields/text/find';
import type { Place } from '../../../nodes/ESign/actions/document/fields/field';
import { placeFields } from '../../../nodes/ESign/actions/document/fields/placeFields';
import { textOf } from '../../../nodes/ESign/pdf';
import { openEmpty, place, setStage } from './support/stage';
import { pagesWith } from './support/testPdf';

setStage();
beforeEach(() => openEmpty());

const PAGES = [
	['Signature of the Client: ________ Date: ____', 'Initials', 'Signatures are binding'],
	['Remarks', 'Initials'],
];

/** Each at one place. */
const AT_TEXTS = [
	{
		recipient: 'ada@example.com',
		type: 'SIGNATURE',
		anchor: { text: 'signature of the client:', side: 'right' },
	},
	{
		recipient: 'grace@example.com',
		type: 'TEXTAREA',
		anchor: { text: 'Remarks', side: 'below', xOffsetNorm: 0.2, yOffsetNorm: 0.02 },
		widthNorm: 0.3,
	},
	{ type: 'INITIALS', anchor: { text: 'Initials', side: 'above', occurrence: 'last' } },
	{ type: 'DATE', anchor: { text: 'Date:' } },
	{ type: 'CHECKBOX', anchor: { text: 'Remarks', side: 'right' } },
] as const;

const NOWHERE = [
	{ recipient: 'ada@example.com', type: 'INITIALS', anchor: { text: 'Initials' } },
	{ recipient: 'ada@example.com', type: 'TEXT', anchor: { text: 'Signatur' } },
];

const DRAWN = {
	recipient: 'ada@example.com',
	type: 'TEXT',
	pageNumber: 1,
	xNorm: 0.5,
	yNorm: 0.5,
	widthNorm: 0.2,
	heightNorm: 0.05,
};

/** Of a place: left and width. */
const ACROSS = new Set([1, 3]);

/** Where the node puts them: page, left, top, width, height. */
async function placedByNode(pdf: Buffer): Promise<number[][]> {
	const pages = (await textOf(pdf)) ?? [];
	const found = await findTexts(
		pages,
		AT_TEXTS.map(({ anchor }) => anchor.text),
	);
	const rows = AT_TEXTS.map(({ anchor, ...field }, index) => ({
		...field,
		...anchor,
		recipient: undefined,
		match: found[index]?.at(-1),
	}));
	await placeFields(rows);
	return (rows as unknown as Place[]).map((input) => [
		input.pageNumber,
		input.xNorm,
		input.yNorm,
		input.widthNorm,
		input.heightNorm,
	]);
}

describe('Fields at texts, from JSON', () => {
	it('are shown where the node puts them', async () => {
		const pdf = await pagesWith(...PAGES);
		const wanted = await placedByNode(pdf);
		await place.openPdf(pdf);
		await place.read(JSON.stringify(AT_TEXTS));
		const shown: number[][] = [];
		for (const page of [1, 2]) {
			await place.drawn(page);
			for (const mark of await place.sheet(page).locator('.landings .tag:visible').all())
				shown.push([page, ...(await place.within(page, mark))]);
		}
		const byPage = wanted.toSorted(([one = 0], [other = 0]) => one - other);
		expect(shown).toHaveLength(byPage.length);
		for (const [index, mark] of shown.entries()) {
			// pdf.js says where a line begins and ends: the page takes its letters to be of one width.
			for (const [at, value] of mark.entries())
				expect(Math.abs(value - (byPage[index]?.[at] ?? 0))).toBeLessThan(
					ACROSS.has(at) ? 0.02 : 0.006,
				);
		}
		expect(await place.page.locator('#fields li').allTextContents()).toEqual([
			'1Signature, ada@example.com, at "signature of the client:", page 1',
			'2Text Area, grace@example.com, at "Remarks", page 2',
			'–Initials, nobody yet, at "Initials", page 2',
			'–Date, nobody yet, at "Date:", page 1',
			'–Checkbox, nobody yet, at "Remarks", page 2',
		]);
		expect(place.complaints).toEqual([]);
	});

	it('are listed where they cannot be shown, and none is lost', async () => {
		const list = [NOWHERE[0], DRAWN, NOWHERE[1]];
		await place.read(JSON.stringify(list));
		expect(await place.entries()).toEqual(list);
		await place.openPdf(await pagesWith(...PAGES));
		await place.page.getByText('which is there 2 times: page 1, 2').waitFor();
		expect(await place.page.locator('#fields li').allTextContents()).toEqual([
			'1Initials, ada@example.com, at "Initials", which is there 2 times: page 1, 2',
			'1Text, ada@example.com, page 1',
			'1Text, ada@example.com, at "Signatur", not found in the open file',
		]);
		expect(await place.page.locator('.landings .tag').count()).toBe(0);
		await place.draw(1, [0.1, 0.6, 0.3, 0.65]);
		await place.button('Delete').click();
		expect(await place.entries()).toEqual(list);
		await place.openPdf(await pagesWith(['Initials']), 'other.pdf');
		await place.page.locator('.landings .tag').waitFor();
		expect(await place.entries()).toEqual(list);
	});

	it('may be given to somebody else, and be taken away', async () => {
		await place.openPdf(await pagesWith(...PAGES));
		await place.read(JSON.stringify([AT_TEXTS[0], NOWHERE[0]]));
		await place.page.locator('#fields li button').nth(1).click();
		expect(await place.page.getByLabel('Left', { exact: true }).isVisible()).toBe(false);
		await place.page.locator('#field-recipient').selectOption('');
		expect(await place.entries()).toEqual([
			AT_TEXTS[0],
			{ type: 'INITIALS', anchor: { text: 'Initials' } },
		]);
		await place.button('Delete').click();
		expect(await place.entries()).toEqual([AT_TEXTS[0]]);
	});
});
