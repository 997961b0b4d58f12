import { orientation } from 'exifr';
import {
	concatTransformationMatrix,
	drawObject,
	PageSizes,
	popGraphicsState,
	pushGraphicsState,
	type PDFDocument,
	type PDFOperator,
} from 'pdf-lib';
import { JPEG } from '../upload/mimeTypes';
import { embedPlainPng } from './plainPng';
import { soundPng } from './pngPicture';

const MARGIN = 36;

/**
 * Takes the unit square of the picture as stored to that of the upright one, by EXIF orientation
 * (tag 274).
 */
const UPRIGHT: Record<number, readonly [number, number, number, number, number, number]> = {
	2: [-1, 0, 0, 1, 1, 0],
	3: [-1, 0, 0, -1, 1, 1],
	4: [1, 0, 0, -1, 0, 1],
	5: [0, -1, -1, 0, 1, 1],
	6: [0, -1, 1, 0, 0, 1],
	7: [0, 1, 1, 0, 0, 0],
	8: [0, 1, -1, 0, 1, 0],
};

/**
 * Places a picture in the middle of an A4 page that lies the way the picture does: as large as the
 * margins allow, its proportions kept, and turned upright where a camera noted how it was held.
 * Nothing is magnified beyond 72 dpi.
 *
 * @throws when the picture cannot be decoded.
 */
export async function addImagePage(
	document: PDFDocument,
	bytes: Buffer,
	mimeType: string,
): Promise<void> {
	const jpeg = mimeType === JPEG;
	// pdf-lib reads a JPEG from the start of the memory its bytes lie in, and small Buffers share
	// theirs: hence the copy.
	const image = jpeg
		? await document.embedJpg(new Uint8Array(bytes))
		: await embedPng(document, bytes);
	const turn = jpeg ? await storedOrientation(bytes) : 1;
	const sideways = turn >= 5;
	const [width, height] = sideways ? [image.height, image.width] : [image.width, image.height];

	const [short, long] = PageSizes.A4;
	const page = document.addPage(width > height ? [long, short] : [short, long]);
	const scale = Math.min(
		1,
		(page.getWidth() - 2 * MARGIN) / width,
		(page.getHeight() - 2 * MARGIN) / height,
	);
	const placed = { width: width * scale, height: height * scale };
	const place = concatTransformationMatrix(
		placed.width,
		0,
		0,
		placed.height,
		(page.getWidth() - placed.width) / 2,
		(page.getHeight() - placed.height) / 2,
	);
	const upright = UPRIGHT[turn];
	const operators: PDFOperator[] = [pushGraphicsState(), place];
	if (upright) operators.push(concatTransformationMatrix(...upright));
	operators.push(drawObject(page.node.newXObject('Picture', image.ref)), popGraphicsState());
	page.pushOperators(...operators);
}

async function embedPng(document: PDFDocument, bytes: Buffer) {
	const png = soundPng(bytes);
	return embedPlainPng(document, png) ?? (await document.embedPng(png.bytes));
}

/**
 * Damaged or missing EXIF data means what it means to every viewer: show the picture as it is
 * stored.
 */
async function storedOrientation(bytes: Buffer): Promise<number> {
	try {
		return (await orientation(bytes)) ?? 1;
	} catch {
		return 1;
	}
}
