import { textOf, type PageText } from '../../nodes/ESign/pdf';
import { FILTERS } from '../../nodes/ESign/pdf/objects/filters';
import { Source } from '../../nodes/ESign/pdf/objects/source';
import positions from '../fixtures/pdf-text/cases/positions.json';
import { fixture } from '../fixtures/fixture';
import { findText, flowOf } from './findText';
import { PdfWriter } from './pdfWriter';

interface Position {
	text: string;
	page: number;
	x: number;
	baseline: number;
	right: number | null;
	angle: number;
}

/** One page with such entries and content; more objects from number 10 on. */
function pdf(entries: string, content: string | Buffer, ...more: string[]): Buffer {
	const writer = new PdfWriter()
		.object(1, '<< /Type /Catalog /Pages 2 0 R >>')
		.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
		.object(3, `<< /Type /Page /Contents 4 0 R ${entries} >>`)
		.stream(4, '', Buffer.from(content));
	more.forEach((object, index) => writer.object(10 + index, object));
	return writer.table('/Root 1 0 R').bytes();
}

/** One page of 400 by 300 points with such content and fonts. */
function written(content: string | Buffer, fonts: string, ...more: string[]): Buffer {
	const entries = `/MediaBox [0 0 400 300] /Resources << /Font << ${fonts} >> >>`;
	return pdf(entries, content, ...more);
}

const HELVETICA = '/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const show = (text: string) => `BT /F1 12 Tf 50 200 Td ${text} ET`;

async function pageOf(bytes: Buffer): Promise<PageText> {
	const [page] = (await textOf(bytes)) ?? [];
	if (!page) throw new Error('The file has no text');
	return page;
}

describe('What a stream is packed in', () => {
	it.each([
		['LZWDecode', '800B6050220C0C8501', '-----A---B', 'the example of ISO 32000-1, 7.4.4.2'],
		[
			'ASCII85Decode',
			Buffer.from('<~@:E_W\n@:E^~>').toString('hex'),
			'abcdabc',
			'a short last group',
		],
		['Fl', '789c4b4c4a0600024d0127', 'abc', 'a short name'],
		['ASCII85Decode', Buffer.from('z@:E^~>').toString('hex'), '\0\0\0\0abc', 'four zeros'],
	])('is undone: %s of %s', async (name, packed, unpacked) => {
		const filter = FILTERS.get(`/${name}`);
		const source = new Source(Buffer.of(), 100_000);
		const bytes = await filter?.(source, Buffer.from(packed, 'hex'), new Map<string, never>());
		expect(bytes?.toString('latin1')).toBe(unpacked);
	});
});

describe('A font whose codes have several bytes', () => {
	const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
	const FONT =
		'/Subtype /Type0 /ToUnicode 10 0 R /DescendantFonts [<< /W [65 [100 200] 70 80 300] /DW 500 >>]';

	it.each([
		['one by one', 'beginbfchar <0041> <0061> <0043> <0062> endbfchar', '004100420043', 'a?b'],
		['without the first byte', 'beginbfchar <0041> <61> endbfchar', '0041', 'a'],
		['of all codes', 'beginbfrange <0000> <FFFF> <0000> endbfrange', '00610062', 'ab'],
		['of several letters', 'beginbfrange <0041> <0042> <00660061> endbfrange', '00410042', 'fafb'],
		['as a list', 'beginbfrange <0041> <0042> [<0062> <0061>] endbfrange', '00410042', 'ba'],
		[
			'where the one that begins last counts',
			'beginbfrange <0042> <0042> <007A> <0041> <0043> <0061> endbfrange',
			'00410042',
			'az',
		],
		[
			'where nothing is meant that ends before it begins',
			'beginbfrange <0043> <0042> <0061> <0041> <0041> <0061> endbfrange',
			'00410043',
			'a?',
		],
		[
			'where nothing is meant that is longer than all codes',
			'beginbfrange <00000000> <00010000> <0000> endbfrange',
			'0041',
			'?',
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
			'004100420043004600500051',
			[100, 200, 500, 300, 300, 500],
		],
		[
			'codes of one byte and of two',
			'begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange ' +
				'begincidrange <41> <42> 65 <8041> <8042> 69 endcidrange begincidchar <43> 80 endcidchar',
			'418041428042439000',
			[100, 500, 200, 300, 300, 500],
		],
	])('is as wide as it says: %s', async (_, encoding, codes, widths) => {
		const fonts = `/F1 << ${FONT} /Encoding ${encoding ? '11 0 R' : '/Identity-H'} >>`;
		const table = 'beginbfrange <0000> <FFFF> <0000> endbfrange';
		const more = [stream(table), stream(encoding)];
		const { runs } = await pageOf(written(show(`<${codes}> Tj`), fonts, ...more));
		const found = runs.flatMap(({ starts, ends, size }) =>
			ends.map((end, at) => Math.round(((end - Number(starts[at])) / size) * 1000)),
		);
		expect(found).toEqual(widths);
	});
});

