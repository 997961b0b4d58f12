import { findTexts, nearestText } from '../../../../nodes/ESign/actions/document/fields/text/find';
import { flowsOf } from '../../../../nodes/ESign/actions/document/fields/text/flow';
import { fold, mostAlike } from '../../../../nodes/ESign/actions/document/fields/text/compare';
import { findTags } from '../../../../nodes/ESign/actions/document/fields/tags/tagFields';
import { placeFields } from '../../../../nodes/ESign/actions/document/fields/placeFields';
import { HELVETICA, pageOf, show, written } from '../../../pdf/onePage';
import { pageWith, type Written } from './support/page';

const found = async (text: string, ...pages: Written[][]) => {
	const [matches = []] = await findTexts(
		pages.map((written) => pageWith(...written)),
		[text],
	);
	return matches;
};

describe('Texts are compared', () => {
	it.each([
		['case and white space', 'Signature  of', 'SIGNATUREOF'],
		['letters that capitals spell otherwise', 'Straße ὁδός', 'STRASSE ὉΔΌΣ'],
		['a capital ß', 'STRAẞE', 'Straße'],
		['ligatures', 'oﬃce ﬁle', 'office file'],
		['the form of quotes', 'It’s «so» „so“', `It's "so" "so"`],
		['the form of dashes', '2026–27 — 28 ‑ 29', '2026-27 - 28 - 29'],
		['composition', 'caf\u00E9', 'cafe\u0301'],
		['soft hyphens and what is unseen', 'co\u00ADope\u200Brate', 'cooperate'],
		['the width of letters', 'ＡＢ', 'ab'],
	])('without regard to %s', (_, one, other) => {
		expect(fold(one)).toBe(fold(other));
		expect(fold(one)).not.toBe('');
	});
});

describe('A text is found', () => {
	it.each<[string, string, Written[], number]>([
		['in one run', 'client:', [{ text: 'The Client: Ada', x: 50, y: 100 }], 1],
		[
			'across runs, with a space that is not painted',
			'of the client',
			[
				{ text: 'of', x: 50, y: 100 },
				{ text: 'the', x: 65, y: 100 },
				{ text: 'client', x: 84, y: 100 },
			],
			1,
		],
		['as whole words', 'Sign', [{ text: 'Signature, Sign. sign-off', x: 50, y: 100 }], 2],
		[
			'before the mark of a note',
			'client',
			[
				{ text: 'The client', x: 50, y: 100 },
				{ text: '1', x: 100, y: 97, size: 6 },
			],
			1,
		],
		['not within a word that has an accent', 'cafe', [{ text: 'cafe\u0301', x: 50, y: 100 }], 0],
		['within a line of a script without spaces', '署名', [{ text: '甲署名欄', x: 50, y: 100 }], 1],
		['twice, side by side', '印', [{ text: '印印', x: 50, y: 100 }], 2],
		[
			'at the edge of a gap',
			'Date',
			[
				{ text: 'Date', x: 50, y: 100 },
				{ text: 'Name', x: 71.3, y: 100 },
			],
			1,
		],
		[
			'not at a kern',
			'Sign',
			[
				{ text: 'Sign', x: 50, y: 100 },
				{ text: 'ature', x: 71.1, y: 100 },
			],
			0,
		],
		[
			'once though it is painted twice, for bold',
			'Sign',
			[
				{ text: 'Sign', x: 50, y: 100 },
				{ text: 'Sign', x: 50.3, y: 100 },
			],
			1,
		],
		[
			'in the order of reading where words are painted in another',
			'one two',
			[
				{ text: 'two', x: 70, y: 100 },
				{ text: 'one', x: 50, y: 100.5 },
			],
			1,
		],
		[
			'in a cell that is painted before the one on its left',
			'one two',
			[
				{ text: 'one', x: 200, y: 100 },
				{ text: 'two', x: 200, y: 112 },
				{ text: 'left', x: 50, y: 100 },
				{ text: 'more', x: 50, y: 112 },
			],
			1,
		],
		[
			'over the end of a line',
			'one two',
			[
				{ text: 'one', x: 200, y: 100 },
				{ text: 'two', x: 50, y: 112 },
			],
			1,
		],
		['from right to left, as it is seen', 'חתימה 12', [{ text: '12 המיתח', x: 50, y: 100 }], 1],
		['behind words of another script', 'שם:', [{ text: 'Ada Lovelace :םש', x: 50, y: 100 }], 1],
		['and before them', 'שם: Ada Lovelace', [{ text: 'Ada Lovelace :םש', x: 50, y: 100 }], 1],
		[
			'with signs within words of another script',
			'שם Job-title תאר )1.5(',
			[{ text: '(1.5) ראת Job-title םש', x: 50, y: 100 }],
			1,
		],
		[
			'with numbers that are read from the right',
			'שם 12 34',
			[{ text: '34 12 םש', x: 50, y: 100 }],
			1,
		],
		[
			'with numbers among words of another direction',
			'שם Room 10 20',
			[{ text: 'Room 10 20 םש', x: 50, y: 100 }],
			1,
		],
		[
			'not where a sign of it is unknown',
			'Sign',
			[{ text: ['S', undefined, 'g', 'n'], x: 50, y: 100 }],
			0,
		],
		['not by nothing but spaces', '\u00AD', [{ text: 'Sign', x: 50, y: 100 }], 0],
	])('%s', async (_, text, written, count) => {
		await expect(found(text, written)).resolves.toHaveLength(count);
	});

	it('by page, then from top to bottom, then from left to right', async () => {
		const matches = await found(
			'Sign',
			[
				{ text: 'Sign', x: 300, y: 100, size: 12 },
				{ text: 'Sign', x: 50, y: 101 },
				{ text: 'Sign', x: 50, y: 60 },
			],
			[{ text: 'Sign', x: 50, y: 20 }],
		);
		expect(matches.map(({ pageNumber, box }) => [pageNumber, box.left])).toEqual([
			[1, 50],
			[1, 50],
			[1, 300],
			[2, 50],
		]);
		expect(matches[0]?.box).toEqual({ left: 50, top: 52.5, right: 70, bottom: 62.5 });
	});

	it('with the box of its longest piece, if it is broken over lines', async () => {
		const [match] = await found('one longer two', [
			{ text: 'one', x: 50, y: 100 },
			{ text: 'longer', x: 50, y: 112 },
			{ text: 'two', x: 50, y: 124 },
		]);
		expect(match).toMatchObject({
			text: 'one\nlonger\ntwo',
			box: { left: 50, right: 80, bottom: 114.5 },
		});
	});

	it('501 times at most', async () => {
		const lines = Array.from({ length: 40 }, (_, line) => ({
			text: 'a '.repeat(40),
			x: 50,
			y: 20 * line + 20,
		}));
		await expect(found('a', lines, lines)).resolves.toHaveLength(501);
	});
});

