import type { Place } from '../../../../nodes/ESign/actions/document/fields/field';
import {
	placeFields,
	type WantedField,
} from '../../../../nodes/ESign/actions/document/fields/placeFields';
import { findTexts } from '../../../../nodes/ESign/actions/document/fields/text/find';
import type { PageText } from '../../../../nodes/ESign/pdf';
import { A4, pageWith, type Written } from './support/page';

type Wish = Omit<WantedField, 'match'> & { text: string };

async function placed(fields: WantedField[]): Promise<Place[]> {
	await placeFields(fields);
	return fields as Array<WantedField & Place>;
}

/** Left, top, right and bottom in points. */
async function boxes(page: PageText, ...wishes: Wish[]): Promise<number[][]> {
	const found = await findTexts(
		[page],
		wishes.map(({ text }) => text),
	);
	const placements = wishes.map(({ text, ...wish }, index) => {
		const [match] = found[index] ?? [];
		if (!match) throw new Error(`${text} is not there`);
		return { type: 'SIGNATURE', ...wish, match };
	});
	return (await placed(placements)).map(({ xNorm, yNorm, widthNorm, heightNorm }) => {
		const [left, top] = [xNorm * page.width, yNorm * page.height];
		const edges = [left, top, left + widthNorm * page.width, top + heightNorm * page.height];
		return edges.map((edge) => Math.round(edge * 10) / 10);
	});
}

/** A tag of 75 by 10 points, whose line is 0.25 em under its baseline. */
const TAG = '[[signature 1]]';
const at = (x: number, y: number, text = TAG): Written => ({ text, x, y });

describe('A box on a text', () => {
	it.each<[string, Partial<Wish>, number[]]>([
		['SIGNATURE', {}, [100, 366.5, 244, 402.5]],
		['INITIALS', {}, [100, 374.5, 175, 402.5]],
		['STAMP', {}, [100, 330.5, 208, 402.5]],
		['TEXT', {}, [100, 384.5, 244, 402.5]],
		['EMAIL', {}, [100, 384.5, 244, 402.5]],
		['DATE', {}, [100, 384.5, 196, 402.5]],
		['CHECKBOX', {}, [100, 390.5, 175, 402.5]],
		['TEXTAREA', {}, [100, 392.5, 316, 446.5]],
		['RADIO_GROUP', { dropdownOptions: ['a', 'b', 'c'] }, [100, 392.5, 244, 440.5]],
	])('of type %s stands on the line, or grows down', async (type, more, box) => {
		const page = pageWith(at(100, 400));
		await expect(boxes(page, { text: TAG, type, ...more })).resolves.toEqual([box]);
	});

	it.each<[string, Written[], number[]]>([
		['ends before the next text of its line', [at(100, 400), at(200, 401, 'Date:')], [100, 196]],
		['covers underscores and dots', [at(100, 400), at(180, 400, '______ ....')], [100, 244]],
		['is never narrower than its tag', [at(100, 400), at(176, 400, 'Date:')], [100, 175]],
		['takes no notice of the next line', [at(100, 400), at(200, 412, 'Date:')], [100, 244]],
		['ends at the right edge of the page', [at(490, 400)], [490, 595]],
	])('%s', async (_, written, [left, right]) => {
		const [box] = await boxes(pageWith(...written), { text: TAG });
		expect([box?.[0], box?.[2]]).toEqual([left, right]);
	});

	it('is moved into the page', async () => {
		await expect(boxes(pageWith(at(100, 20)), { text: TAG })).resolves.toEqual([[100, 0, 244, 36]]);
	});

	it('contains the tag along turned text, and is upright', async () => {
		const page = pageWith({ ...at(300, 400), turned: 90 });
		await expect(boxes(page, { text: TAG })).resolves.toEqual([[292.5, 325, 436.5, 400]]);
	});
});

describe('A box beside a text', () => {
	const page = pageWith(at(100, 400, 'Client: ______ Date: ____'));

	it.each<[string, Partial<Wish>, number[]]>([
		[
			'right of it, over underscores, up to the next text',
			{ side: 'right' },
			[139, 366.5, 171, 402.5],
		],
		['a checkbox right of it', { side: 'right', type: 'CHECKBOX' }, [139, 390.5, 151, 402.5]],
		['a checkbox below it', { side: 'below', type: 'CHECKBOX' }, [100, 404.5, 112, 416.5]],
		['a checkbox above it', { side: 'above', type: 'CHECKBOX' }, [100, 378.5, 112, 390.5]],
		['below it', { side: 'below' }, [100, 404.5, 244, 440.5]],
		['above it', { side: 'above' }, [100, 354.5, 244, 390.5]],
		[
			'of its own size',
			{ side: 'right', widthNorm: 0.1, heightNorm: 0.1 },
			[139, 318.3, 198.5, 402.5],
		],
		['moved', { side: 'below', xOffsetNorm: 0.1, yOffsetNorm: -0.1 }, [159.5, 320.3, 303.5, 356.3]],
	])('%s', async (_, wish, box) => {
		await expect(boxes(page, { text: 'Client:', ...wish })).resolves.toEqual([box]);
	});
});

describe('Boxes on lines close to each other', () => {
	const page = pageWith(
		at(100, 400, '[[date 1]]'),
		at(100, 424),
		at(100, 438, '[[text 1]]'),
		at(400, 438, '[[stamp 1]]'),
	);

	it('become lower rather than cover each other: a signature down to 18 points', async () => {
		const lines = await boxes(
			page,
			{ text: '[[date 1]]', type: 'DATE' },
			{ text: TAG },
			{ text: '[[text 1]]', type: 'TEXT' },
			{ text: '[[stamp 1]]', type: 'STAMP' },
		);
		expect(lines).toEqual([
			[100, 384.5, 196, 402.5],
			[100, 402.5, 244, 426.5],
			[100, 426.5, 244, 440.5],
			[400, 368.5, 508, 440.5],
		]);
		const close = pageWith(at(100, 400, '[[date 1]]'), at(100, 412));
		const lowered = await boxes(close, { text: '[[date 1]]', type: 'DATE' }, { text: TAG });
		expect(lowered[1]).toEqual([100, 396.5, 244, 414.5]);
	});

	it('keep their height along turned text', async () => {
		const turned = pageWith(at(100, 400, '[[date 1]]'), { ...at(100, 410), turned: 90 });
		const lines = await boxes(turned, { text: '[[date 1]]', type: 'DATE' }, { text: TAG });
		expect(lines[1]).toEqual([92.5, 335, 236.5, 410]);
	});

	it('keep a height that is given', async () => {
		const [, signature] = await boxes(
			page,
			{ text: '[[date 1]]', type: 'DATE' },
			{ text: TAG, heightNorm: 36 / A4.height },
		);
		expect(signature).toEqual([100, 390.5, 244, 426.5]);
	});
});

it('No box exceeds its page by a rounding error', async () => {
	for (const width of [594.96, 595.28, 611.999, 841.89, 1 / 3]) {
		const page = { ...pageWith(at(width - 10, 400)), width, height: width };
		const [box] = await placed(
			(await findTexts([page], [TAG])).flat().map((match) => ({
				match,
				type: 'TEXT',
			})),
		);
		expect(Number(box?.xNorm) + Number(box?.widthNorm)).toBeLessThanOrEqual(1);
		expect(Number(box?.yNorm) + Number(box?.heightNorm)).toBeLessThanOrEqual(1);
	}
});
