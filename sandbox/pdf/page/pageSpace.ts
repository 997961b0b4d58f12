import { degrees, type PDFPage, type Rotation } from 'pdf-lib';

/** Points. */
export interface Size {
	width: number;
	height: number;
}

/** A rectangle in points; `x`, `y` is the corner with the smallest of both. */
export interface Box extends Size {
	x: number;
	y: number;
}

/**
 * A place on a page as docs/service.md section 2 states it: fractions of the page, measured from
 * its top-left corner.
 */
export interface NormalisedPlace {
	xNorm: number;
	yNorm: number;
	widthNorm: number;
	heightNorm: number;
}

/** Corners may be given in any order, and a crop box may reach past the paper. */
export function visibleBox(page: PDFPage): Box {
	const media = ordered(page.getMediaBox());
	const crop = ordered(page.getCropBox());
	const x = Math.max(media.x, crop.x);
	const y = Math.max(media.y, crop.y);
	const width = Math.min(media.x + media.width, crop.x + crop.width) - x;
	const height = Math.min(media.y + media.height, crop.y + crop.height) - y;
	return width > 0 && height > 0 ? { x, y, width, height } : media;
}

function ordered({ x, y, width, height }: Box): Box {
	return {
		x: Math.min(x, x + width),
		y: Math.min(y, y + height),
		width: Math.abs(width),
		height: Math.abs(height),
	};
}

/** Quarter turns clockwise (0 to 3) by which a reader shows the page. */
export function quarterTurns(page: PDFPage): number {
	return ((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4;
}

/** Size of the page as a person sees it: cropped and turned. */
export function seenSize(page: PDFPage): Size {
	const { width, height } = visibleBox(page);
	return quarterTurns(page) % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** A place in points from the top-left corner of a page that is so large to those who see it. */
export function seenBox({ width, height }: Size, place: NormalisedPlace): Box {
	return {
		x: place.xNorm * width,
		y: place.yNorm * height,
		width: place.widthNorm * width,
		height: place.heightNorm * height,
	};
}

/**
 * How pdf-lib draws what is to fill a box when it has been turned by so many quarters against the
 * clock: around the corner of the box in which its own lower-left corner then is.
 */
export function turnedInto(
	{ x, y, width, height }: Box,
	quarters: number,
): { x?: number; y?: number; rotate: Rotation } {
	const corners = [
		{ x, y },
		{ x: x + width, y },
		{ x: x + width, y: y + height },
		{ x, y: y + height },
	];
	return { ...corners[quarters], rotate: degrees(90 * quarters) };
}
