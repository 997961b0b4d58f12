import { textOf } from '../../../nodes/ESign/pdf';
import { findTags } from '../../../nodes/ESign/actions/document/fields/tags/tagFields';
import type { Tag } from '../../../nodes/ESign/actions/document/fields/tags/readTag';
import { placeFields } from '../../../nodes/ESign/actions/document/fields/placeFields';
import type { Place } from '../../../nodes/ESign/actions/document/fields/field';
import { openEmpty, place, setStage } from './support/stage';
import { pagesWith } from './support/testPdf';

setStage();
beforeEach(() => openEmpty());

const TAGS = [
	'Signature: [[signature 1]]      Date: [[date 1]]',
	'[[checkbox 2]] I agree, and so does the company that I act for',
	'[[Text Area 2 optional: Remarks]]',
	'[[radio group ada@example.com: Monthly, Yearly]]',
];

/** The options of a tag are a text. */
function fieldOf({ input: { dropdownOptions, ...input } }: Tag) {
	if (typeof dropdownOptions !== 'string') return input;
	return { ...input, dropdownOptions: dropdownOptions.split(', ') };
}

/** Where the node puts the fields of the tags: page, left, top, width, height. */
async function placedByNode(pdf: Buffer): Promise<number[][]> {
	const recipients = [{ email: 'ada@example.com' }, { email: 'grace@example.com' }];
	const found = await findTags((await textOf(pdf)) ?? [], recipients);
	const rows = found.flatMap(({ reading, ...match }) =>
		reading.kind === 'tag' ? [{ ...fieldOf(reading), recipient: reading.recipient, match }] : [],
	);
	await placeFields(rows);
	return (rows as unknown as Place[]).map((input) => [
		input.pageNumber,
		input.xNorm,
		input.yNorm,
		input.widthNorm,
		input.heightNorm,
	]);
}

describe('Tags in the text of a PDF', () => {
	it('are shown where the node puts their fields, and listed', async () => {
		const pdf = await pagesWith(['Nothing here'], TAGS);
		const wanted = await placedByNode(pdf);
		expect(wanted).toHaveLength(5);
		await place.openPdf(pdf);
		await place.page.getByText('5 tags found.').waitFor();
		await place.drawn(2);
		const marks = await place.sheet(2).locator('.tag').all();
		const shown = await Promise.all(
			marks.map(async (mark) => [2, ...(await place.within(2, mark))]),
		);
		for (const [index, mark] of shown.entries()) {
			for (const [at, value] of mark.entries())
				expect(Math.abs(value - (wanted[index]?.[at] ?? 0))).toBeLessThan(0.006);
		}
		expect(await place.page.locator('#tags li').allTextContents()).toEqual([
			'Signature, recipient 1, page 2',
			'Date, recipient 1, page 2',
			'Checkbox, recipient 2, page 2',
			'Text Area, recipient 2, page 2',
			'Radio Group, recipient ada@example.com, page 2',
		]);
		expect(await place.page.locator('#tags-wrong').isVisible()).toBe(false);
		expect(await place.entries()).toEqual([]);
		expect(place.complaints).toEqual([]);
	});

	it('what the node refuses beside them is marked, and fields are drawn through the marks', async () => {
		await place.openPdf(await pagesWith(['[[signature 1]]', '[[sgnature 2]]', '[[1]]']));
		await place.page.getByText('1 text in double brackets is no tag.').waitFor();
		expect(await place.page.locator('#tags li').allTextContents()).toEqual([
			'Signature, recipient 1, page 1',
			'[[sgnature 2]] is no tag, page 1',
		]);
		const [left = 0, top = 0] = await place.within(1, place.sheet(1).locator('.tag').first());
		await place.draw(1, [left + 0.02, top + 0.01, left + 0.3, top + 0.1]);
		expect(await place.entries()).toHaveLength(1);
	});

	it('are those of the file that is open', async () => {
		await place.openPdf(await pagesWith(['[[signature 1]]']));
		await place.page.getByText('1 tag found.').waitFor();
		await place.openPdf(await pagesWith(['[[Name]] and [[Company]]']), 'other.pdf');
		await place.page.locator('#tags-section').waitFor({ state: 'hidden' });
		expect(await place.page.locator('.tag:visible').count()).toBe(0);
	});
});
