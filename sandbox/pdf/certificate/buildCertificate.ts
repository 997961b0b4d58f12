import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import { setFileProperties } from '../fileProperties';
import { drawTestWatermark } from '../page/watermark';
import { savePdf } from '../savePdf';
import type { Sealed } from '../sealDocument';
import { formatMoment } from '../text/dateFormat';
import { FontBook } from '../text/fontBook';
import { MARGIN, MUTED, Sheet } from './sheet';
import { describeMissing, describeShortfalls } from './shortfalls';

export interface CertificateInput {
	title: string;
	documentId: string;
	mode: string;
	/** Whose key or public link sent the document. */
	sender: { id: string; name: string };
	createdAt: Date;
	completedAt: Date;
	recipients: Array<{ name: string; email: string; type: string; status: string; signedAt: Date | null }>;
	trail: Array<{ at: Date; what: string; who: string | null; ip?: string | null }>;
	/** Lowercase hex digest of the signed file. */
	sealedSha256: string;
	/** What of the signed file could not be shown in full. */
	shortfalls: Sealed['shortfalls'];
	watermark: boolean;
}

const ACCENT = rgb(0.12, 0.23, 0.54);

/**
 * Makes the audit certificate of a completed document (docs/service.md section 4, files variants): what was signed, by
 * whom, and everything that happened to it, in order, together with the fingerprint of the signed file.
 */
export async function buildCertificate(input: CertificateInput): Promise<Uint8Array> {
	const document = await PDFDocument.create({ updateMetadata: false });
	const fonts = new FontBook(document);
	const sheet = new Sheet(document, fonts);

	await sheet.paragraph('Certificate of completion', 22, ACCENT, { family: 'HELVETICA', bold: true });
	await sheet.paragraph('Everyone asked to sign this document has signed it. This page records how.', 10, MUTED);
	sheet.space(10);
	await writeFacts(sheet, input);
	await writeRecipients(sheet, input);
	await writeTrail(sheet, input);
	await writeShortfalls(sheet, [...describeShortfalls(input.shortfalls), ...describeMissing(fonts.takeMissing())]);
	await finishPages(document, fonts, input);
	await fonts.write();

	setFileProperties(document, {
		title: `Certificate: ${input.title}`,
		subject: `Audit certificate of document ${input.documentId}`,
		at: input.completedAt,
	});
	return savePdf(document);
}

async function writeFacts(sheet: Sheet, input: CertificateInput): Promise<void> {
	const label = 110;
	await sheet.table(
		[
			{ title: 'Document', width: label },
			{ title: '', width: sheet.width - label },
		],
		[
			['Title', input.title],
			['Document ID', input.documentId],
			['Sender', input.sender.name],
			['Organization ID', input.sender.id],
			['Mode', input.mode],
			['Created', formatMoment(input.createdAt)],
			['Completed and sealed', formatMoment(input.completedAt)],
			['SHA-256 of the signed file', input.sealedSha256],
		],
	);
}

async function writeRecipients(sheet: Sheet, { recipients }: CertificateInput): Promise<void> {
	await sheet.heading('Recipients');
	await sheet.table(
		[
			{ title: 'Name and e-mail', width: sheet.width - 220 },
			{ title: 'Type', width: 45 },
			{ title: 'Status', width: 60 },
			{ title: 'Signed', width: 115 },
		],
		recipients.map(({ name, email, type, status, signedAt }) => [
			`${name}\n${email}`,
			type,
			status,
			signedAt ? formatMoment(signedAt) : '-',
		]),
	);
}

async function writeTrail(sheet: Sheet, { trail }: CertificateInput): Promise<void> {
	await sheet.heading('Audit trail');
	await sheet.table(
		[
			{ title: 'When', width: 115 },
			{ title: 'What', width: 150 },
			{ title: 'Who', width: sheet.width - 345 },
			{ title: 'IP address', width: 80 },
		],
		trail.map(({ at, what, who, ip }) => [formatMoment(at), what, who ?? '-', ip ?? '-']),
	);
}

async function writeShortfalls(sheet: Sheet, lines: string[]): Promise<void> {
	if (lines.length === 0) return;
	await sheet.heading('Not shown in full');
	for (const line of lines) await sheet.paragraph(line, 8.5);
}

async function finishPages(document: PDFDocument, fonts: FontBook, input: CertificateInput): Promise<void> {
	const pages = document.getPages();
	const font = await fonts.standard(StandardFonts.Helvetica);
	for (const [index, page] of pages.entries()) {
		const footer = `${input.documentId}   Page ${index + 1} of ${pages.length}`;
		page.drawText(footer, { x: MARGIN, y: 36, size: 8, font, color: MUTED });
		if (input.watermark) await drawTestWatermark(page, fonts);
	}
}
