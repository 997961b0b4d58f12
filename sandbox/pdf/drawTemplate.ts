import type { TextBlock } from '../state/entities';
import { A4, drawPages, type Canvas2D } from './page/drawPages';
import { seenBox, type NormalisedPlace } from './page/pageSpace';
import { writeText } from './text/writeText';

/** What is drawn of a template; coordinates as in PlacedField. */
export interface TemplateSheet {
	name: string;
	text: readonly TextBlock[];
	fields: TemplateField[];
}

type TemplateField = NormalisedPlace & {
	key: string | null;
	type: string;
	role: string | null;
	page: number;
};

const MARGIN = 60;
const TEXT_SIZE = 9.5;
const STYLE = { family: 'HELVETICA', color: '#262633' } as const;
const RULE = '#9999a6';

/** The pages of a template: its name, its text, and a labelled line where each field will be. */
export function drawTemplate({ name, text, fields }: TemplateSheet): {
	bytes: Uint8Array;
	pageCount: number;
} {
	const pageCount = Math.max(1, ...fields.map(({ page }) => page));
	const numbers = Array.from({ length: pageCount }, (_, index) => index + 1);
	const pages = numbers.map((number) => ({
		...A4,
		draw: (canvas: Canvas2D) => {
			writeAbove(canvas, name, { size: 18, bold: true }, MARGIN, MARGIN);
			writeAbove(canvas, `Page ${number} of ${pageCount}`, { size: 9 }, MARGIN, MARGIN + 20);
			if (number === 1) for (const block of text) drawBlock(canvas, block);
			for (const field of fields.filter(({ page }) => page === number)) drawRule(canvas, field);
		},
	}));
	return { bytes: drawPages(pages), pageCount };
}

function drawBlock(canvas: Canvas2D, { yNorm, heightNorm, text }: TextBlock): void {
	const width = A4.width - 2 * MARGIN;
	const box = { x: MARGIN, y: yNorm * A4.height, width, height: heightNorm * A4.height };
	writeText(canvas, text, { ...STYLE, preferred: TEXT_SIZE, multiline: true }, box);
}

function drawRule(canvas: Canvas2D, field: TemplateField): void {
	const { x, y, width, height } = seenBox(A4, field);
	writeAbove(canvas, labelOf(field), { size: 7 }, x, y);
	canvas.strokeStyle = RULE;
	canvas.lineWidth = 0.5;
	canvas.beginPath();
	canvas.moveTo(x, y + height);
	canvas.lineTo(x + width, y + height);
	canvas.stroke();
}

function labelOf({ key, type, role }: TemplateField): string {
	const words = (key ?? type).toLowerCase().replaceAll('_', ' ');
	const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
	return role ? `${label} (${role})` : label;
}

function writeAbove(
	canvas: Canvas2D,
	text: string,
	{ size, bold }: { size: number; bold?: boolean },
	x: number,
	bottom: number,
): void {
	const height = size * 1.2;
	const box = { x, y: bottom - height, width: A4.width - x, height };
	writeText(canvas, text, { ...STYLE, bold, preferred: size }, box);
}
