import { PDFDocument, PDFName } from 'pdf-lib';
import { inspectFile } from '../../../sandbox/pdf';
import { fixture } from './fixture';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('POST /files detects the type of a file from its bytes (docs/service.md section 4, Files)', () => {
	it.each([
		['a Chromium print', 'contract.pdf', 'application/pdf'],
		['a LibreOffice export', 'libreoffice.pdf', 'application/pdf'],
		['Ghostscript output', 'ghostscript.pdf', 'application/pdf'],
		['a scan', 'scan.pdf', 'application/pdf'],
		['a PDF with object streams', 'object-streams.pdf', 'application/pdf'],
		['a linearized PDF', 'linearized.pdf', 'application/pdf'],
		['a PDF of turned and cropped pages', 'turned-and-cropped.pdf', 'application/pdf'],
		['DOCX', 'letter.docx', DOCX],
		['DOC', 'letter.doc', 'application/msword'],
		['PNG', 'picture.png', 'image/png'],
		['JPEG', 'upright.jpg', 'image/jpeg'],
	])('accepts %s', async (_kind, file, mimeType) => {
		expect(await inspectFile(fixture(file))).toEqual({ ok: true, mimeType });
	});

	it.each([
		['WebP', 'picture.webp'],
		['HEIC', 'picture.heic'],
		['SVG', 'picture.svg'],
		['XLS, which shares its container with DOC', 'sheet.xls'],
		['XLSX, which shares its container with DOCX', 'sheet.xlsx'],
		['another zip archive', 'other-archive.odt'],
		['HTML', 'contract.html'],
	])('refuses %s', async (_kind, file) => {
		expect(await inspectFile(fixture(file))).toEqual({ ok: false, code: 'unsupported_file_type' });
	});

	it.each([
		['no bytes at all', Buffer.alloc(0)],
		['one byte', Buffer.from([0x25])],
		['text that only mentions %PDF-1.7', Buffer.from('About %PDF-1.7 files')],
		['the header of a Word container and nothing else', fixture('letter.doc').subarray(0, 512)],
		['a zip archive cut off in its first entry', fixture('letter.docx').subarray(0, 60)],
	])('refuses %s', async (_kind, bytes) => {
		expect(await inspectFile(bytes)).toEqual({ ok: false, code: 'unsupported_file_type' });
	});
});

describe('a PDF that needs a password is told apart from a damaged one', () => {
	it.each(['encrypted-user.pdf', 'encrypted-object-streams.pdf'])('%s is password_protected_pdf', async (file) => {
		expect(await inspectFile(fixture(file))).toEqual({ ok: false, code: 'password_protected_pdf' });
	});

	it('one with an owner password only, which every reader opens, is accepted', async () => {
		expect(await inspectFile(fixture('encrypted-owner.pdf'))).toEqual({ ok: true, mimeType: 'application/pdf' });
	});

	it('an encrypted PDF that was cut off is corrupt, for no password would open it', async () => {
		const bytes = fixture('encrypted-user.pdf');
		expect(await inspectFile(bytes.subarray(0, bytes.length * 0.6))).toEqual({ ok: false, code: 'corrupt_pdf' });
	});

	it('the word Encrypt in the text of a PDF does not make it encrypted', async () => {
		const document = await PDFDocument.create();
		document.addPage().drawText('/Encrypt 5 0 R');
		const bytes = Buffer.from(await document.save({ useObjectStreams: false }));
		expect(await inspectFile(bytes)).toEqual({ ok: true, mimeType: 'application/pdf' });
	});
});

describe('a PDF is parsed on upload', () => {
	it.each([0.05, 0.3, 0.6, 0.9, 0.99])('cut off after %f of its bytes it is corrupt_pdf', async (part) => {
		for (const file of ['contract.pdf', 'ghostscript.pdf', 'linearized.pdf', 'object-streams.pdf']) {
			const bytes = fixture(file);
			expect(await inspectFile(bytes.subarray(0, bytes.length * part))).toEqual({ ok: false, code: 'corrupt_pdf' });
		}
	});

	it.each([
		['the truncated file', fixture('truncated.pdf')],
		['a header followed by garbage', Buffer.from(`%PDF-1.7\n${'garbage '.repeat(200)}`)],
		['a header and an end with nothing between', Buffer.from('%PDF-1.4\n%%EOF\n')],
	])('%s is corrupt_pdf', async (_kind, bytes) => {
		expect(await inspectFile(bytes)).toEqual({ ok: false, code: 'corrupt_pdf' });
	});

	it('without pages it is corrupt_pdf', async () => {
		const bytes = Buffer.from(await (await PDFDocument.create()).save({ addDefaultPage: false }));
		expect(await inspectFile(bytes)).toEqual({ ok: false, code: 'corrupt_pdf' });
	});

	it('with a page whose content is missing it is corrupt_pdf', async () => {
		const document = await PDFDocument.create();
		const [page] = [document.addPage(), document.addPage()];
		page.node.set(PDFName.Contents, document.context.nextRef());
		expect(await inspectFile(Buffer.from(await document.save()))).toEqual({ ok: false, code: 'corrupt_pdf' });
	});

	it('with a page tree that runs in a circle it is corrupt_pdf', async () => {
		const document = await PDFDocument.create();
		document.addPage();
		const pages = document.catalog.Pages();
		pages.Kids().push(document.catalog.get(PDFName.of('Pages'))!);
		const bytes = await document.save();
		expect(await inspectFile(Buffer.from(bytes))).toEqual({ ok: false, code: 'corrupt_pdf' });
	});

	it('an empty page, and padding after the end, do no harm', async () => {
		const document = await PDFDocument.create();
		document.addPage();
		const padded = Buffer.concat([Buffer.from(await document.save()), Buffer.alloc(5000)]);
		expect(await inspectFile(padded)).toEqual({ ok: true, mimeType: 'application/pdf' });
	});
});
