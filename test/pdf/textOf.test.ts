import { deflateSync } from 'node:zlib';
import { textOf, type PageText } from '../../nodes/ESign/pdf';
import { Objects } from '../../nodes/ESign/pdf/objects/objects';
import { FILTERS, undoPredictor } from '../../nodes/ESign/pdf/objects/filters';
import { Dictionary } from '../../nodes/ESign/pdf/objects/values';
import positions from '../fixtures/pdf-text/cases/positions.json';
import { fixture } from '../fixtures/fixture';
import { findText, flowOf } from './findText';
import { HELVETICA, pageOf, show, stream, written } from './onePage';
import { PdfWriter } from './pdfWriter';

interface Position {
	text: string;
	page: number;
	x: number;
	baseline: number;
	right: number | null;
	angle: number;
}

const parameters = (entries: Array<[string, number]> = []) =>
	new Dictionary(new Objects(Buffer.alloc(0)), entries);

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
		['ASCII85Decode', Buffer.from('z~>').toString('hex'), '\0\0\0\0', 'whole groups only'],
		[
			'ASCII85Decode',
			Buffer.from('@:v E\x7f^~>').toString('hex'),
			'abc',
			'signs that are no digits',
		],
		['FlateDecode', '789c4a4c4a06000000ffff', 'abc', 'what ends by a flush'],
		['FlateDecode', '789c4a4c4a06000000ffff0a', 'abc', 'a flush and a line feed behind it'],
		['FlateDecode', '789c4a4c4a06000000ffff0d0a', 'abc', 'a flush and a whole line end behind it'],
	])('is undone: %s of %s', async (name, packed, unpacked) => {
		const filter = FILTERS.get(`/${name}`);
		const count = () => undefined;
		const bytes = await filter?.(Buffer.from(packed, 'hex'), count, parameters());
		expect(bytes?.toString('latin1')).toBe(unpacked);
	});
});

describe('A row with a PNG predictor', () => {
	const undo = async (rows: number[][], predictor: number, columns: number) => {
		const given = parameters([
			['/Predictor', predictor],
			['/Columns', columns],
		]);
		return [...(await undoPredictor(Buffer.from(rows.flat()), () => undefined, given))];
	};

	// The first byte of a row says how it was made: 0 as it is, 1 from the left, 2 from above.
	it.each<[string, number, number, number[][], number[]]>([
		['as it is', 10, 2, [[0, 7, 8]], [7, 8]],
		[
			'from the left, each row for itself',
			15,
			2,
			[
				[1, 7, 8],
				[1, 1, 2],
			],
			[7, 15, 1, 3],
		],
		[
			'from above, where the first row has nothing',
			12,
			2,
			[
				[2, 7, 8],
				[2, 1, 250],
			],
			[7, 8, 8, 2],
		],
		['of one byte', 10, 1, [[0, 7, 2, 8]], [7, 15]],
		['that is cut off, which counts for nothing', 10, 2, [[0, 7, 8, 0, 9]], [7, 8]],
	])('is undone: %s', async (_, predictor, columns, rows, bytes) => {
		await expect(undo(rows, predictor, columns)).resolves.toEqual(bytes);
	});

	it.each([
		['of TIFF', 2, 2, 0],
		['below those of PNG', 9, 2, 0],
		['above those of PNG', 16, 2, 0],
		['of a kind that is not used', 10, 2, 3],
		['without columns', 10, 0, 0],
		['of more columns than any', 10, 65_537, 0],
	])('is refused: %s', async (_, predictor, columns, kind) => {
		await expect(undo([[kind, 7, 8]], predictor, columns)).rejects.toThrow('unusual');
	});
});

