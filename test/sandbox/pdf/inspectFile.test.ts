import { PDFDocument, PDFName } from 'pdf-lib';
import { inspectFile } from '../../../sandbox/pdf';
import { fixture } from '../../fixtures/fixture';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** The type that was found, or the code of the refusal. */
async function inspected(bytes: Buffer): Promise<string> {
	const inspection = await inspectFile(bytes);
	return inspection.ok ? inspection.mimeType : inspection.code;
}

const part = (name: string, share: number) =>
	fixture(name).subarray(0, fixture(name).length * share);

async function saved(
	change: (document: PDFDocument) => void,
	options: object = {},
): Promise<Buffer> {
	const document = await PDFDocument.create();
	change(document);
	return Buffer.from(await document.save({ addDefaultPage: false, ...options }));
}

describe('POST /files detects the type of a file from its bytes (docs/service.md section 4, Files)', () => {
	it.each<[string, string[]]>([
		// One with an owner password only is opened by every reader.
		[
			PDF,
			[
				'contract.pdf',
				'libreoffice.pdf',
				'ghostscript.pdf',
				'scan.pdf',
				'linearized.pdf',
				'encrypted-owner.pdf',
			],
		],
		[
			PDF,
			['object-streams.pdf', 'turned-and-cropped.pdf', 'blank-page-with-empty-flate-stream.pdf'],
		],
		[DOCX, ['letter.docx']],
		['application/msword', ['letter.doc']],
		['image/png', ['picture.png']],
		['image/jpeg', ['upright.jpg']],
		['unsupported_file_type', ['picture.webp', 'picture.heic', 'picture.svg', 'contract.html']],
		// They share their containers with DOC and DOCX.
		['unsupported_file_type', ['sheet.xls', 'sheet.xlsx', 'other-archive.odt']],
		['password_protected_pdf', ['encrypted-user.pdf', 'encrypted-object-streams.pdf']],
		['corrupt_pdf', ['truncated.pdf']],
	])('%s: %j', async (expected, files) => {
		for (const file of files)
			expect([file, await inspected(fixture(file))]).toEqual([file, expected]);
	});
});

describe('a file is parsed on upload', () => {
	it.each([0.05, 0.3, 0.6, 0.9, 0.99])(
		'cut off after %f of its bytes it is corrupt_pdf',
		async (share) => {
			// No password would open the encrypted one.
			for (const file of [
				'contract.pdf',
				'linearized.pdf',
				'object-streams.pdf',
				'encrypted-user.pdf',
			]) {
				expect([file, await inspected(part(file, share))]).toEqual([file, 'corrupt_pdf']);
			}
		},
	);

	it('a line end before %PDF is nothing that a reader minds', async () => {
		const bytes = Buffer.concat([Buffer.from('\r\n'), fixture('contract.pdf')]);
		expect(await inspected(bytes)).toBe(PDF);
	});

	const garbage = Buffer.from(`%PDF-1.7\n${'garbage '.repeat(200)}`);

	it.each<[string, string, () => Buffer | Promise<Buffer>]>([
		['no bytes at all', 'unsupported_file_type', () => Buffer.alloc(0)],
		['one byte', 'unsupported_file_type', () => Buffer.from([0x25])],
		['a text before %PDF-1.7', 'unsupported_file_type', () => Buffer.from('About %PDF-1.7 files')],
		[
			'half the header of a Word container',
			'unsupported_file_type',
			() => fixture('letter.doc').subarray(0, 512),
		],
		[
			'a zip archive cut off in its first entry',
			'unsupported_file_type',
			() => fixture('letter.docx').subarray(0, 60),
		],
		['a header followed by garbage', 'corrupt_pdf', () => garbage],
		[
			'a header and an end with nothing between',
			'corrupt_pdf',
			() => Buffer.from('%PDF-1.4\n%%EOF\n'),
		],
		['no pages', 'corrupt_pdf', () => saved(() => undefined)],
		[
			'a page tree that runs in a circle',
			'corrupt_pdf',
			() =>
				saved((document) => {
					document.addPage();
					document.catalog
						.Pages()
						.Kids()
						.push(document.catalog.get(PDFName.of('Pages'))!);
				}),
		],
		[
			'an empty page, and padding after the end',
			PDF,
			async () =>
				Buffer.concat([await saved((document) => document.addPage()), Buffer.alloc(5000)]),
		],
		[
			'a text that names the dictionary of encrypted files',
			PDF,
			() =>
				saved((document) => document.addPage().drawText('/Encrypt 5 0 R'), {
					useObjectStreams: false,
				}),
		],
	])('with %s it is %s', async (_what, expected, make) => {
		expect(await inspected(await make())).toBe(expected);
	});
});
