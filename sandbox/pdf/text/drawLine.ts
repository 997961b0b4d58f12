import {
	beginText,
	PDFNumber,
	PDFOperator,
	PDFOperatorNames,
	popGraphicsState,
	pushGraphicsState,
	setFillingColor,
	type Color,
	type PDFName,
	type PDFPage,
	type PDFRef,
} from 'pdf-lib';
import type { FittedText } from './fitText';
import type { Line } from './lines';

/** The names under which the fonts of a document are known on a page. */
const names = new WeakMap<PDFPage, Map<PDFRef, PDFName>>();

function nameOf(page: PDFPage, font: PDFRef): PDFName {
	let known = names.get(page);
	if (!known) names.set(page, (known = new Map<PDFRef, PDFName>()));
	let name = known.get(font);
	if (!name) known.set(font, (name = page.node.newFontDictionary('F', font)));
	return name;
}

/** Draws a line whose baseline begins at `x`, `y`. */
export function drawLine(
	page: PDFPage,
	{ paragraph, from, to }: Line,
	{ x, y, size, color }: { x: number; y: number; size: number; color: Color },
): void {
	const steps: string[] = [];
	const points = PDFNumber.of(size).toString();
	const baseline = decimal(y);
	const choices = new Map<PDFRef, string>();
	let font: PDFRef | undefined;
	let pen = Number.NaN;
	for (const piece of paragraph.pieces(from, to)) {
		if (font !== piece.font) {
			let choice = choices.get(piece.font);
			if (!choice) choices.set(piece.font, (choice = `${nameOf(page, piece.font).asString()} ${points} Tf`));
			steps.push(choice);
		}
		if (!(Math.abs(piece.x - pen) < 1e-4)) steps.push(`1 0 0 1 ${decimal(x + piece.x * size)} ${baseline} Tm`);
		steps.push(`<${piece.codes}> Tj`);
		font = piece.font;
		pen = piece.end;
	}
	// One operator for the whole line: a million of them for the signs of a document fill the memory.
	const shown = PDFOperator.of(PDFOperatorNames.EndText, [steps.join('\n')]);
	page.pushOperators(pushGraphicsState(), beginText(), setFillingColor(color), shown, popGraphicsState());
}

const decimal = (value: number): string => value.toFixed(3);

/**
 * Draws fitted text below `top`, each line where its direction begins or in the middle.
 * `rise` is the height of the letters above the baseline, in ems.
 */
export function drawLines(
	page: PDFPage,
	{ lines, size, lineHeight }: FittedText,
	place: { x: number; width: number; top: number; color: Color; centred?: boolean; rise?: number },
): void {
	const { x, width, top, color, centred, rise = 0.8 } = place;
	lines.forEach((line, index) => {
		const spare = width - line.width * size;
		const indent = centred ? spare / 2 : line.paragraph.rightToLeft ? spare : 0;
		drawLine(page, line, { x: x + indent, y: top - size * rise - index * lineHeight, size, color });
	});
}

/** Height of a block of lines, in points. */
export function heightOf({ lines, size, lineHeight }: FittedText): number {
	return size + (lines.length - 1) * lineHeight;
}
