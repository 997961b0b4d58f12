import type { Color, PDFPage } from 'pdf-lib';
import type { Box } from '../page/pageSpace';
import type { FontBook, FontLook } from '../text/fonts';
import type { PlacedField } from './placedField';

/** What the drawings of all field types work with; `box` is in the coordinates of the page as seen. */
export interface FieldCanvas {
	page: PDFPage;
	fonts: FontBook;
	field: PlacedField;
	box: Box;
	color: Color;
	look: FontLook;
}
