import { deflateSync } from 'node:zlib';
import { pageCount } from '../../nodes/ESign/pdf';
import { fixture } from '../fixtures/fixture';
import { pagesByPdfLib } from './pagesByPdfLib';
import { PdfWriter } from './pdfWriter';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>';
const ROOT = '/Root 1 0 R';

const node = (count: number | string, ...kids: number[]) =>
	`<< /Type /Pages /Count ${count} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;

/** A catalog, the given objects from number 2 on, and a table. */
function written(...objects: string[]): Buffer {
	const writer = new PdfWriter().object(1, CATALOG);
	objects.forEach((source, index) => writer.object(index + 2, source));
	return writer.table(ROOT).bytes();
}

/** Of one page or of two, as a writer that has not ended. */
const onePage = (writer = new PdfWriter()) =>
	writer.object(1, CATALOG).object(2, node(1, 3)).object(3, PAGE);
const twoPagesBegun = () =>
	new PdfWriter()
		.object(1, CATALOG)
		.object(2, node(2, 3, 4))
		.object(3, PAGE)
		.object(4, PAGE);
/** Of one page, in an object stream. */
const PACKED: Array<[number, string]> = [CATALOG, node(1, 3), PAGE].map((source, index) => [
	index + 1,
	source,
]);
const packed = () => new PdfWriter().packed(4, PACKED).xrefStream(5, ROOT).bytes();

const twoPages = () => written(node(2, 3, 4), PAGE, PAGE);

describe('The page count of a valid PDF is read', () => {
	it.each([
		...[
			'contract.pdf',
			'ghostscript.pdf',
			'libreoffice.pdf',
			'linearized.pdf',
			'object-streams.pdf',
			'scan.pdf',
		],
		...['turned-and-cropped.pdf', 'encrypted-owner.pdf', 'encrypted-user.pdf'],
	])('%s', async (name) => {
		await expect(pageCount(fixture(name))).resolves.toBe(await pagesByPdfLib(fixture(name)));
	});

	// As real programs write them: Word and Acrobat, Adobe readers, pdfcpu, MuPDF.
	it.each([
		['update-glued-to-EOF.pdf', 2],
		['xref-stream-ends-by-a-flush.pdf', 2],
		['xref-stream-W-1-8-2.pdf', 2],
		['empty-node-twice.pdf', 1],
		['catalog-without-type.pdf', 2],
	])('%s', async (name, pages) => {
		await expect(pageCount(fixture(`pdf-pages/${name}`))).resolves.toBe(pages);
	});

	it.each<[string, number, () => Buffer]>([
		['with a page that is in the tree twice', 3, () => written(node(3, 3, 4, 3), PAGE, PAGE)],
		['with an empty node', 1, () => written(node(1, 3, 4), node(0), PAGE)],
		[
			'with an inner node without Count',
			1,
			() => written(node(1, 3), '<< /Type /Pages /Kids [4 0 R] >>', PAGE),
		],
		[
			'with bytes before its header that the table counts',
			1,
			() => onePage(new PdfWriter('\n', '\n\n%PDF-1.4')).table(ROOT).bytes(),
		],
		[
			'with 64 KB of zeros after its end',
			2,
			() => Buffer.concat([twoPages(), Buffer.alloc(65_536)]),
		],
		[
			'in an object stream with PNG predictors',
			1,
			() => {
				const writer = new PdfWriter().packed(4, PACKED, { filter: 'predictor' });
				return writer.xrefStream(5, ROOT, { filter: 'predictor' }).bytes();
			},
		],
		[
			'in an object stream that extends another one',
			1,
			() => {
				const writer = new PdfWriter().packed(4, [
					[1, CATALOG],
					[3, PAGE],
				]);
				return writer
					.packed(5, [[2, node(1, 3)]], { more: '/Extends 4 0 R' })
					.xrefStream(6, ROOT)
					.bytes();
			},
		],
		[
			'whose update takes a page away',
			1,
			() => twoPagesBegun().table(ROOT).object(2, node(1, 4)).table(ROOT).bytes(),
		],
		[
			'whose update has another catalog, in streams over tables',
			2,
			() => {
				const writer = onePage().table(ROOT);
				const objects: Array<[number, string]> = [
					[5, '<< /Type /Catalog /Pages 6 0 R >>'],
					[6, node(2, 3, 7)],
					[7, PAGE],
				];
				return writer.packed(8, objects).xrefStream(9, '/Root 5 0 R').bytes();
			},
		],
		[
			'with stray bytes, an object nobody refers to, and one that is damaged',
			1,
			() => {
				const writer = new PdfWriter()
					.object(1, CATALOG)
					.raw('stray % bytes\n')
					.object(7, '<< /A (b >>');
				return writer.object(2, node(1, 3)).object(3, PAGE).table(ROOT).bytes();
			},
		],
		[
			'whose table says that it is the one before itself',
			1,
			() => {
				const writer = onePage();
				return writer.table(`${ROOT} /Prev ${writer.at}`).bytes();
			},
		],
		[
			'with a comment behind the numbers of an object stream',
			1,
			() => {
				const text = `1 0 2 50 3 100 % 4 of 5\n${CATALOG.padEnd(50)}${node(1, 3).padEnd(50)}${PAGE}`;
				const writer = new PdfWriter().note(1, [2, 4, 0]).note(2, [2, 4, 1]).note(3, [2, 4, 2]);
				const entries = '/Type /ObjStm /N 3 /First 23';
				return writer.stream(4, entries, Buffer.from(text)).xrefStream(5, ROOT).bytes();
			},
		],
		[
			'whose table says that there is none before, by 0',
			1,
			() => onePage().table(`${ROOT} /Prev 0`).bytes(),
		],
		[
			'with names written by numbers',
			1,
			() => written('<< /T#79pe /Pages /Count 1 /#4Bids [3 0 R] >>', PAGE),
		],
		['in packed streams without lengths', 1, () => replaced(packed(), /\/Length/g, '/Lenght')],
		['with other spaces in its table', 2, () => replaced(twoPages(), / (\d{5}) n /g, '  $1 n')],
	])('%s', async (_, pages, make) => {
		const bytes = make();
		await expect(pageCount(bytes)).resolves.toBe(pages);
		// pdf-lib does not know predictors.
		if (!bytes.includes('/Predictor')) await expect(pagesByPdfLib(bytes)).resolves.toBe(pages);
	});

	// Of the number 91, the piece of the file that begins in it shows 1: that of the catalog.
	it('in a long file, wherever the pieces begin that it is looked through in', async () => {
		const writer = onePage();
		const edge = 256 * 1024;
		const counts: Array<number | undefined> = [];
		for (let back = 0; back < 120; back++) {
			const filler = ' '.repeat(edge - back - writer.at);
			const long = onePage().raw(filler).object(91, 'null').table(ROOT);
			counts.push(await pageCount(long.bytes()));
		}
		expect(new Set(counts)).toEqual(new Set([1]));
	});
});

describe('The page count is not guessed for', () => {
	const packedIn = (stream: string, data: Buffer) => {
		const writer = new PdfWriter().note(1, [2, 4, 0]).note(2, [2, 4, 1]).note(3, [2, 4, 2]);
		return writer.stream(4, stream, data, { filter: 'none' }).xrefStream(5, ROOT).bytes();
	};
	const LAST_ROW = /00000 n(?= \ntrailer)/;
	const behind = (text: string) => Buffer.concat([twoPages(), Buffer.from(text, 'latin1')]);
	const crossReference = (entries: string, data = Buffer.alloc(64)) =>
		new PdfWriter()
			.stream(5, `/Type /XRef ${ROOT} ${entries}`, data)
			.raw('startxref\n15\n%%EOF')
			.bytes();

	it.each<[string, () => Buffer]>([
		['nothing', () => Buffer.alloc(0)],
		['a Word file', () => fixture('letter.docx')],
		['a PDF that is cut off', () => fixture('truncated.pdf')],
		['a PDF whose structure is encrypted', () => fixture('encrypted-object-streams.pdf')],
		['a Count above what there is', () => written(node(7, 3), PAGE)],
		['a Count below what there is', () => written(node(1, 3, 4), PAGE, PAGE)],
		['a wrong Count in an inner node', () => written(node(2, 3, 4), node(9, 5), PAGE, PAGE)],
		['a Count that is not whole', () => written(node('1.0', 3), PAGE)],
		['a Count that wraps around', () => written(node(2 ** 32 + 1, 3), PAGE)],
		['a huge Count', () => written(node('9'.repeat(400), 3), PAGE)],
		[
			'a Count that a comment covers',
			() => written(`<< /Type /Pages %/Count 1\n /Kids [3 0 R] >>`, PAGE),
		],
		[
			'a dictionary whose last name has no value',
			() => written('<< /Type /Pages /Kids [3 0 R] /Count 1 /Last >>', PAGE),
		],
		[
			'a dictionary with a value that has no name',
			() => written('<< 5 5 /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE),
		],
		[
			'an object stream without a length that is not packed',
			() => {
				const writer = new PdfWriter().packed(4, PACKED, { filter: 'none' });
				return replaced(writer.xrefStream(5, ROOT).bytes(), '/Length', '/Lenght');
			},
		],
		['two Counts', () => written('<< /Type /Pages /Count 1 /Count 2 /Kids [3 0 R] >>', PAGE)],
		[
			'an escape that readers do not agree on',
			() => written('<< /Type /Pages /Count 1 /#4bids [3 0 R] >>', PAGE),
		],
		['a tree without pages', () => written(node(0))],
		['a node that is its own kid', () => written(node(1, 2))],
		['nodes in a circle', () => written(node(1, 3), node(1, 2))],
		['a node that is in the tree twice', () => written(node(2, 3, 3), node(1, 4), PAGE)],
		['a kid that is missing', () => written(node(2, 3, 9), PAGE)],
		[
			'a kid of another generation',
			() => written('<< /Type /Pages /Count 1 /Kids [3 7 R] >>', PAGE),
		],
		['a kid that is null', () => written(node(2, 3, 4), PAGE, 'null')],
		[
			'a kid that is written in place',
			() => written(`<< /Type /Pages /Count 1 /Kids [${PAGE}] >>`),
		],
		['a page without a type', () => written(node(1, 3), '<< /MediaBox [0 0 1 1] >>')],
		['a page with kids', () => written(node(1, 3), '<< /Type /Page /Kids [4 0 R] >>', PAGE)],
		['a tree that begins with a page', () => written(PAGE)],
		[
			'values nested deeper than any',
			() => written(node(1, 3), `<< /Type /Page /X ${'['.repeat(5_000)} >>`),
		],
		['a string that does not end', () => written(node(1, 3), '<< /Type /Page /X (a \\) >>')],
		[
			'a table that points elsewhere',
			() => replaced(twoPages(), /startxref\n\d+/, 'startxref\n12'),
		],
		['a table that points at another object', () => replaced(twoPages(), '\n3 0 obj', '\n9 0 obj')],
		[
			'a table that points at itself',
			() => replaced(written(node(1, 9), PAGE), 'startxref', 'startxref 0 %'),
		],
		['columns without width', () => crossReference('/W [0 0 0] /Index [0 99999999999]')],
		['more entries than there are', () => crossReference('/W [1 1 1] /Index [0 99999999999]')],
		['columns wider than numbers', () => crossReference('/W [1 99999999999 1] /Size 3')],
		[
			'two entries for an object',
			() => replaced(twoPages(), 'trailer', '4 1\n0000000015 00000 n \ntrailer'),
		],
		['an object that its table calls free', () => replaced(twoPages(), LAST_ROW, '00000 f')],
		['an object of another generation', () => replaced(twoPages(), LAST_ROW, '00007 n')],
		[
			'an object stream that unpacks to too much',
			() => {
				const tree = `${'<< /Type /Catalog /Pages 2 0 R >>'.padEnd(50)}${node(1, 3).padEnd(50)}${PAGE}`;
				const data = deflateSync(Buffer.from(`1 0 2 50 3 100 ${tree}`.padEnd(64 * 1024 * 1024)));
				return packedIn('/Type /ObjStm /N 3 /First 15 /Filter /FlateDecode', data);
			},
		],
		[
			'an object stream whose parameters are no dictionary',
			() => {
				const filter = '/Filter /FlateDecode /DecodeParms 5';
				return packedIn(`/Type /ObjStm /N 3 /First 15 ${filter}`, deflateSync(Buffer.alloc(99)));
			},
		],
		[
			'an object stream that says it holds more than it does',
			() => packedIn('/Type /ObjStm /N 99999999999 /First 9', Buffer.from('1 0 2 9 3 30')),
		],
		[
			'an object stream that says it holds less than it does',
			() => replaced(packed(), '/N 3', '/N 2'),
		],
		['an object stream whose end is damaged', () => replaced(packed(), 'endstream', 'e%dstream')],
		[
			'an object stream packed with several filters',
			() =>
				packedIn(
					'/Type /ObjStm /N 3 /First 9 /Filter [/ASCIIHexDecode /FlateDecode]',
					Buffer.alloc(9),
				),
		],
		[
			'a compressed stream with one bit changed',
			() => {
				const bytes = packed();
				const at = bytes.indexOf('stream\n') + 40;
				bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
				return bytes;
			},
		],
		// Readers that go by the table find something else in these than readers that go through the
		// file.
		['a node is there again after the end', () => behind(`2 0 obj ${node(1, 3)} endobj`)],
		[
			'a node of an object stream is there again behind the stream',
			() => {
				const writer = new PdfWriter().packed(4, PACKED).raw(`2 0 obj ${node(1, 3)} endobj\n`);
				return writer.xrefStream(5, ROOT).bytes();
			},
		],
		[
			'a node is there again in a comment after stray bytes',
			() => behind(`x % 2 0 obj ${node(1, 3)} endobj`),
		],
		[
			'another catalog is named after the end',
			() => behind('9 0 obj << /Type /Catalog /Pages 8 0 R >> endobj trailer << /Root 9 0 R >>'),
		],
		[
			'a node is there again in an object stream that the table does not know',
			() => {
				const hidden = new PdfWriter().packed(9, [[2, node(1, 3)]]).bytes();
				return behind(hidden.toString('latin1'));
			},
		],
		[
			'a node is there again in an object stream packed in an unusual way',
			() => {
				const data = Buffer.from(`2 0 ${node(1, 3)}`).toString('hex');
				return behind(
					`9 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /ASCIIHexDecode >> stream\n${data}>\nendstream endobj`,
				);
			},
		],
		[
			'a page stands in a comment',
			() => {
				const bytes = twoPages();
				bytes.write('%', bytes.indexOf('\n3 0 obj'), 'latin1');
				return bytes;
			},
		],
		[
			'an older table is used',
			() => {
				const writer = twoPagesBegun();
				const start = writer.at;
				writer.table(ROOT).object(2, node(1, 3)).table(ROOT);
				return writer.raw(`startxref\n${start}\n%%EOF\n`).bytes();
			},
		],
		[
			'another PDF is in it, as a stream that is not packed',
			() =>
				onePage()
					.stream(4, '/Type /EmbeddedFile', twoPages(), { filter: 'none' })
					.table(ROOT)
					.bytes(),
		],
	])('%s', async (_, make) => {
		await expect(pageCount(make())).resolves.toBeUndefined();
	});
});

function replaced(bytes: Buffer, what: string | RegExp, by: string): Buffer {
	return Buffer.from(bytes.toString('latin1').replace(what, by), 'latin1');
}
