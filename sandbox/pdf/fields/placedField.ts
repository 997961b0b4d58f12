import type { FieldType, FontFamily, RadioLayout } from '../../state/vocabulary';
import type { Canvas2D } from '../page/drawPages';
import type { Box, NormalisedPlace } from '../page/pageSpace';
import type { TextStyle } from '../text/writeText';

/**
 * A field with what its recipient made of it, ready to be drawn. A `value` of null or '' was left
 * open and leaves the page as it is. `recipientName` and `signedAt` are printed below signatures,
 * and the day on stamps.
 */
export interface PlacedField extends NormalisedPlace {
	type: FieldType;
	/** 1-based. */
	page: number;
	value: string | null;
	recipientName: string;
	signedAt: Date | null;
	fontFamily?: FontFamily | null;
	fontBold?: boolean | null;
	fontItalic?: boolean | null;
	/** Points. */
	fontSize?: number | null;
	/** #RRGGBB */
	fontColor?: string | null;
	/** Tokens yyyy, yy, MMMM, MMM, MM, M, dd, d in either case of y and d; default yyyy-MM-dd. */
	dateFormat?: string | null;
	radioLayout?: RadioLayout | null;
	/** The choices of a dropdown or a radio group. */
	dropdownOptions?: string[] | null;
}

/** What the drawings of all field types work with. */
export interface FieldCanvas {
	canvas: Canvas2D;
	field: PlacedField;
	/** In points from the top-left corner of the page as seen. */
	box: Box;
	/** As the sender wants it. */
	style: TextStyle;
}
