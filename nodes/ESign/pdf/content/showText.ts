import { PdfString } from '../objects/pdfString';
import { numeric, type Value } from '../objects/values';
import type { Content } from './content';
import { multiply } from './matrix';

/** A glyph takes memory, and as long as so many characters. */
const STEPS_OF_GLYPH = 40;

/**
 * Shows strings, and moves between them by numbers, in thousandths of the em (ISO 32000-1, 9.4.3
 * and 9.4.4).
 */
export function showText(content: Content, parts: readonly Value[]): void {
	const { state, page, x } = content;
	const { font, size, charSpace, wordSpace } = state;
	if (!font || content.isLost) {
		content.isLost = true;
		page.runs.isIncomplete = true;
		return;
	}
	const [a, b, c, d, e, f] = multiply(content.matrix, state.ctm);
	const y = content.y + state.rise;
	const scale = state.scale / 100;
	// How many points of the page a unit of text space is along the text, which may run backwards.
	const points = Math.hypot(a, b) * Math.sign(size * scale);
	const em = size * font.em;
	const [ux, uy] = [c * em, d * em];
	const offset = page.runs.begin({
		x: x * a + y * c + e,
		y: x * b + y * d + f,
		dx: a / points,
		dy: b / points,
		ux,
		uy,
		size: Math.hypot(ux, uy),
	});
	let at = 0;
	for (const part of parts) {
		at -= ((numeric(part) ?? 0) / 1000) * size * scale;
		if (!(part instanceof PdfString)) continue;
		const glyphs = font.glyphsOf(part.bytes);
		page.objects.source.spend(STEPS_OF_GLYPH * glyphs.length);
		for (const glyph of glyphs) {
			const width = glyph.width * size * scale;
			const start = offset + at * points;
			page.runs.add(content.textOf(glyph), start, start + width * points);
			at += width + (glyph.isSpace ? charSpace + wordSpace : charSpace) * scale;
		}
	}
	content.x += at;
}
