import { LineCapStyle, rgb } from 'pdf-lib';
import type { Drawing, FieldCanvas } from './fieldCanvas';
import type { Box } from '../page/pageSpace';
import { drawLines, heightOf } from '../text/drawLine';
import { fitText } from '../text/fitText';

const OUTLINE = rgb(0.42, 0.45, 0.5);

/** A square in the middle of the box, with a tick if `checked`. An unticked box is an answer too, so it is drawn. */
export async function drawCheckbox({ page, box, color }: FieldCanvas, checked: boolean): Promise<Drawing> {
	const side = Math.min(box.width, box.height) * 0.9;
	const x = box.x + (box.width - side) / 2;
	const y = box.y + (box.height - side) / 2;
	const thickness = Math.max(0.5, side * 0.06);
	const corners = [
		{ x: x + side * 0.2, y: y + side * 0.5 },
		{ x: x + side * 0.42, y: y + side * 0.26 },
		{ x: x + side * 0.8, y: y + side * 0.76 },
	] as const;
	const draw = () => {
		page.drawRectangle({ x, y, width: side, height: side, borderColor: OUTLINE, borderWidth: thickness });
		if (!checked) return;
		const stroke = { thickness: Math.max(0.8, side * 0.11), color, lineCap: LineCapStyle.Round };
		page.drawLine({ start: corners[0], end: corners[1], ...stroke });
		page.drawLine({ start: corners[1], end: corners[2], ...stroke });
	};
	return { draw, complete: true };
}

/** Every choice with its circle, one under the other (STACKED, the default) or side by side (INLINE); one is filled. */
export async function drawRadioGroup(canvas: FieldCanvas, chosen: string): Promise<Drawing> {
	const { page, fonts, field, box, color, look } = canvas;
	const listed = field.dropdownOptions ?? [];
	const choices = listed.includes(chosen) ? listed : [...listed, chosen];
	const cells = choices.map((_, index) => cell(box, index, choices.length, field.radioLayout === 'INLINE'));
	const texts = await Promise.all(
		choices.map((choice, index) => {
			const { width, height } = cells[index] ?? box;
			const preferred = field.fontSize ?? Math.min(10, height * 0.75);
			const diameter = circleDiameter(height);
			return fitText(fonts, choice, look, {
				width: Math.max(1, width - diameter * 1.6),
				height,
				preferred,
				multiline: false,
			});
		}),
	);
	const draw = () => {
		choices.forEach((choice, index) => {
			const place = cells[index] ?? box;
			const diameter = circleDiameter(place.height);
			const centre = { x: place.x + diameter * 0.6, y: place.y + place.height / 2 };
			page.drawCircle({
				...centre,
				size: diameter / 2,
				borderColor: OUTLINE,
				borderWidth: Math.max(0.5, diameter * 0.07),
			});
			if (choice === chosen) page.drawCircle({ ...centre, size: diameter * 0.28, color });
			const fitted = texts[index];
			if (!fitted) return;
			const top = place.y + (place.height + heightOf(fitted)) / 2;
			const x = place.x + diameter * 1.5;
			drawLines(page, fitted, { x, width: place.x + place.width - x, top, color });
		});
	};
	return { draw, complete: texts.every(({ complete }) => complete) };
}

function cell(box: Box, index: number, count: number, inline: boolean): Box {
	if (inline) {
		const width = box.width / count;
		return { ...box, x: box.x + index * width, width };
	}
	const height = box.height / count;
	return { ...box, y: box.y + box.height - (index + 1) * height, height };
}

function circleDiameter(height: number): number {
	return Math.min(10, height * 0.8);
}
