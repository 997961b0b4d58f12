import { flowOf } from './findText';
import { pageOf, show, stream, written } from './onePage';

describe('A font whose codes have several bytes', () => {
	const FONT =
		'/Subtype /Type0 /ToUnicode 10 0 R /DescendantFonts [<< /W [65 [100 200] 70 80 300 82 [400]] /DW 500 >>]';

	it.each([
		['one by one', 'beginbfchar <0041> <0061> <0043> <0062> endbfchar', '004100420043', 'a?b'],
		['without the first byte', 'beginbfchar <0041> <61> endbfchar', '0041', 'a'],
		['of all codes', 'beginbfrange <0000> <FFFF> <0000> endbfrange', '00610062', 'ab'],
		['of several letters', 'beginbfrange <0041> <0042> <00660061> endbfrange', '00410042', 'fafb'],
		['as a list', 'beginbfrange <0041> <0042> [<0062> <0061>] endbfrange', '00410042', 'ba'],
		[
			'where the one that begins last counts',
			'beginbfrange <0042> <0042> <007A> <0041> <0043> <0061> endbfrange',
			'00420041',
			'za',
		],
		[
			'where nothing is meant that ends before it begins',
			'beginbfrange <0043> <0042> <0061> <0041> <0041> <0061> endbfrange',
			'00410043',
			'a?',
		],
		[
			'where nothing is meant by no byte, or by five',
			'beginbfchar <> <0061> <0000000041> <0062> endbfchar',
			'00000041',
			'??',
		],
		[
			'where nothing is meant that is longer than all codes',
			'beginbfrange <00000000> <00010000> <0000> endbfrange',
			'0041',
			'?',
		],
		[
			'where more of them than any font has say nothing',
			'beginbfrange <0000> <FFFF> <0000> <00000000> <00001170> <0000> endbfrange',
			'0041',
			'',
		],
		[
			'behind a dictionary with words in it',
			'/CIDSystemInfo << /Registry (F1) def >> def beginbfchar <0041> <0061> endbfchar',
			'0041',
			'a',
		],
	])('shows ranges of codes %s', async (_, table, codes, text) => {
		const fonts = `/F1 << ${FONT} /Encoding /Identity-H >>`;
		const page = await pageOf(written(show(`<${codes}> Tj`), fonts, stream(table)));
		expect(flowOf(page).text.replace(/\uFFFF/g, '?')).toBe(text);
	});

	it.each([
		[
			'a list and a range of glyphs',
			'',
			'0041004200430046005000510052',
			[100, 200, 500, 300, 300, 500, 400],
		],
		[
			'codes of one byte and of two',
			'begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange ' +
				'begincidrange <41> <42> 65 <8041> <8042> 69 endcidrange begincidchar <43> 80 endcidchar',
			'418041428042439000',
			[100, 500, 200, 300, 300, 500],
		],
		[
			'codes of three bytes and of four',
			'begincodespacerange <800000> <8000FF> <90000000> <900000FF> endcodespacerange ' +
				'begincidrange <800041> <800042> 65 <90000041> <90000042> 69 endcidrange',
			'80004190000042800042',
			[100, 300, 200],
		],
	])('is as wide as it says: %s', async (_, encoding, codes, widths) => {
		const fonts = `/F1 << ${FONT} /Encoding ${encoding ? '11 0 R' : '/Identity-H'} >>`;
		const table = 'beginbfrange <0000> <FFFF> <0000> endbfrange';
		const more = [stream(table), stream(encoding)];
		const { runs } = await pageOf(written(show(`<${codes}> Tj`), fonts, ...more));
		const found = runs.flatMap(({ starts, ends, size }) =>
			ends.map((end, at) => Number((((end - Number(starts[at])) / size) * 1000).toFixed(1))),
		);
		expect(found).toEqual(widths);
	});
});

describe('A font of single bytes that names no encoding', () => {
	const program = (key: string, flags: number) =>
		`/Subtype /TrueType /FontDescriptor << /${key} 10 0 R /Flags ${flags} >>`;

	it.each([
		['has the standard one', '/Subtype /Type1 /BaseFont /Other', 'ab'],
		['has the standard one in a program with usual signs', program('FontFile2', 32), 'ab'],
		['has one of its own in a program of symbols', program('FontFile2', 4), '??'],
		['has the standard one where symbols are not in the file', program('None', 4), 'ab'],
		['has none, as it is drawn in the file', '/Subtype /Type3', '??'],
	])('%s', async (_, entries, text) => {
		const page = await pageOf(written(show('(ab) Tj'), `/F1 << ${entries} >>`, stream('')));
		expect(flowOf(page).text.replace(/\uFFFF/g, '?')).toBe(text);
	});
});

describe('A font of single bytes, of which an object is missing that says', () => {
	const font = (entries: string) => `/F1 << /Subtype /Type1 /BaseFont /Helvetica ${entries} >>`;

	it.each([
		['which code has the first width', '/FirstChar 99 0 R'],
		['how wide all others are', '/FontDescriptor << /MissingWidth 99 0 R >>'],
	])('%s, is read if it has no widths', async (_, entries) => {
		const page = await pageOf(written(show('(ab) Tj'), font(entries)));
		expect(flowOf(page).text).toBe('ab');
		const other = await pageOf(written(show('(ab) Tj'), font(`${entries} /Widths [500]`)));
		expect(other).toMatchObject({ runs: [], isIncomplete: true });
	});
});