describe('Codes of LZW', () => {
	/** As a writer that never looks for a repetition: the table grows with each of the bytes. */
	function packedOneByOne(codes: readonly number[], early: number): Buffer {
		const widths = codes.map((_, index) => {
			const size = Math.min(4095, 258 + Math.max(0, index - 1) + early);
			return size.toString(2).length;
		});
		const bits = codes.map((code, index) => code.toString(2).padStart(widths[index] ?? 0, '0'));
		const bytes = bits.join('').match(/.{1,8}/g) ?? [];
		return Buffer.from(bytes.map((byte) => parseInt(byte.padEnd(8, '0'), 2)));
	}

	// The first code that stands for two bytes is 258, for the first two of them.
	it.each([
		['become longer one early', [], 1],
		['become longer when they have to, if a file says so', [['/EarlyChange', 0]], 0],
	] as Array<[string, Array<[string, number]>, number]>)('%s', async (_, entries, early) => {
		const bytes = Array.from({ length: 4_000 }, (__, index) => (index * 7) % 251);
		const pairs = [258, 600, 1_500, 3_000, 4_095];
		const packed = packedOneByOne([...bytes, ...pairs, 257], early);
		const unpacked = await FILTERS.get('/LZWDecode')?.(
			packed,
			() => undefined,
			parameters(entries),
		);
		const expected = pairs.flatMap((code) => bytes.slice(code - 258, code - 256));
		expect([...(unpacked ?? [])]).toEqual([...bytes, ...expected]);
	});

	it('may stand for what is just written, and not for what comes after that', async () => {
		const unpack = async (code: number) => {
			const packed = packedOneByOne([97, code, 257], 1);
			return await FILTERS.get('/LZWDecode')?.(packed, () => undefined, parameters());
		};
		await expect(unpack(258)).resolves.toEqual(Buffer.from('aaa'));
		await expect(unpack(259)).rejects.toThrow('damaged');
	});
});