describe('The text of a PDF', () => {
	it.each(Object.entries(positions as Record<string, Position[]>))(
		'is found where it stands: %s',
		async (name, wanted) => {
			const pages = (await textOf(fixture(`pdf-text/cases/${name}.pdf`))) ?? [];
			for (const { text, page, x, baseline, right, angle } of wanted) {
				const [found] = findText(pages[page - 1] as PageText, text);
				expect(found?.first.x).toBeCloseTo(x, 1);
				expect(found?.first.y).toBeCloseTo(baseline, 1);
				expect(found?.first.angle).toBeCloseTo(angle, 1);
				if (right !== null) expect(found?.last.endX).toBeCloseTo(right, 1);
			}
			if (wanted.length === 0)
				for (const page of pages) expect(findText(page, '[[signature 1]]')).toEqual([]);
		},
	);

	it.each([
		['with escapes and line ends in strings', '(a\\050b\\\\\\\r\nc\\)\\x) Tj', 'a(b\\c)x'],
		['in hexadecimal digits, the last one missing', '<6 1 62 7> Tj', 'abp'],
		[
			'behind an inline image that has its end mark in it',
			'BI /W 1 /H 1 ID \0 EI\x90\xff\n EI Q\n(x) Tj',
			'x',
		],
		['behind a comment and signs that do not belong there', '% (no) Tj\n} ) 3 (x) Tj', 'x'],
		[
			'that another one stands for',
			'/Span << /ActualText <FEFF00480069> >> BDC (abc) Tj EMC (d) Tj',
			'hid',
		],
		[
			'that another one stands for, with marks in it',
			'/Span << /ActualText (hi) >> BDC /P BMC (a) Tj EMC (b) Tj EMC (c) Tj',
			'hic',
		],
		['that its font calls otherwise after Q', 'q /F2 9 Tf Q (x) Tj', 'x'],
		['with numbers as some programs write them', '--1 0.-5 Td (x) Tj', 'x'],
	])('is read %s', async (_, content, text) => {
		expect(
			flowOf(await pageOf(written(Buffer.from(show(content), 'latin1'), HELVETICA))).text,
		).toBe(text);
	});

	it.each([
		['', [612, 792], [50, 592]],
		['/MediaBox [0 0 0 300]', [612, 792], [50, 592]],
		['/MediaBox [0 0 400 300]', [400, 300], [50, 100]],
		['/MediaBox [400 300 0 0]', [400, 300], [50, 100]],
		['/MediaBox [10 20 410 320]', [400, 300], [40, 120]],
		['/MediaBox [0 0 400 300] /CropBox [20 100 500 290]', [380, 190], [30, 90]],
		['/MediaBox [30 110 400 300] /CropBox [0 0 380 400]', [350, 190], [20, 100]],
		['/MediaBox [0 0 400 300] /CropBox [500 0 600 300]', [400, 300], [50, 100]],
		['/MediaBox [0 0 400 300] /UserUnit 2', [800, 600], [100, 200]],
		['/MediaBox [0 0 400 300] /Rotate 90', [300, 400], [200, 50]],
		['/MediaBox [0 0 400 300] /Rotate 180', [400, 300], [350, 200]],
		['/MediaBox [0 0 400 300] /Rotate -90', [300, 400], [100, 350]],
		['/MediaBox [0 0 400 300] /Rotate 450', [300, 400], [200, 50]],
	])('is where the page is seen to have it: %s', async (entries, size, place) => {
		const fonts = `/Resources << /Font << ${HELVETICA} >> >>`;
		const { width, height, runs } = await pageOf(pdf(`${entries} ${fonts}`, show('(x) Tj')));
		expect([width, height]).toEqual(size);
		expect([runs[0]?.x, runs[0]?.y]).toEqual(place);
	});

	it.each([
		['past the right edge', '1 0 0 1 350 200', '(inside and outside)', 'insidean'],
		['past the left edge', '1 0 0 1 -8 200', '(ab)', 'b'],
		['past the top edge', '1 0 0 1 50 298', '(a)', ''],
		['past the lower edge', '1 0 0 1 50 -6', '(a)', ''],
		['below the top edge', '1 0 0 1 50 290', '(a)', 'a'],
		['upwards, at the left edge', '0 1 -1 0 10 50', '(a)', 'a'],
		['upwards, past the left edge', '0 1 -1 0 2 50', '(a)', ''],
	])('is there as far as it lies on the page: %s', async (_, matrix, text, found) => {
		const content = `BT /F1 12 Tf ${matrix} Tm ${text} Tj ET`;
		expect(flowOf(await pageOf(written(content, HELVETICA))).text).toBe(found);
	});

	it('one glyph at a time is one run', async () => {
		const page = await pageOf(
			written(show('(S) Tj 8.004 0 Td (i) Tj 2.664 0 Td (g) Tj 6.672 0 Td (n) Tj'), HELVETICA),
		);
		expect(page.runs.map(({ texts }) => texts)).toEqual([['S', 'i', 'g', 'n']]);
	});

	it.each([
		['in a font that is missing', '/F9 12 Tf (x) Tj', HELVETICA],
		['behind one whose width is unknown', '/F9 12 Tf (x) Tj /F1 12 Tf (y) Tj', HELVETICA],
		[
			'in a predefined CMap',
			'(x) Tj',
			'/F1 << /Subtype /Type0 /Encoding /90ms-RKSJ-H /DescendantFonts [<< >>] >>',
		],
		[
			'with names that say nothing',
			'(abcd) Tj',
			'/F1 << /Subtype /Type3 /Encoding << /Differences [97 /g1 /g2 /g3 /g4] >> >>',
		],
	])('is never guessed: %s', async (_, content, fonts) => {
		const page = await pageOf(written(show(content), fonts));
		expect(flowOf(page).text.replace(/\uFFFF/g, '')).toBe('');
	});

	it('of an encrypted, damaged or other file is undefined', async () => {
		for (const name of ['encrypted-owner.pdf', 'truncated.pdf', 'letter.docx'])
			await expect(textOf(fixture(name))).resolves.toBeUndefined();
	});

	it('is incomplete where content is damaged, and before it is read', async () => {
		const page = await pageOf(written(`${show('(before) Tj')} (does not end`, HELVETICA));
		expect(flowOf(page).text).toBe('before');
		expect(page.isIncomplete).toBe(true);
	});
});
