import { PDFBool, PDFDropdown, PDFName, PDFTextField, type PDFDocument } from 'pdf-lib';
import { rewrite } from '../upload/qpdf';

const NEED_APPEARANCES = PDFName.of('NeedAppearances');

/**
 * The file of a document, in which what was filled into its form has become part of the pages:
 * fields do not survive the copying of pages.
 */
export async function flattenForm(document: PDFDocument): Promise<Uint8Array> {
	drawMissingAppearances(document);
	const bytes = await document.save({ updateFieldAppearances: false });
	return rewrite(bytes, '--flatten-annotations=screen');
}

/**
 * Some programs leave it to the reader to draw what was filled in: they store no appearance, or an
 * old one, and say NeedAppearances (ISO 32000-1, table 218). What pdf-lib cannot draw is left out.
 */
function drawMissingAppearances(document: PDFDocument): void {
	const form = document.getForm();
	const isStale = form.acroForm.dict.lookup(NEED_APPEARANCES) === PDFBool.True;
	form.acroForm.dict.delete(NEED_APPEARANCES);
	for (const field of form.getFields()) {
		const isText = field instanceof PDFTextField || field instanceof PDFDropdown;
		if (!field.needsAppearancesUpdate() && !(isStale && isText)) continue;
		try {
			field.defaultUpdateAppearances(form.getDefaultFont());
		} catch {
			continue;
		}
	}
}
