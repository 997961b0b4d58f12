import { degrees, rgb, StandardFonts, type PDFPage } from 'pdf-lib';
import type { FontBook } from '../text/fontBook';
import { drawAsSeen, seenSize } from './pageSpace';

const GREY = rgb(0.45, 0.45, 0.5);
const NOTICE = 'TEST DOCUMENT - not legally binding';

/** Marks a page of a document made with a test key (docs/service.md section 1): TEST across it and a notice along its top. */
export async function drawTestWatermark(page: PDFPage, fonts: FontBook): Promise<void> {
	const font = await fonts.standard(StandardFonts.HelveticaBold);
	const { width, height } = seenSize(page);
	const angle = Math.atan2(height, width);
	const size = (0.6 * Math.hypot(width, height)) / font.widthOfTextAtSize('TEST', 1);
	const run = font.widthOfTextAtSize('TEST', size);
	const rise = size * 0.36;
	const noticeSize = Math.max(4, Math.min(9, width * 0.015));
	drawAsSeen(page, () => {
		page.drawText('TEST', {
			x: width / 2 - (run / 2) * Math.cos(angle) + rise * Math.sin(angle),
			y: height / 2 - (run / 2) * Math.sin(angle) - rise * Math.cos(angle),
			size,
			font,
			color: GREY,
			opacity: 0.16,
			rotate: degrees((angle * 180) / Math.PI),
		});
		page.drawText(NOTICE, {
			x: (width - font.widthOfTextAtSize(NOTICE, noticeSize)) / 2,
			y: height - noticeSize * 1.8,
			size: noticeSize,
			font,
			color: GREY,
		});
	});
}
