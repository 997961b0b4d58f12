import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { HOSTILE, type Hostile } from '../../../../harness/hostilePdfs';
import { pageCount } from '../../../../nodes/ESign/actions/document/fields/pageCount';
import { pagesOfPdf } from '../../../../nodes/ESign/actions/document/fields/pageCount/pagesOfPdf';
import { Source } from '../../../../nodes/ESign/actions/document/fields/pageCount/source';
import { GivenUp, Unreadable } from '../../../../nodes/ESign/actions/document/fields/pageCount/work';

/** The steps it takes to count the pages of a file, or to give it up. */
function stepsFor(bytes: Buffer): number {
	const work = Source.workFor(bytes.length);
	try {
		pagesOfPdf(bytes, work);
	} catch (error) {
		if (!(error instanceof Unreadable) && !(error instanceof GivenUp)) throw error;
	}
	return work.spent;
}

describe('The work of counting the pages', () => {
	it.each(Object.keys(HOSTILE) as Hostile[])('of a hostile PDF grows no faster than the file: %s', (kind) => {
		for (const size of [50_000, 1_000_000]) {
			const bytes = HOSTILE[kind](size);
			// Ten steps a byte and more for small files; what is counted in one piece is part of the file, or small.
			expect(stepsFor(bytes)).toBeLessThan(11 * bytes.length + 1.25 * 2 ** 20 + 2 ** 17);
		}
	});

	it.each<[string, () => Promise<Buffer>]>([
		['2,100 pages in object streams', async () => await contractOf(2_100, true)],
		['2,100 pages with a table', async () => await contractOf(2_100, false)],
		['300 updates', async () => updated(await contractOf(20, false), 300)],
		['a scan of 25 MB', async () => await scanOf(50, 500_000)],
	])('of a file that people send is below a quarter of what it may be: %s', async (_, make) => {
		const bytes = await make();
		await expect(pageCount(bytes)).resolves.toBeGreaterThan(0);
		expect(stepsFor(bytes)).toBeLessThan(Source.workFor(bytes.length).most / 4);
	});

	it('is enough for 3,000 pages in a file of 40 KB, whose structure is all packed', async () => {
		const bytes = await contractOf(3_000, true, 0);
		expect(bytes.length).toBeLessThan(40_000);
		await expect(pageCount(bytes)).resolves.toBe(3_000);
	});

	it.each(['contract.pdf', 'libreoffice.pdf', 'linearized.pdf', 'object-streams.pdf'])(
		'of %s is a step a byte at most',
		(name) => {
			const bytes = readFileSync(path.join(__dirname, '../../../fixtures', name));
			expect(stepsFor(bytes)).toBeLessThan(bytes.length);
		},
	);
});

async function contractOf(pages: number, useObjectStreams: boolean, linesEach = 30): Promise<Buffer> {
	const document = await PDFDocument.create();
	for (let page = 0; page < pages; page++) {
		const sheet = document.addPage([595, 842]);
		const lines = Array.from({ length: linesEach }, (_, line) => `${page}.${line} ${Math.sin(page * 30 + line)}`);
		if (linesEach > 0) sheet.drawText(lines.join('\n'), { size: 9 });
	}
	return Buffer.from(await document.save({ useObjectStreams }));
}

/** A page for each picture; what it shows is noise. */
async function scanOf(pages: number, bytesEach: number): Promise<Buffer> {
	const document = await PDFDocument.create();
	const picture = readFileSync(path.join(__dirname, '../../../fixtures/upright.jpg'));
	for (let page = 0; page < pages; page++) {
		const image = await document.embedJpg(Buffer.concat([picture, randomBytes(bytesEach)]));
		document.addPage().drawImage(image);
	}
	return Buffer.from(await document.save());
}

/** The file with so many updates behind it, each of which writes an object anew and has a table of its own. */
function updated(bytes: Buffer, times: number): Buffer {
	const text = bytes.toString('latin1');
	const root = /\/Root (\d+ \d+ R)/.exec(text)?.[1];
	let previous = Number(/startxref\s+(\d+)/.exec(text)?.[1]);
	const parts = [bytes];
	let length = bytes.length;
	for (let time = 0; time < times; time++) {
		const object = `9000 0 obj\n<< /Type /Annot /Subtype /Widget /T (name) /V (value ${time}) /Rect [0 0 ${time} 9] >>\nendobj\n`;
		const start = length + object.length;
		const row = `${String(length).padStart(10, '0')} 00000 n \n`;
		const trailer = `trailer\n<< /Size 9001 /Root ${root} /Prev ${previous} >>\nstartxref\n${start}\n%%EOF\n`;
		const update = Buffer.from(`${object}xref\n9000 1\n${row}${trailer}`);
		previous = start;
		length += update.length;
		parts.push(update);
	}
	return Buffer.concat(parts);
}
