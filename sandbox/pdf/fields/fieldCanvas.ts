import type { Canvas2D } from '../page/drawPages';
import type { Box } from '../page/pageSpace';
import type { FontLook } from '../text/fonts';
import type { PlacedField } from './placedField';

/**
 * What the drawings of all field types work with; `box` is in points from the top-left corner of
 * the page as seen.
 */
export interface FieldCanvas {
	canvas: Canvas2D;
	field: PlacedField;
	box: Box;
	/** Of the form #rrggbb. */
	color: string;
	look: FontLook;
}
