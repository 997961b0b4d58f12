import { A4, drawPages } from './page/drawPages';
import { Sheet } from './page/sheet';
import { drawTestWatermark } from './page/watermark';
import type { SignedDocument } from './signedDocument';
import { formatMoment } from './text/dateFormat';
import { fontOf } from './text/fonts';
import type { TextStyle } from './text/writeText';

const MARGIN = 54;
const ACCENT = '#1f3b8a';
const INK = '#171c29';
const MUTED = '#667080';

const styleOf = (color: string, bold = false): TextStyle => ({
	family: 'HELVETICA',
	color,
	bold,
	align: 'left',
});

/**
 * Makes the audit certificate of a completed document (docs/service.md section 4, files variants):
 * what was signed, by whom, and everything that happened to it, in order, together with the
 * fingerprint of the signed file.
 */
export function buildCertificate(signed: SignedDocument, sha256: string): Uint8Array {
	const sheet = new Sheet(MARGIN);
	sheet.text('Certificate of completion', 22, styleOf(ACCENT, true));
	sheet.text(signed.title, 12.5, styleOf(INK, true));
	const explanation = 'Everyone asked to sign this document has signed it. This page records how.';
	sheet.text(explanation, 10, styleOf(MUTED));
	sheet.space(10);
	sheet.table({ Document: 125, '': 362 }, factsOf(signed, sha256), styleOf(INK));
	writeHeading(sheet, 'Recipients');
	const people = { 'Name and e-mail': 262, Type: 45, Status: 60, Signed: 120 };
	sheet.table(people, recipientsOf(signed), styleOf(INK));
	writeHeading(sheet, 'Audit trail');
	const events = { When: 120, What: 140, Who: 147, 'IP address': 80 };
	sheet.table(events, trailOf(signed), styleOf(INK));
	const pages = sheet.pages((canvas, number, count) => {
		canvas.font = fontOf({ family: 'HELVETICA' }, 8);
		canvas.fillStyle = MUTED;
		canvas.textAlign = 'left';
		canvas.fillText(`${signed.id}   Page ${number} of ${count}`, MARGIN, A4.height - 36);
		if (signed.mode === 'TEST') drawTestWatermark(canvas, A4);
	});
	return drawPages(pages, {
		title: `Certificate: ${signed.title}`,
		subject: `Audit certificate of document ${signed.id}`,
	});
}

function factsOf(signed: SignedDocument, sha256: string): string[][] {
	return [
		['Document ID', signed.id],
		['Sender', signed.sender.name],
		['Organization ID', signed.sender.id],
		['Mode', signed.mode],
		['Created', formatMoment(signed.createdAt)],
		['Completed and sealed', formatMoment(signed.completedAt)],
		['SHA-256 of the signed file', sha256],
	];
}

function recipientsOf({ recipients }: SignedDocument): string[][] {
	return recipients.map(({ name, email, type, status, signedAt }) => [
		`${name}\n${email}`,
		type,
		status,
		signedAt ? formatMoment(signedAt) : '-',
	]);
}

function trailOf({ trail }: SignedDocument): string[][] {
	return trail.map(({ at, what, who, ip }) => [formatMoment(at), what, who ?? '-', ip ?? '-']);
}

/** It stays together with the beginning of its table. */
function writeHeading(sheet: Sheet, heading: string): void {
	sheet.space(14);
	sheet.reserve(80);
	sheet.text(heading, 12.5, styleOf(INK, true));
	sheet.space(4);
}
