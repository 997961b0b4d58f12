import { writeText } from '../text/writeText';
import type { FieldCanvas } from './placedField';

const OUTLINE = '#6b7380';

/**
 * A square in the middle of the box, with a tick if `checked`. An unticked box is an answer too, so
 * it is drawn.
 */
export function drawCheckbox({ canvas, box, style }: FieldCanvas, checked: boolean): void {
	const side = Math.min(box.width, box.height) * 0.9;
	const x = box.x + (box.width - side) / 2;
	const y = box.y + (box.height - side) / 2;
	canvas.strokeStyle = OUTLINE;
	canvas.lineWidth = Math.max(0.5, side * 0.06);
	canvas.strokeRect(x, y, side, side);
	if (!checked) return;
	canvas.strokeStyle = style.color;
	canvas.lineWidth = Math.max(0.8, side * 0.11);
	canvas.lineCap = 'round';
	canvas.beginPath();
	canvas.moveTo(x + side * 0.2, y + side * 0.5);
	canvas.lineTo(x + side * 0.42, y + side * 0.74);
	canvas.lineTo(x + side * 0.8, y + side * 0.24);
	canvas.stroke();
}

/**
 * Every choice with its circle, one under the other (STACKED, the default) or side by side
 * (INLINE); one is filled.
 */
export function drawRadioGroup({ canvas, field, box, style }: FieldCanvas, chosen: string): void {
	const listed = field.dropdownOptions ?? [];
	const choices = listed.includes(chosen) ? listed : [...listed, chosen];
	const inline = field.radioLayout === 'INLINE';
	const width = inline ? box.width / choices.length : box.width;
	const height = inline ? box.height : box.height / choices.length;
	choices.forEach((choice, index) => {
		const x = box.x + (inline ? index * width : 0);
		const y = box.y + (inline ? 0 : index * height);
		const diameter = Math.min(10, height * 0.8);
		const circle = (radius: number) => {
			canvas.beginPath();
			canvas.arc(x + diameter * 0.6, y + height / 2, radius, 0, 2 * Math.PI);
		};
		canvas.strokeStyle = OUTLINE;
		canvas.lineWidth = Math.max(0.5, diameter * 0.07);
		circle(diameter / 2);
		canvas.stroke();
		canvas.fillStyle = style.color;
		circle(diameter * 0.28);
		if (choice === chosen) canvas.fill();
		const room = { x: x + diameter * 1.5, y, width: Math.max(1, width - diameter * 1.6), height };
		const preferred = field.fontSize ?? Math.min(10, height * 0.75);
		writeText(canvas, choice, { ...style, preferred }, room);
	});
}
