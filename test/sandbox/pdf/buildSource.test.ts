import { createCanvas } from '@napi-rs/canvas';
import { PDFBool, PDFDict, PDFDocument, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { buildSource, inspectFile } from '../../../sandbox/pdf';
import { docxOf } from '../../actions/document/fields/support/docx';
import { fixture } from '../../fixtures/fixture';
import { readPdf, textOf } from './readPdf';

async function build(...files: Array<string | Buffer>) {
	const sources = await Promise.all(
		files.map(async (file) => {
			const bytes = typeof file === 'string' ? fixture(file) : file;
			const inspection = await inspectFile(bytes);
			if (!inspection.ok) throw new Error(`${inspection.code} for ${String(file).slice(0, 40)}`);
			return { bytes, mimeType: inspection.mimeType };
		}),
	);
	const { bytes, pageCount } = await buildSource(sources);
	if (!bytes) throw new Error('The files could not be made into one');
	return { bytes, pageCount, seen: readPdf(bytes) };
}

describe('the text of a Word file is readable in its pages', () => {
	const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
	const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
	const shape = (text: string) =>
		`<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${paragraph(run(text))}</w:txbxContent></v:textbox></v:shape></w:pict>`;

	it.each([
		['a paragraph, in several runs', paragraph(run('[[signa'), run('ture 1]]')), '[[signature 1]]'],
		[
			'the cell of a table',
			`<w:tbl><w:tr><w:tc>${paragraph(run('[[date 1]]'))}</w:tc><w:tc>${paragraph(run('[[date 2]]'))}</w:tc></w:tr></w:tbl>`,
			'[[date 1]] [[date 2]]',
		],
		['a text box', paragraph(`<w:r>${shape('[[initials 1]]')}</w:r>`), '[[initials 1]]'],
		[
			'the text box of a newer Word, which has it twice',
			paragraph(
				`<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:drawing><wps:txbx xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:txbxContent>${paragraph(run('[[stamp 1]]'))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback>${shape('[[stamp 1]]')}</mc:Fallback></mc:AlternateContent></w:r>`,
			),
			'[[stamp 1]]',
		],
	])('a tag in %s', async (_where, body, tags) => {
		const { seen } = await build(docxOf(paragraph(run('Contract')) + body + paragraph(run('End'))));
		const found = textOf(seen.pages[0]).match(/\[\[[^\]]*\]\]/g);
		expect(found?.join(' ')).toBe(tags);
	});
});

describe('files are merged in the listed order (docs/service.md section 4, POST /documents)', () => {
	it('keeps all pages of all files of every accepted type, first file first', async () => {
		const files = [
			'ghostscript.pdf',
			'upright.jpg',
			'letter.docx',
			'contract.pdf',
			'picture.png',
			'letter.doc',
		];
		const { bytes, pageCount, seen } = await build(...files, 'object-streams.pdf');
		expect(await inspectFile(bytes)).toEqual({ ok: true, mimeType: 'application/pdf' });
		const letter = /^Supply letter .*Dear Ms Żółć.*12 400 €.*Pump P-20.*Łukasz Voss/;
		const report = [/Inspection report/, /Page two of the inspection/];
		const contract = [/Engineering Services Agreement/, /4\. Fees and payment/, /Schedule A/];
		const beginnings = [...report, /^$/, letter, ...contract, /^$/, letter, /\w/];
		expect([pageCount, seen.pages.length]).toEqual([beginnings.length, beginnings.length]);
		beginnings.forEach((text, index) => expect(textOf(seen.pages[index])).toMatch(text));
		expect(seen.pages.every((page) => page.ink !== null)).toBe(true);
	});

	it('leaves pages turned and cropped as they were', async () => {
		const { seen } = await build('turned-and-cropped.pdf');
		expect(seen.pages.map(({ width, height }) => [width, height])).toEqual([
			[480, 600],
			[600, 480],
			[480, 600],
			[600, 480],
		]);
	});

	it('takes a PDF with an owner password, and keeps nothing of the password', async () => {
		for (const files of [['encrypted-owner.pdf'], ['encrypted-owner.pdf', 'ghostscript.pdf']]) {
			const { bytes, seen } = await build(...files);
			expect(textOf(seen.pages[0])).toContain('Supply letter');
			expect(bytes.includes('/Encrypt')).toBe(false);
		}
	});
});

describe('a single PDF stays the file that it is', () => {
	it('byte for byte, with its title, tags and bookmarks', async () => {
		expect((await build('libreoffice.pdf')).bytes.equals(fixture('libreoffice.pdf'))).toBe(true);
	});

	it('also when a form in it is made part of its pages', async () => {
		const form = await formPdf((document) => {
			document.setTitle('Order form');
			const bookmarks = document.context.register(
				document.context.obj({ Type: 'Outlines', Count: 0 }),
			);
			document.catalog.set(PDFName.of('Outlines'), bookmarks);
		});
		const { bytes } = await build(form);
		const built = await PDFDocument.load(bytes);
		expect(built.getTitle()).toBe('Order form');
		expect(built.catalog.has(PDFName.of('Outlines'))).toBe(true);
	});
});

/** A PDF with a text field and a tick box, filled in, and a link. */
async function formPdf(change: (document: PDFDocument) => void = () => undefined): Promise<Buffer> {
	const document = await PDFDocument.create();
	const page = document.addPage([400, 300]);
	const form = document.getForm();
	const city = form.createTextField('sender.city');
	city.setText('Lindenau');
	city.addToPage(page, { x: 40, y: 200, width: 200, height: 24 });
	const agreed = form.createCheckBox('agreed');
	agreed.addToPage(page, { x: 40, y: 150, width: 20, height: 20 });
	agreed.check();
	const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 50, 20], Border: [0, 0, 0] };
	page.node.addAnnot(document.context.register(document.context.obj(link)));
	page.node.addAnnot(document.context.nextRef());
	change(document);
	return Buffer.from(await document.save({ updateFieldAppearances: false }));
}

