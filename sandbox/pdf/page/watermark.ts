import type { Canvas2D } from './drawPages';
import type { Size } from './pageSpace';
import { fontOf, type FontLook } from '../text/fonts';
import { measureIn } from '../text/lines';

const GREY = '#737380';
const LOOK: FontLook = { family: 'HELVETICA', bold: true };
const NOTICE = 'TEST DOCUMENT - not legally binding';

/**
 * Marks a page of a document made with a test key (docs/service.md section 1): TEST across it and a
 * notice along its top.
 */
export function drawTestWatermark(canvas: Canvas2D, { width, height }: Size): void {
	canvas.save();
	canvas.fillStyle = GREY;
	canvas.direction = 'ltr';
	canvas.textAlign = 'center';
	const noticeSize = Math.max(4, Math.min(9, width * 0.015));
	canvas.font = fontOf(LOOK, noticeSize);
	canvas.fillText(NOTICE, width / 2, noticeSize * 1.8);
	const size = (0.6 * Math.hypot(width, height)) / measureIn(LOOK)('TEST');
	canvas.font = fontOf(LOOK, size);
	canvas.globalAlpha = 0.16;
	canvas.translate(width / 2, height / 2);
	canvas.rotate(-Math.atan2(height, width));
	canvas.fillText('TEST', 0, size * 0.36);
	canvas.restore();
}
