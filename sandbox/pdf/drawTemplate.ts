import { A4, drawPages } from './page/drawPages';
import { seenBox, type NormalisedPlace } from './page/pageSpace';
import { writeText } from './text/writeText';

/** What is drawn of a template; coordinates as in PlacedField. */
export type TemplateSheet = {
	name: string;
	fields: Array<
		NormalisedPlace & { key: string | null; type: string; role: string | null; page: number }
	>;
};

const MARGIN = 60;
const INK = '#262633';
const RULE = '#9999a6';

function labelOf({ key, type, role }: TemplateSheet['fields'][number]): string {
	return `${key ?? type.toLowerCase().replace('_', ' ')}${role ? ` (${role})` : ''}`;
}

/** The pages of a template: its name, and a labelled line where each field will be. */
export function drawTemplate({ name, fields }: TemplateSheet): {
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
