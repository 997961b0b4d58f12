import type { PDFDocument } from 'pdf-lib';

const PRODUCER = 'eSign sandbox';

/**
 * Writes what a reader shows as a file's properties, and nothing that would differ from one run to
 * the next.
 */
export function setFileProperties(
	document: PDFDocument,
	about: { title: string; subject: string; at: Date },
): void {
	document.setTitle(about.title, { showInWindowTitleBar: true });
	document.setSubject(about.subject);
	document.setProducer(PRODUCER);
	document.setCreator(PRODUCER);
	document.setCreationDate(about.at);
	document.setModificationDate(about.at);
}
