import { deflateSync } from 'node:zlib';
import { flowOf } from './findText';
import { HELVETICA, pageOf, pdf, show, stream, written } from './onePage';
import { PdfWriter } from './pdfWriter';

describe('Each x on a page of 400 by 300 points', () => {
	const form = (entries: string) =>
		stream('BT /F1 10 Tf 10 20 Td (x) Tj ET', `/Subtype /Form ${entries}`);
	const RESOURCES = `/Font << ${HELVETICA} >> /XObject << /Form 10 0 R /Moved 11 0 R /Own 12 0 R >>
		/ExtGState << /Thin << /LW 1 >> /OtherFont << /Font [13 0 R 9] >> >>
		/Properties << /Mark << /ActualText (x) >> >>`;

	// An x in Helvetica is half an em wide, and a space 278 thousandths.
	it.each<[string, number[][]]>([
		[
			'(x) Tj (x) Tj',
			[
				[50, 100],
				[55, 100],
			],
		],
		['10 -20 Td (x) Tj', [[60, 120]]],
		['10 -20 TD T* (x) Tj', [[60, 140]]],
		['15 TL T* T* (x) Tj', [[50, 130]]],
		['T* (x) Tj', [[50, 100]]],
		["15 TL (x) '", [[50, 115]]],
		[
			'15 TL 3 2 (x x) "',
			[
				[50, 115],
				[64.78, 115],
			],
		],
		[
			'2 Tc (xx) Tj',
			[
				[50, 100],
				[57, 100],
			],
		],
		[
			'3 Tw (x x) Tj',
			[
				[50, 100],
				[60.78, 100],
			],
		],
		[
			'50 Tz 2 Tc (xx) Tj',
			[
				[50, 100],
				[53.5, 100],
			],
		],
		['4 Ts (x) Tj', [[50, 96]]],
		[
			'[(x) -200 (x)] TJ',
			[
				[50, 100],
				[57, 100],
			],
		],
		[
			'50 Tz [(x) -200 (x)] TJ',
			[
				[50, 100],
				[53.5, 100],
			],
		],
		[
			'/F1 -10 Tf (xx) Tj',
			[
				[50, 100],
				[45, 100],
			],
		],
		[
			'2 0 0 2 70 90 Tm (xx) Tj',
			[
				[70, 210],
				[80, 210],
			],
		],
		['2 0 0 2 70 90 Tm 5 5 Td 0 -5 Td (x) Tj', [[80, 210]]],
		[
			'0 1 -1 0 70 90 Tm (xx) Tj',
			[
				[70, 210],
				[70, 205],
			],
		],
		[
			'0 1 -1 0 70 90 Tm (x) Tj (x) Tj',
			[
				[70, 210],
				[70, 205],
			],
		],
		['0 1 -1 0 70 90 Tm 10 5 Td (x) Tj', [[65, 200]]],
		[
			'0 1 -1 0 70 90 Tm (x) Tj 0 -1 1 0 70 95 Tm (xx) Tj',
			[
				[70, 210],
				[70, 205],
				[70, 210],
			],
		],
		[
			'(x) Tj 0 1 Td (x) Tj',
			[
				[50, 100],
				[50, 99],
			],
		],
		// Not numbers by the standard, but some programs write them.
		['--5 12-34 Td (x) Tj', [[45, 88]]],
		['- . Td (x) Tj', [[50, 100]]],
		// What is missing is 0.
		['Td (x) Tj', [[50, 100]]],
		['1 0 0 1 Tm (x) Tj', [[0, 300]]],
		['ET BT (x) Tj', [[0, 300]]],
		['ET 1 0 0 1 30 40 cm 2 0 0 2 0 0 cm BT 10 10 Td (x) Tj', [[50, 240]]],
		['ET q 2 0 0 2 0 0 cm Q Q BT 10 10 Td (x) Tj', [[10, 290]]],
		[
			'/Form Do (x) Tj',
			[
				[10, 280],
				[50, 100],
			],
		],
		['/Moved Do', [[15, 273]]],
		['/Own Do /None Do', []],
		['/Thin gs (x) Tj', [[50, 100]]],
		['/OtherFont gs (x) Tj', []],
		['/Span /Mark BDC (ab) Tj EMC', [[50, 100]]],
	])('is where it is shown: %s', async (content, places) => {
		const entries = `/MediaBox [0 0 400 300] /Resources << ${RESOURCES} >>`;
		const more = [form(''), form('/Matrix [1 0 0 1 5 7]'), form('/Resources << >>'), '<< >>'];
		const page = await pageOf(pdf(entries, `BT /F1 10 Tf 50 200 Td ${content} ET`, ...more));
		const glyphs = page.runs.flatMap(({ texts, starts, x, y, dx, dy }) =>
			texts.map((text, at) => ({
				text,
				x: x + dx * Number(starts[at]),
				y: y + dy * Number(starts[at]),
			})),
		);
		const found = glyphs.filter(({ text }) => text === 'x').map(({ x, y }) => [x, y]);
		expect(found.map((place) => place.map((length) => Number(length.toFixed(3))))).toEqual(places);
	});
});

