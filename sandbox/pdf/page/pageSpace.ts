import {
	concatTransformationMatrix,
	popGraphicsState,
	pushGraphicsState,
	type PDFPage,
} from 'pdf-lib';

/** A rectangle in points; `x`, `y` is the corner with the smallest of both. */
export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
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
function quarterTurns(page: PDFPage): number {
	return ((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4;
}

/** Size of the page, in points, as a person sees it: cropped and turned. */
export function seenSize(page: PDFPage): { width: number; height: number } {
	const { width, height } = visibleBox(page);
	return quarterTurns(page) % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** A place in points from the top-left corner of a page that is so large to those who see it. */
export function seenBox(
	{ width, height }: { width: number; height: number },
	place: NormalisedPlace,
): Box {
	return {
		x: place.xNorm * width,
		y: place.yNorm * height,
		width: place.widthNorm * width,
		height: place.heightNorm * height,
	};
}

/**
 * Runs `draw` in the coordinates of the page as seen: origin in the lower-left corner of what a
 * reader shows, y upwards. On a page with `/Rotate` or a crop box that differs from the page's own
 * coordinates, in which the lower-left corner may be outside of the view and "up" may point
 * sideways.
 */
export function drawAsSeen(page: PDFPage, draw: () => void): void {
	const { x, y, width, height } = visibleBox(page);
	const matrices = [
		concatTransformationMatrix(1, 0, 0, 1, x, y),
		concatTransformationMatrix(0, 1, -1, 0, x + width, y),
		concatTransformationMatrix(-1, 0, 0, -1, x + width, y + height),
		concatTransformationMatrix(0, -1, 1, 0, x, y + height),
	];
	page.pushOperators(
		pushGraphicsState(),
		...matrices.slice(quarterTurns(page), quarterTurns(page) + 1),
	);
	draw();
	page.pushOperators(popGraphicsState());
}
