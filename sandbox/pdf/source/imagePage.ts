import { orientation } from 'exifr';
import { PageSizes, type PDFDocument, type PDFImage } from 'pdf-lib';
import { turnedInto } from '../page/pageSpace';

const MARGIN = 36;

/** Quarter turns against the clock that bring a picture upright, by EXIF orientation (tag 274). */
const QUARTERS: Record<number, number> = { 3: 2, 6: 3, 8: 1 };

/** Decoding takes twelve bytes a pixel; a scanned A3 page at 600 dpi has 70 million. */
const MAX_PIXELS = 100_000_000;

/**
 * Adds a page with a picture, turned upright where a camera noted how it was held.
 *
 * @throws when the picture cannot be decoded.
 */
export async function addJpegPage(document: PDFDocument, bytes: Buffer): Promise<void> {
	// pdf-lib reads a JPEG from the start of the memory its bytes lie in, and small Buffers share
	// theirs: hence the copy.
	const picture = await document.embedJpg(new Uint8Array(bytes));
	// Damaged EXIF data means what it means to every viewer: show the picture as it is stored.
	const held = await orientation(bytes).catch(() => undefined);
	addPage(document, picture, QUARTERS[held ?? 1] ?? 0);
}

/** Adds a page with a picture. Throws when it is too large to decode, or damaged. */
export async function addPngPage(document: PDFDocument, bytes: Buffer): Promise<void> {
	const pixels = bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
	// pdf-lib's decoder does not return from a file that is cut off.
	if (pixels > MAX_PIXELS || !bytes.includes('IEND'))
		throw new Error('The picture is too large, or cut off');
	addPage(document, await document.embedPng(bytes), 0);
}

/**
 * Places a picture in the middle of an A4 page that lies the way the picture does: as large as the
 * margins allow, its proportions kept. Nothing is magnified beyond 72 dpi.
 */
function addPage(document: PDFDocument, picture: PDFImage, quarters: number): void {
	const sideways = quarters % 2 === 1;
	const width = sideways ? picture.height : picture.width;
	const height = sideways ? picture.width : picture.height;
	const [short, long] = PageSizes.A4;
	const page = document.addPage(width > height ? [long, short] : [short, long]);
	const scale = Math.min(
		1,
		(page.getWidth() - 2 * MARGIN) / width,
		(page.getHeight() - 2 * MARGIN) / height,
	);
	const box = {
		x: (page.getWidth() - width * scale) / 2,
		y: (page.getHeight() - height * scale) / 2,
		width: width * scale,
		height: height * scale,
	};
	const size = picture.scale(scale);
	page.drawImage(picture, { ...size, ...turnedInto(box, quarters) });
}