describe('What unpacks to too much', () => {
	it.each([
		['FlateDecode', deflateSync(Buffer.alloc(100_000))],
		['LZWDecode', Buffer.alloc(200, '209048241209048241', 'hex')],
		['ASCII85Decode', Buffer.alloc(200, 'z')],
	])('ends as soon as that is seen: %s', async (name, packed) => {
		let total = 0;
		const count = (bytes: number) => {
			total += bytes;
			if (total > 100) throw new RangeError('Enough');
		};
		const work = FILTERS.get(`/${name}`)?.(packed, count, parameters());
		await expect(work).rejects.toThrow();
		expect(total).toBeLessThan(100_000);
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
			'BI /W 1 /H 1 ID \0 EI\x90\xff(\n EI Q\n(x) Tj',
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
		[
			'that another one stands for, with one in it that does, too',
			'/Span << /ActualText (hi) >> BDC /Span << /ActualText (no) >> BDC (a) Tj EMC (b) Tj EMC (c) Tj',
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
		[
			'as its codes say, by a font that names a table for them',
			'/F1 12 Tf <00480069> Tj',
			'/Type0 /Encoding /Identity-H /ToUnicode /Identity-H /DescendantFonts [<< >>]',
			'hi',
			12,
		],
		[
			'by its encoding, by a font of single bytes that names such a table',
			'/F1 12 Tf <6992> Tj',
			'/Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode /Identity-H',
			'i’',
			12,
		],
		[
			'with the bullets that WinAnsiEncoding has for other codes',
			'/F1 12 Tf <7F81> Tj',
			'/Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding',
			'••',
			12,
		],
		[
			'as high as it is seen, where the matrix of a font has its size',
			'/F1 2 Tf (ab) Tj',
			'/Type3 /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /Widths [6 5] /Encoding << /Differences [97 /a /b] >>',
			'ab',
			22,
		],
		[
			'as high as it is seen, where glyphs are a part of a unit wide',
			'/F1 20 Tf (ab) Tj',
			'/Type3 /FontMatrix [.1 0 0 .1 0 0] /FirstChar 97 /Widths [6 5] /Encoding << /Differences [97 /a /b] >>',
			'ab',
			22,
		],
		[
			'of a font with a foreign name, whose program is in the file',
			'/F1 12 Tf (ab) Tj',
			'/TrueType /BaseFont /#CB#CE /Encoding /WinAnsiEncoding /FontDescriptor << /FontFile2 9 0 R >>',
			'ab',
			12,
		],
	])('is read %s', async (_, content, font, text, size) => {
		const page = await pageOf(written(show(content), `/F1 << /Subtype ${font} >>`));
		expect(flowOf(page).text).toBe(text);
		expect(page.runs[0]?.size).toBeCloseTo(size);
	});

	it.each([
		[['(x) Tj'], 'x'],
		[['(x) Tj', '(y) Tj'], 'xy'],
		[['(x) Tj', '(y) T', 'j (z) Tj'], 'xz'],
	])('in several streams is read as one, and no word spans two: %j', async (parts, text) => {
		const contents = parts.map((_, index) => `${10 + index} 0 R`).join(' ');
		const entries = `/Resources << /Font << ${HELVETICA} >> >> /Contents [9 0 R ${contents}]`;
		const writer = new PdfWriter()
			.object(1, '<< /Type /Catalog /Pages 2 0 R >>')
			.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
			.object(3, `<< /Type /Page ${entries} >>`)
			.stream(9, '', Buffer.from('BT /F1 12 Tf 50 200 Td'));
		parts.forEach((part, index) => writer.stream(10 + index, '', Buffer.from(part)));
		const page = await pageOf(writer.table('/Root 1 0 R').bytes());
		expect(flowOf(page).text).toBe(text);
	});

	it('is as wide as its glyph, where a table calls its code something else', async () => {
		const font = `/F1 << /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 10 0 R >>`;
		const table = stream('beginbfchar <69> <FFFD> endbfchar');
		const { runs } = await pageOf(written(show('/F1 12 Tf (ib) Tj'), font, table));
		expect(runs[0]?.texts).toEqual([undefined, 'b']);
		expect(runs[0]?.starts[1]).toBeCloseTo(0.222 * 12);
	});

	const SLANTED = '0.6 0.8 -0.8 0.6 50 200 Tm';

	// An "a" of 12 points is 6.672 points wide.
	it.each([
		['right behind it', '6.672 0 Td (b) Tj', 1],
		['right behind it, on a slanted line', `${SLANTED} (a) Tj 6.672 0 Td (b) Tj`, 2],
		['almost two ems behind it', '30 0 Td (b) Tj', 1],
		['more than two ems behind it', '31 0 Td (b) Tj', 2],
		['over half of it', '1 0 Td (b) Tj', 1],
		['over all of it', '0 0 Td (b) Tj', 2],
		['a little lower', '6.672 -0.05 Td (b) Tj', 1],
		['lower', '6.672 -0.07 Td (b) Tj', 2],
		['a little higher, on a slanted line', `${SLANTED} (a) Tj 6.672 0.07 Td (b) Tj`, 3],
		['a little larger', '/F1 12.05 Tf 6.672 0 Td (b) Tj', 1],
		['larger', '/F1 12.07 Tf 6.672 0 Td (b) Tj', 2],
	])('belongs to the run before it, or not: %s', async (_, content, count) => {
		const { runs } = await pageOf(written(show(`(a) Tj ${content}`), HELVETICA));
		expect(runs).toHaveLength(count);
		expect(runs.flatMap(({ texts }) => texts).at(-1)).toBe('b');
	});

	it.each<string[]>([
		['in a font that is missing', '/F9 12 Tf (x) Tj', HELVETICA],
		['behind one whose width is unknown', '/F9 12 Tf (x) Tj /F1 12 Tf (y) Tj', HELVETICA],
		[
			'in a predefined CMap',
			'(x) Tj',
			'/F1 << /Subtype /Type0 /Encoding /90ms-RKSJ-H /DescendantFonts [<< >>] >>',
		],
		[
			'of a font with a foreign name, which is not in the file',
			'(abcd) Tj',
			'/F1 << /Subtype /TrueType /BaseFont /#CB#CE /Encoding /WinAnsiEncoding >>',
		],
		[
			'from top to bottom',
			'<0041> Tj',
			'/F1 << /Subtype /Type0 /Encoding 10 0 R /DescendantFonts [<< >>] /ToUnicode 11 0 R >>',
			stream('begincodespacerange <0000> <FFFF> endcodespacerange', '/WMode 1'),
			stream('beginbfrange <0000> <FFFF> <0000> endbfrange'),
		],
		[
			'of a font without its descendant',
			'<0041> Tj',
			'/F1 << /Subtype /Type0 /Encoding /Identity-H /ToUnicode /Identity-H >>',
		],
		[
			'with names that say nothing',
			'(abcd) Tj',
			'/F1 << /Subtype /Type3 /Encoding << /Differences [97 /g1 /g2 /g3 /g4] >> >>',
		],
	])('is never guessed: %s', async (_, content = '', fonts = '', ...more) => {
		const page = await pageOf(written(show(content), fonts, ...more));
		expect(flowOf(page).text.replace(/\uFFFF/g, '')).toBe('');
		expect(page.isIncomplete).toBe(true);
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
