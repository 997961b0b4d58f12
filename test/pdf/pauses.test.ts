import { pageCount, textOf } from '../../nodes/ESign/pdf';
import { HELVETICA, pdf, show, stream, written } from './onePage';
import { PdfWriter } from './pdfWriter';

/** How often work asks the clock whether it is time to let others run. */
async function looksOf(work: () => Promise<unknown>): Promise<number> {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
	await work();
	const looks = clock.mock.calls.length;
	clock.mockRestore();
	return looks;
}

/** A page with so many contents, each of them this one. */
function contents(count: number, content: Buffer, entries = ''): Buffer {
	return new PdfWriter()
		.object(1, '<< /Type /Catalog /Pages 2 0 R >>')
		.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
		.object(3, `<< /Type /Page /Contents [${'4 0 R '.repeat(count)}] >>`)
		.stream(4, entries, content, { filter: 'none' })
		.table('/Root 1 0 R')
		.bytes();
}

const NESTED = `[${'[[][]]'.repeat(20_000)}]`;
const DICTIONARIES = `<< ${'/A << /B [] >> '.repeat(10_000)} >>`;

describe('Others run while one thing is read that is long', () => {
	const codes = Array.from({ length: 12_000 }, (_, code) => {
		const hex = code.toString(16).padStart(4, '0');
		return `<${hex}> <0041>`;
	});
	const composite =
		'/F1 << /Subtype /Type0 /Encoding /Identity-H /ToUnicode 10 0 R /DescendantFonts [<< >>] >>';

	it.each<[string, Buffer, number]>([
		['a list of lists', written(`${NESTED} TJ`, HELVETICA), 200],
		['a dictionary of dictionaries', written(`/A ${DICTIONARIES} BDC`, HELVETICA), 200],
		['a page', pdf(`/A ${NESTED} /B ${NESTED}`, ''), 200],
		['a page of many contents', contents(2_000, Buffer.of()), 1_500],
		[
			'white space among packed digits',
			contents(1, Buffer.alloc(1_000_000, ' '), '/Filter /ASCII85Decode'),
			500,
		],
		['the text of one operator', written(show(`(${'x'.repeat(60_000)}) Tj`), HELVETICA), 25],
		['a text in many parts', written(show(`[${'(abcde) 1 '.repeat(12_000)}] TJ`), HELVETICA), 150],
		[
			'a table of codes',
			written(show('<0001> Tj'), composite, stream(`beginbfchar ${codes.join(' ')} endbfchar`)),
			500,
		],
	])('%s', async (_, bytes, least) => {
		await expect(looksOf(async () => await textOf(bytes))).resolves.toBeGreaterThan(least);
		await expect(textOf(bytes)).resolves.toHaveLength(1);
	});

	it('a file that is long', async () => {
		const attachment = Buffer.alloc(5_000_000);
		const bytes = new PdfWriter()
			.object(1, '<< /Type /Catalog /Pages 2 0 R >>')
			.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
			.object(3, '<< /Type /Page >>')
			.stream(4, '', attachment, { filter: 'none' })
			.table('/Root 1 0 R')
			.bytes();
		await expect(looksOf(async () => await pageCount(bytes))).resolves.toBeGreaterThan(50);
	});
});

describe('No more work is made than there is', () => {
	const range = '<0002> <0001> <0041> ';

	it.each<[string, Buffer, number]>([
		[
			'by an encoding that is long',
			written(
				show('(a) Tj'),
				'/F1 << /Subtype /Type1 /BaseFont /Helvetica /Encoding 10 0 R >>',
				`<< /A [${'1 '.repeat(20_000)}] >>`,
			),
			150,
		],
		[
			'by ranges of codes that say nothing',
			written(
				show('(a) Tj'),
				'/F1 << /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 10 0 R >>',
				stream(`${range.repeat(8_000)} endbfrange`),
			),
			300,
		],
	])('%s', async (_, bytes, most) => {
		await expect(looksOf(async () => await textOf(bytes))).resolves.toBeLessThan(most);
		await expect(textOf(bytes)).resolves.toHaveLength(1);
	});
});

describe('A file ends in no text where it makes more work than it has characters', () => {
	const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';

	it('by pages that each have many entries from a node above them', async () => {
		const count = 2_000;
		const entries = Array.from({ length: 12_000 }, (_, entry) => `/K${entry} 1`).join(' ');
		const kids = Array.from({ length: count }, (_, kid) => `${kid + 3} 0 R`).join(' ');
		const writer = new PdfWriter().object(1, CATALOG);
		writer.object(2, `<< /Type /Pages /Count ${count} /Kids [${kids}] ${entries} >>`);
		for (let page = 0; page < count; page++) writer.object(page + 3, '<< /Type /Page >>');
		await expect(textOf(writer.table('/Root 1 0 R').bytes())).resolves.toBeUndefined();
	});

	it('by nodes one below the other', async () => {
		const file = (levels: number) => {
			const writer = new PdfWriter().object(1, CATALOG);
			for (let node = 2; node < levels + 2; node++)
				writer.object(node, `<< /Type /Pages /Count 1 /Kids [${node + 1} 0 R] >>`);
			return writer
				.object(levels + 2, '<< /Type /Page >>')
				.table('/Root 1 0 R')
				.bytes();
		};
		await expect(pageCount(file(1_000))).resolves.toBe(1);
		await expect(pageCount(file(1_001))).resolves.toBeUndefined();
	});

	it('by changes one after the other', async () => {
		const file = (changes: number) => {
			const writer = new PdfWriter()
				.object(1, CATALOG)
				.object(2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>')
				.object(3, '<< /Type /Page >>')
				.table('/Root 1 0 R');
			for (let change = 0; change < changes; change++)
				writer.object(4, 'null').table('/Root 1 0 R');
			return writer.bytes();
		};
		await expect(pageCount(file(1_000))).resolves.toBe(1);
		await expect(pageCount(file(8_000))).resolves.toBeUndefined();
	});

	it('by a table of many ranges, in which many objects are looked for', async () => {
		const file = (ranges: number) => {
			const bytes = new PdfWriter()
				.object(1, CATALOG)
				.object(2, `<< /Type /Pages /Count 1000 /Kids [${'3 0 R '.repeat(1_000)}] >>`)
				.object(3, '<< /Type /Page >>')
				.table('/Root 1 0 R')
				.bytes();
			const table = `${'0 0\n'.repeat(ranges)}trailer`;
			return Buffer.from(bytes.toString('latin1').replace('trailer', table), 'latin1');
		};
		await expect(pageCount(file(2_000))).resolves.toBe(1_000);
		await expect(pageCount(file(270_000))).resolves.toBeUndefined();
	});
});
