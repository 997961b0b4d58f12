import { degrees, PDFDocument, rgb, StandardFonts } from 'pdf-lib';

/** Pages with their number on them. */
export async function pagesOf(count: number, size: [number, number] = [595, 842]): Promise<Buffer> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (let number = 1; number <= count; number++) {
		const page = document.addPage(size);
		page.drawText(`Page ${number}`, {
			x: 60,
			y: size[1] - 100,
			size: Math.min(40, size[1] / 10),
			font,
		});
	}
	return Buffer.from(await document.save());
}

/** Pages with these lines on them. */
export async function pagesWith(...pages: string[][]): Promise<Buffer> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (const lines of pages) {
		const page = document.addPage([595, 842]);
		for (const [index, line] of lines.entries())
			page.drawText(line, { x: 60, y: 700 - index * 100, size: 12, font });
	}
	return Buffer.from(await document.save());
}

/**
 * Where the marker of `markedPages` lies, in points of the paper: away from the middle, so that no
 * turn maps it to itself.
 */
const MARKER = { x: 120, y: 480, width: 150, height: 60 };
const PAPER: [number, number] = [612, 792];
const CROP = { x: 50, y: 90, width: 480, height: 600 };

/** A page as it is turned and cropped, and the marker's place on it as a reader shows it. */
export interface MarkedPage {
	turn: number;
	cropped: boolean;
	marker: { left: number; top: number; right: number; bottom: number };
}

/** One page for each turn, whole and cropped, with nothing on it but a pale rectangle. */
export async function markedPages(): Promise<{ bytes: Buffer; pages: MarkedPage[] }> {
	const document = await PDFDocument.create();
	const pages: MarkedPage[] = [];
	for (const cropped of [false, true]) {
		for (const turn of [0, 90, 180, 270]) {
			const page = document.addPage(PAPER);
			if (cropped) page.setCropBox(CROP.x, CROP.y, CROP.width, CROP.height);
			page.setRotation(degrees(turn));
			page.drawRectangle({ ...MARKER, color: rgb(1, 0.9, 0.6) });
			pages.push({ turn, cropped, marker: placeOfMarker(turn, cropped) });
		}
	}
	return { bytes: Buffer.from(await document.save()), pages };
}

/** Worked out from ISO 32000 alone: cut to the crop box, then turned clockwise. */
function placeOfMarker(turn: number, cropped: boolean): MarkedPage['marker'] {
	const view = cropped ? CROP : { x: 0, y: 0, width: PAPER[0], height: PAPER[1] };
	const left = (MARKER.x - view.x) / view.width;
	const right = left + MARKER.width / view.width;
	const bottom = 1 - (MARKER.y - view.y) / view.height;
	const top = bottom - MARKER.height / view.height;
	switch (turn) {
		case 90:
			return { left: 1 - bottom, right: 1 - top, top: left, bottom: right };
		case 180:
			return { left: 1 - right, right: 1 - left, top: 1 - bottom, bottom: 1 - top };
		case 270:
			return { left: top, right: bottom, top: 1 - right, bottom: 1 - left };
		default:
			return { left, right, top, bottom };
	}
}