describe('The text of a page', () => {
	it.each([
		['', [612, 792], [50, 592]],
		['/MediaBox [0 0 0 300]', [612, 792], [50, 592]],
		['/MediaBox [0 0 400 0]', [612, 792], [50, 592]],
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

	it('begins at the origin outside of a text object, where nothing gives a place', async () => {
		const { runs } = await pageOf(written('/F1 10 Tf (x) Tj 5 7 Td (x) Tj', HELVETICA));
		expect(runs.map(({ x, y }) => [x, y])).toEqual([
			[0, 300],
			[5, 293],
		]);
	});

	it.each([
		['abc', false],
		['abcd', true],
		['abcxabc', false],
	])('is incomplete where four unknown glyphs stand together: %s', async (text, isIncomplete) => {
		const fonts =
			'/F1 << /Subtype /Type3 /Encoding << /Differences [97 /g1 /g2 /g3 /g4 120 /x] >> >>';
		const page = await pageOf(written(show(`(${text}) Tj`), fonts));
		expect(page.isIncomplete).toBe(isIncomplete);
	});

	it('is incomplete where a form is damaged, and what follows is read', async () => {
		const form = '<< /Subtype /Form /Length 9 >>\nstream\n(no end xx\nendstream';
		const entries = `/Resources << /Font << ${HELVETICA} >> /XObject << /Form 10 0 R >> >>`;
		const page = await pageOf(pdf(entries, show('/Form Do (x) Tj'), form));
		expect([flowOf(page).text, page.isIncomplete]).toEqual(['x', true]);
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
});

/** One page that shows an x after such content. It may show the form 10, and those behind it. */
function showsX(content: string, ...forms: string[]) {
	const names = forms.map((_, index) => `/Form${index} ${10 + index} 0 R`);
	const resources = `/Font << ${HELVETICA} >> /XObject << ${names.join(' ')} >>`;
	return pageOf(pdf(`/Resources << ${resources} >>`, `${content}\n${show('(x) Tj')}`, ...forms));
}

/** A whole line of it is shorter than the page is wide. */
const small = (text: string) => `BT /F1 0.01 Tf 50 100 Td ${text} ET`;

const formOf = (content: string) => stream(content, '/Subtype /Form');

describe('A page of a stranger may have', () => {
	it.each<[number, string, (count: number) => ReturnType<typeof showsX>]>([
		[200, 'saved states', (count) => showsX('q '.repeat(count))],
		[2_000, 'forms', (count) => showsX('/Form0 Do '.repeat(count), formOf('q Q'))],
		[
			12,
			'forms in one another',
			(count) => {
				const inner = Array.from({ length: count - 1 }, (_, at) => formOf(`/Form${at + 1} Do`));
				return showsX('/Form0 Do', ...inner, formOf('q Q'));
			},
		],
		[25_000, 'values of a list', (count) => showsX(`[${'0 '.repeat(count)}] Tc`)],
		[25_000, 'values of an operator', (count) => showsX(`${'0 '.repeat(count)} TL`)],
		[65_536, 'characters of a string', (count) => showsX(`(${'a'.repeat(count - 2)}) Tc`)],
		// The last of the characters is the x.
		[15_000, 'glyphs', (count) => showsX(small(`(${' '.repeat(count - 1)}) Tj`))],
		[
			15_000,
			'characters that a glyph stands for',
			(count) => {
				const text = `/Span << /ActualText (${' '.repeat(count - 1)}) >>`;
				return showsX(small(`${text} BDC (a) Tj EMC`));
			},
		],
	])('%d %s, and no more', async (most, _, pageWith) => {
		const [page, over] = [await pageWith(most), await pageWith(most + 1)];
		expect([flowOf(page).text, page.isIncomplete, over.isIncomplete]).toEqual(['x', false, true]);
	});

	it('too much text, and has none then', async () => {
		const page = await showsX(small(`(${'a'.repeat(15_000)}) Tj`));
		expect(page).toMatchObject({ runs: [], isIncomplete: true });
	});

	it('long forms that are not packed, and no more than can be read in time', async () => {
		const long = formOf('a'.repeat(1_500_000));
		await expect(showsX('/Form0 Do '.repeat(10), long)).resolves.toMatchObject({
			isIncomplete: true,
		});
		await expect(showsX('/Form0 Do '.repeat(110), long)).rejects.toThrow('The file has no text');
	});

	it.each([2, 3])('%d parts of a megabyte, if those are not three', async (count) => {
		const entries = `/Resources << /Font << ${HELVETICA} >> >>`;
		const writer = new PdfWriter()
			.object(1, '<< /Type /Catalog /Pages 2 0 R >>')
			.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
			.object(3, `<< /Type /Page /Contents [${'4 0 R '.repeat(count)} 5 0 R] ${entries} >>`)
			.stream(4, '', Buffer.alloc(1_000_000, `${'a'.repeat(60_000)} `))
			.stream(5, '', Buffer.from(show('(x) Tj')));
		const page = await pageOf(writer.table('/Root 1 0 R').bytes());
		expect([flowOf(page).text, page.isIncomplete]).toEqual(count === 2 ? ['x', false] : ['', true]);
	});

	it.each([4, 5])('a content that is packed %d times, if that is not five', async (times) => {
		let content: Buffer = Buffer.from(show('(x) Tj'));
		for (let time = 0; time < times; time++) content = deflateSync(content);
		const filters = `/Filter [${'/Fl '.repeat(times)}]`;
		const entries = `/Resources << /Font << ${HELVETICA} >> >>`;
		const bytes = new PdfWriter()
			.object(1, '<< /Type /Catalog /Pages 2 0 R >>')
			.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
			.object(3, `<< /Type /Page /Contents 4 0 R ${entries} >>`)
			.stream(4, filters, content, { filter: 'none' })
			.table('/Root 1 0 R')
			.bytes();
		const page = await pageOf(bytes);
		expect([flowOf(page).text, page.isIncomplete]).toEqual(times === 4 ? ['x', false] : ['', true]);
	});
});
