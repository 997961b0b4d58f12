import type { Color, PDFPage } from 'pdf-lib';
import type { FontLook } from '../fonts/typefaces';
import type { Box } from '../page/pageSpace';
import type { FontBook } from '../text/fontBook';
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

/** A field that is ready to be drawn. Lettering needs fonts, which load asynchronously: hence the two steps. */
export interface Drawing {
	draw: () => void;
	/** False when the box has no room for all of the text, even in the smallest letters. */
	complete: boolean;
}
