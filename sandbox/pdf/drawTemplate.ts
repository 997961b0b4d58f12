import type { TextBlock } from '../state/entities';
import { A4, drawPages, type Canvas2D } from './page/drawPages';
import { seenBox, type NormalisedPlace } from './page/pageSpace';
import { writeText } from './text/writeText';

/** What is drawn of a template; coordinates as in PlacedField. */
export type TemplateSheet = {
	name: string;
	text: readonly TextBlock[];
	fields: Array<
		NormalisedPlace & { key: string | null; type: string; role: string | null; page: number }
	>;
};

const MARGIN = 60;
const TEXT_SIZE = 9.5;
const INK = '#262633';
const RULE = '#9999a6';

function labelOf({ key, type, role }: TemplateSheet['fields'][number]): string {
	const words = (key ?? type).toLowerCase().replaceAll('_', ' ');
	const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
	return role ? `${label} (${role})` : label;
}

function drawText(canvas: Canvas2D, { yNorm, heightNorm, text }: TextBlock): void {
	const box = {
		x: MARGIN,
		y: yNorm * A4.height,
		width: A4.width - 2 * MARGIN,
		height: heightNorm * A4.height,
	};
	const style = { preferred: TEXT_SIZE, color: INK, multiline: true, atTop: true };
	writeText(canvas, text, { family: 'HELVETICA', bold: false }, box, style);
}

/** The pages of a template: its name, its text, and a labelled line where each field will be. */
export function drawTemplate({ name, text, fields }: TemplateSheet): {
	bytes: Uint8Array;
	pageCount: number;
} {
	const pageCount = Math.max(1, ...fields.map(({ page }) => page));
	const bytes = drawPages(
		Array.from({ length: pageCount }, (_, index) => ({
			...A4,
			draw: (canvas) => {
				const write = (
					text: string,
					preferred: number,
					x: number,
					bottom: number,
					bold = false,
				) => {
					const height = preferred * 1.2;
					const box = { x, y: bottom - height, width: A4.width - x, height };
					writeText(canvas, text, { family: 'HELVETICA', bold }, box, { preferred, color: INK });
				};
				write(name, 18, MARGIN, MARGIN, true);
				write(`Page ${index + 1} of ${pageCount}`, 9, MARGIN, MARGIN + 20);
				if (index === 0) for (const block of text) drawText(canvas, block);
				canvas.strokeStyle = RULE;
				canvas.lineWidth = 0.5;
				for (const field of fields.filter(({ page }) => page === index + 1)) {
					const { x, y, width, height } = seenBox(A4, field);
					write(labelOf(field), 7, x, y);
					canvas.beginPath();
					canvas.moveTo(x, y + height);
					canvas.lineTo(x + width, y + height);
					canvas.stroke();
				}
			},
		})),
	);
	return { bytes, pageCount };
}