describe('the form of a PDF becomes part of its pages', () => {
	it.each([
		['alone', []],
		['merged with another file', ['ghostscript.pdf']],
	])(
		'%s: what was filled in is seen, and no field and no dangling annotation is left',
		async (_case, others) => {
			const { bytes, seen } = await build(await formPdf(), ...others);
			expect(textOf(seen.pages[0])).toContain('Lindenau');
			const built = await PDFDocument.load(bytes);
			expect(built.catalog.getAcroForm()).toBeUndefined();
			const kept = built.getPages().flatMap(({ node }) => node.Annots()?.asArray() ?? []);
			const kinds = kept.map((entry) =>
				built.context.lookup(entry, PDFDict).lookup(PDFName.of('Subtype')),
			);
			expect(kinds.map(String)).toEqual(['/Link']);
		},
	);

	it('draws an appearance that does not say what it is', async () => {
		const { seen } = await build('form-appearance-without-subtype.pdf');
		expect(textOf(seen.pages[0])).toContain('Salary: 50000');
	});

	it('draws the value where the PDF says that its appearance is old', async () => {
		const form = await formPdf((document) => {
			const { acroForm } = document.getForm();
			acroForm.dict.set(PDFName.of('NeedAppearances'), PDFBool.True);
			const city = document.getForm().getTextField('sender.city').acroField;
			city.dict.set(PDFName.of('V'), PDFString.of('Neustadt'));
		});
		expect(textOf((await build(form)).seen.pages[0])).toBe('Neustadt');
	});

	it.each<[string, string, string, PDFNumber | undefined]>([
		[
			'draws what was filled in where the PDF leaves that to its reader',
			'Lindenau',
			'AP',
			undefined,
		],
		['leaves out what its reader would not show', '', 'F', PDFNumber.of(2)],
	])('%s', async (_what, expected, entry, value) => {
		const form = await formPdf((document) => {
			const widgets = document
				.getForm()
				.getFields()
				.flatMap((field) => field.acroField.getWidgets());
			for (const { dict } of widgets) {
				if (value) dict.set(PDFName.of(entry), value);
				else dict.delete(PDFName.of(entry));
			}
		});
		const { seen } = await build(form);
		expect(textOf(seen.pages[0])).toBe(expected);
	});
});

describe('PNG and JPEG are placed on a page', () => {
	it('keeps the proportions of a picture, in the middle of a page that lies as it does', async () => {
		const { seen } = await build('picture.png', 'upright.jpg');
		for (const { width, height, ink } of seen.pages) {
			expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
			expect(((ink!.right - ink!.left) * width) / ((ink!.bottom - ink!.top) * height)).toBeCloseTo(
				320 / 200,
				1,
			);
			expect((ink!.left + ink!.right) / 2).toBeCloseTo(0.5, 2);
			expect((ink!.top + ink!.bottom) / 2).toBeCloseTo(0.5, 2);
		}
	});

	it('turns a photo upright by the orientation that the camera noted', async () => {
		const { seen } = await build('sideways.jpg', 'upright.jpg');
		expect(seen.pages[0]!.width).toBe(seen.pages[1]!.width);
		for (const edge of ['left', 'top', 'right', 'bottom'] as const) {
			expect(seen.pages[0]!.ink![edge]).toBeCloseTo(seen.pages[1]!.ink![edge], 2);
		}
	});

	it('reads a picture that lies in the middle of a larger piece of memory', async () => {
		const bytes = fixture('upright.jpg');
		const shared = Buffer.concat([Buffer.alloc(100), bytes]).subarray(100);
		expect((await build(shared, shared)).pageCount).toBe(2);
	});

	it('shrinks a picture larger than the page', async () => {
		const canvas = createCanvas(3000, 2000);
		canvas.getContext('2d').fillRect(0, 0, 3000, 2000);
		const { seen } = await build(canvas.toBuffer('image/png'));
		const { ink } = seen.pages[0]!;
		expect(ink!.left).toBeGreaterThan(0.02);
		expect(ink!.right).toBeLessThan(0.98);
	});
});

describe('a file that was accepted but cannot be read through', () => {
	it.each<[string, string, () => Buffer]>([
		[
			'DOCX',
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
			() => half('letter.docx', 0.5),
		],
		['JPEG', 'image/jpeg', () => half('upright.jpg', 0.01)],
		['PNG', 'image/png', () => half('picture.png', 0.4)],
		['PNG that would fill gigabytes', 'image/png', () => hugePicture()],
		['type that is not accepted', 'image/webp', () => fixture('picture.webp')],
	])('a broken %s leaves the document without a source', async (_kind, mimeType, make) => {
		const good = { bytes: fixture('ghostscript.pdf'), mimeType: 'application/pdf' };
		const built = await buildSource([good, { bytes: make(), mimeType }]);
		expect(built).toEqual({ bytes: null, pageCount: 0 });
	});

	const half = (file: string, part: number) =>
		fixture(file).subarray(0, Math.max(24, fixture(file).length * part));
});

/** The small picture, with a header that promises four hundred million pixels. */
function hugePicture(): Buffer {
	const bytes = Buffer.from(fixture('picture.png'));
	bytes.writeUInt32BE(20_000, 16);
	bytes.writeUInt32BE(20_000, 20);
	return bytes;
}