it('A word of condensed text, whose spaces are narrow, is a word', async () => {
	const condensed = '-1.2 Tc (Your Signature [[dropdown 1: Per month, Per year]]) Tj';
	const page = await pageOf(written(show(condensed), HELVETICA));
	await expect(findTexts([page], ['Signature'])).resolves.toMatchObject([[{}]]);
	const tags = await findTags([page], [{ email: 'ada@example.com' }]);
	expect(tags).toMatchObject([{ reading: { input: { dropdownOptions: 'Per month, Per year' } } }]);
});

describe('Others run between', () => {
	const page = pageWith({ text: '[[date 1]] '.repeat(400), x: 0, y: 100 });
	const looksOf = async (work: () => Promise<unknown>) => {
		const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
		await work();
		const looks = clock.mock.calls.length;
		clock.mockRestore();
		return looks;
	};

	it.each<[string, number, () => Promise<unknown>]>([
		['the tags of a page', 400, async () => await findTags([page], [{ email: 'ada@example.com' }])],
		['the places of a text', 400, async () => await findTexts([page], ['date'])],
		[
			'the boxes of fields',
			400,
			async () => {
				const [matches = []] = await findTexts([page], ['date']);
				expect(matches).toHaveLength(400);
				await placeFields(matches.map((match) => ({ match, type: 'DATE' })));
			},
		],
		[
			'the nearest text of a full page',
			8,
			async () => await nearestText([pageWith({ text: 'x'.repeat(15_000), x: 0, y: 100 })], 'yz'),
		],
		// Seven, each of which goes through all glyphs; lines that are turned take long to be found.
		[
			'the steps to the orders of a page',
			7,
			async () => {
				for await (const { folded } of flowsOf([page])) expect(folded).toContain('[[DATE1]]');
			},
		],
	])('%s', async (_, least, work) => {
		await expect(looksOf(work)).resolves.toBeGreaterThan(least);
	});

	it('and a text of many fields is looked for once', async () => {
		const once = await looksOf(async () => await findTexts([page], ['date']));
		const many = Array<string>(100).fill('date');
		await expect(looksOf(async () => await findTexts([page], many))).resolves.toBe(once);
	});
});

describe('The nearest text', () => {
	const PAGES = [
		pageWith({ text: 'Terms of payment', x: 50, y: 100 }),
		pageWith({ text: 'The Signature of the Client is due', x: 50, y: 100 }),
	];

	it.each([
		['Signature of client:', 'Signature of the Client'],
		['Singature of the client', 'Signature of the Client'],
		['Sig', 'Signature'],
		['Term of payments', 'Terms of payment'],
		['Something else entirely', undefined],
	])('of "%s" is %s', async (text, nearest) => {
		expect((await nearestText(PAGES, text))?.text).toBe(nearest);
	});

	it.each([3_980, 3_990, 4_000])('is found behind %i characters', async (length) => {
		const page = pageWith({ text: `${'x'.repeat(length)} Signature of the Client`, x: 0, y: 100 });
		const nearest = await nearestText([page], 'Signature of client:');
		expect(nearest?.text).toBe('Signature of the Client');
	});
});

it.each([
	['abcd', 'xxabcdxx', 0, 6],
	['abcd', 'abxd', 1, 4],
	['abcd', 'abd', 1, 3],
	['abcd', 'abxcd', 1, 5],
	['abcd', 'bcd', 1, 3],
	['abcd', 'acbd', 2, 2],
	['abcd', 'xabcd abcd', 0, 5],
	['abcd', 'zz', 4, 0],
	['abcd', '', 4, 0],
])('"%s" becomes a part of "%s" by %d changes, up to %d', (wanted, text, changes, end) => {
	expect(mostAlike(wanted, text)).toEqual({ changes, end });
});
