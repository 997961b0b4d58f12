import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { placeSignatures } from '../../../../nodes/ESign/actions/document/fields/automaticPlacement';
import { pageCount } from '../../../../nodes/ESign/actions/document/fields/pageCount';

const A4 = { width: 595.28, height: 841.89 };
const LETTER = { width: 612, height: 792 };
const fixture = (name: string) => readFileSync(path.join(__dirname, '../../../fixtures', name));

describe.each([
	['A4', A4],
	['Letter', LETTER],
])('Automatic placement on %s', (_, page) => {
	it.each([1, 2, 5, 10])('gives %i signers boxes that neither overlap nor leave the page', (count) => {
		const boxes = placeSignatures(count, { pageNumber: 3, addName: true, addDate: true });
		expect(boxes).toHaveLength(3 * count);
		const corners = boxes.map(({ xNorm, yNorm, widthNorm, heightNorm }) => ({
			left: xNorm * page.width,
			right: (xNorm + widthNorm) * page.width,
			top: yNorm * page.height,
			bottom: (yNorm + heightNorm) * page.height,
		}));
		for (const [index, box] of corners.entries()) {
			expect(Math.min(box.left, box.top)).toBeGreaterThan(0);
			expect(box.right).toBeLessThan(page.width);
			expect(box.bottom).toBeLessThan(page.height);
			for (const other of corners.slice(index + 1)) {
				const apart =
					box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top;
				expect(apart).toBe(true);
			}
		}
		// Room for a signature: at least 40 points high and 150 wide.
		const signatures = boxes.filter(({ type }) => type === 'SIGNATURE');
		expect(signatures.map(({ signer }) => signer)).toEqual(Array.from({ length: count }, (__, signer) => signer));
		for (const { widthNorm, heightNorm } of signatures) {
			expect(widthNorm * page.width).toBeGreaterThan(150);
			expect(heightNorm * page.height).toBeGreaterThan(40);
		}
	});

	it('grows upwards: the last signer is at the bottom however many there are', () => {
		const lowest = (count: number) => placeSignatures(count, { pageNumber: 1, addName: false, addDate: false }).at(-1);
		expect(lowest(1)?.yNorm).toBe(lowest(10)?.yNorm);
		expect(lowest(10)?.signer).toBe(9);
	});
});

describe('The page count', () => {
	const pdf = async (pages: number, useObjectStreams: boolean) => {
		const document = await PDFDocument.create();
		for (let page = 0; page < pages; page++) document.addPage([595, 842]);
		document.setTitle('(nested) /Pages 99 0 R /Count 99 \\)');
		return Buffer.from(await document.save({ useObjectStreams }));
	};

	it.each([
		[1, false],
		[12, false],
		[1, true],
		[250, true],
	])('of a PDF with %i pages, object streams %s, is read', async (pages, objectStreams) => {
		await expect(pageCount(await pdf(pages, objectStreams))).resolves.toBe(pages);
	});

	it.each(['contract.pdf', 'ghostscript.pdf', 'libreoffice.pdf'])('of %s is what pdf-lib finds', async (name) => {
		const bytes = fixture(name);
		const document = await PDFDocument.load(bytes);
		await expect(pageCount(bytes)).resolves.toBe(document.getPageCount());
	});

	it('of a PDF that was extended by an incremental update is that of the update', async () => {
		const before = await pdf(2, false);
		const text = before.toString('latin1');
		const start = Number(/startxref\s+(\d+)/.exec(text)?.[1]);
		const [, root] = /\/Root (\d+) 0 R/.exec(text) ?? [];
		const [, pages] = /\/Type \/Catalog\s*\/Pages (\d+) 0 R/.exec(text) ?? [];
		const size = /\/Size (\d+)/.exec(text)?.[1];
		const update = `\n${pages} 0 obj\n<< /Type /Pages /Kids [] /Count 7 >>\nendobj\n`;
		const at = before.length + 1;
		const table = `xref\n${pages} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
		const trailer = `trailer\n<< /Size ${size} /Root ${root} 0 R /Prev ${start} >>\nstartxref\n${before.length + update.length}\n%%EOF\n`;
		const bytes = Buffer.concat([before, Buffer.from(update + table + trailer, 'latin1')]);
		await expect(pageCount(bytes)).resolves.toBe(7);
	});

	it('of an image is one', async () => {
		await expect(pageCount(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]))).resolves.toBe(1);
		await expect(pageCount(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).resolves.toBe(1);
	});

	it.each<[string, () => Promise<Buffer>]>([
		['a Word file', async () => fixture('letter.docx')],
		['a PDF that is cut off', async () => (await pdf(3, true)).subarray(0, 600)],
		[
			'a PDF whose table points elsewhere',
			async () =>
				Buffer.from((await pdf(3, false)).toString('latin1').replace(/startxref\s+\d+/, 'startxref\n12'), 'latin1'),
		],
		['a PDF whose structure is encrypted', async () => fixture('encrypted-object-streams.pdf')],
		['nothing', async () => Buffer.alloc(0)],
	])('of %s is not guessed', async (_, bytes) => {
		await expect(pageCount(await bytes())).resolves.toBeUndefined();
	});
});
