import { PDFDocument } from 'pdf-lib';
import { setFileProperties } from '../fileProperties';
import { A4, drawPages } from '../page/drawPages';
import { drawTestWatermark } from '../page/watermark';
import { savePdf } from '../savePdf';
import type { Sealed } from '../sealDocument';
import { formatMoment } from '../text/dateFormat';
import { fontOf } from '../text/fonts';
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
	recipients: Array<{
		name: string;
		email: string;
		type: string;
		status: string;
		signedAt: Date | null;
	}>;
	trail: Array<{ at: Date; what: string; who: string | null; ip?: string | null }>;
	/** Lowercase hex digest of the signed file. */
	sealedSha256: string;
	/** What of the signed file could not be shown in full. */
	shortfalls: Sealed['shortfalls'];
	watermark: boolean;
}

const ACCENT = '#1f3b8a';

/**
 * Makes the audit certificate of a completed document (docs/service.md section 4, files variants):
 * what was signed, by whom, and everything that happened to it, in order, together with the
 * fingerprint of the signed file.
 */
export async function buildCertificate(input: CertificateInput): Promise<Uint8Array> {
	const sheet = new Sheet();
	sheet.paragraph('Certificate of completion', 22, ACCENT, { family: 'HELVETICA', bold: true });
	sheet.paragraph(
		'Everyone asked to sign this document has signed it. This page records how.',
		10,
		MUTED,
	);
	sheet.space(10);
	writeFacts(sheet, input);
	writeRecipients(sheet, input);
	writeTrail(sheet, input);
	writeShortfalls(sheet, [
		...describeShortfalls(input.shortfalls),
		...describeMissing([...sheet.missing]),
	]);
	const pages = sheet.pages((canvas, number, count) => {
		canvas.font = fontOf({ family: 'HELVETICA' }, 8);
		canvas.fillStyle = MUTED;
		canvas.textAlign = 'left';
		canvas.fillText(`${input.documentId}   Page ${number} of ${count}`, MARGIN, A4.height - 36);
		if (input.watermark) drawTestWatermark(canvas, A4);
	});
	const document = await PDFDocument.load(drawPages(pages), { updateMetadata: false });
	setFileProperties(document, {
		title: `Certificate: ${input.title}`,
		subject: `Audit certificate of document ${input.documentId}`,
		at: input.completedAt,
	});
	return savePdf(document);
}

function writeFacts(sheet: Sheet, input: CertificateInput): void {
	const label = 110;
	sheet.table(
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

function writeRecipients(sheet: Sheet, { recipients }: CertificateInput): void {
	sheet.heading('Recipients');
	sheet.table(
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

function writeTrail(sheet: Sheet, { trail }: CertificateInput): void {
	sheet.heading('Audit trail');
	sheet.table(
		[
			{ title: 'When', width: 115 },
			{ title: 'What', width: 150 },
			{ title: 'Who', width: sheet.width - 345 },
			{ title: 'IP address', width: 80 },
		],
		trail.map(({ at, what, who, ip }) => [formatMoment(at), what, who ?? '-', ip ?? '-']),
	);
}

function writeShortfalls(sheet: Sheet, lines: string[]): void {
	if (lines.length === 0) return;
	sheet.heading('Not shown in full');
	for (const line of lines) sheet.paragraph(line, 8.5);
}
