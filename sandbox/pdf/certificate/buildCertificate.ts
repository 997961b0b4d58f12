import { PDFDocument, rgb } from 'pdf-lib';
import { formatMoment } from '../text/dateFormat';
import { FontBook } from '../text/fonts';
import { setFileProperties } from '../fileProperties';
import { MUTED, Sheet } from './sheet';
import { drawTestWatermark } from '../page/watermark';

export interface CertificateInput {
	title: string;
	documentId: string;
	mode: string;
	createdAt: Date;
	completedAt: Date;
	recipients: Array<{ name: string; email: string; type: string; status: string; signedAt: Date | null }>;
	trail: Array<{ at: Date; what: string; who: string | null; ip?: string | null }>;
	/** Lowercase hex digest of the signed file. */
	sealedSha256: string;
	watermark: boolean;
}

const ACCENT = rgb(0.12, 0.23, 0.54);

/**
 * Makes the audit certificate of a completed document (docs/service.md section 4, files variants): what was signed, by
 * whom, and everything that happened to it, in order, together with the fingerprint of the signed file.
 */
export async function buildCertificate(input: CertificateInput): Promise<Buffer> {
	const document = await PDFDocument.create({ updateMetadata: false });
	const fonts = new FontBook(document);
	const sheet = new Sheet(document, fonts);

	await sheet.paragraph('Certificate of completion', 22, ACCENT, { family: 'HELVETICA', bold: true });
	await sheet.paragraph('Everyone asked to sign this document has signed it. This page records how.', 10, MUTED);
	sheet.space(10);
	await writeFacts(sheet, input);
	await writeRecipients(sheet, input);
	await writeTrail(sheet, input);
	await finishPages(document, fonts, input);

	setFileProperties(document, {
		title: `Certificate: ${input.title}`,
		subject: `Audit certificate of document ${input.documentId}`,
		at: input.completedAt,
	});
	return Buffer.from(await document.save({ addDefaultPage: false }));
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
			{ title: 'Name', width: 122 },
			{ title: 'E-mail', width: 147 },
			{ title: 'Type', width: 42 },
			{ title: 'Status', width: 58 },
			{ title: 'Signed', width: sheet.width - 369 },
		],
		recipients.map(({ name, email, type, status, signedAt }) => [
			name,
			email,
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

async function finishPages(document: PDFDocument, fonts: FontBook, input: CertificateInput): Promise<void> {
	const pages = document.getPages();
	const { font } = await fonts.letter('Page', { family: 'HELVETICA' });
	for (const [index, page] of pages.entries()) {
		const footer = `${input.documentId}   Page ${index + 1} of ${pages.length}`;
		page.drawText(footer, { x: 54, y: 36, size: 8, font, color: MUTED });
		if (input.watermark) await drawTestWatermark(page, fonts);
	}
}
