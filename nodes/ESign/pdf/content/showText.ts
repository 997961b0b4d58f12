import type { Font } from '../fonts';
import { PdfString } from '../objects/pdfString';
import type { Value } from '../objects/values';
import type { Content } from './content';
import { moved, multiply } from './matrix';
import type { Baseline } from './runs';

/** A glyph takes memory, and as long as so many characters. */
const STEPS_OF_GLYPH = 40;

/** How far the em of vertical text begins left of the middle, and how far its bottom is from there. */
const MIDDLE_TO_BASELINE = 0.25;

/**
 * Shows strings, and moves between them by numbers, in thousandths of the em (ISO 32000-1, 9.4.3
 * and 9.4.4).
 */
export function showText(content: Content, parts: readonly Value[]): void {
	const { state, page, text } = content;
	const { font, size, charSpace, wordSpace } = state;
	if (!font || content.isLost) {
		content.isLost = true;
		page.isIncomplete = true;
		return;
	}
	const { baseline, points } = baselineOf(content, font);
	const { run, offset } = page.runs.at(baseline);
	const stretch = font.isVertical ? 1 : state.scale;
	// Vertical text runs against the axis that spaces are measured on.
	const direction = font.isVertical ? -1 : 1;
	let at = 0;
	for (const part of parts) {
		if (typeof part === 'number') at -= (part / 1000) * size * stretch * direction;
		if (!(part instanceof PdfString)) continue;
		const glyphs = font.glyphsOf(part.bytes);
		page.objects.source.spend(STEPS_OF_GLYPH * glyphs.length);
		for (const glyph of glyphs) {
			const width = (font.isVertical ? 1 : glyph.width) * size * stretch;
			const space = glyph.isSpace ? charSpace + wordSpace : charSpace;
			page.runs.add(run, glyph.text, offset + at * points, offset + (at + width) * points);
			at += width + space * stretch * direction;
		}
	}
	content.text = font.isVertical ? moved(text, 0, -at) : moved(text, at, 0);
}

/** Where text begins on the page, and how many points a unit of text space is along it. */
function baselineOf({ state, text }: Content, font: Font): { baseline: Baseline; points: number } {
	const { ctm, size, scale, rise } = state;
	const [a, b, c, d, x, y] = multiply(text, ctm);
	const em = size * font.em;
	if (font.isVertical) {
		const points = Math.hypot(c, d) * Math.sign(size);
		const [ux, uy] = [a * em, b * em];
		return {
			baseline: {
				x: x - ux * MIDDLE_TO_BASELINE,
				y: y - uy * MIDDLE_TO_BASELINE,
				dx: -c / points,
				dy: -d / points,
				ux,
				uy,
				size: Math.hypot(ux, uy),
			},
			points,
		};
	}
	const points = Math.hypot(a, b) * Math.sign(size * scale);
	const [ux, uy] = [c * em, d * em];
	return {
		baseline: {
			x: x + rise * c,
			y: y + rise * d,
			dx: a / points,
			dy: b / points,
			ux,
			uy,
			size: Math.hypot(ux, uy),
		},
		points,
	};
}
