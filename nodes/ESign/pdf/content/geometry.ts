import type { Dictionary } from '../objects/values';

/** a b c d e f (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** What `first` does, and then `second`. */
export function multiply([a, b, c, d, e, f]: Matrix, [p, q, r, s, t, u]: Matrix): Matrix {
	return [
		a * p + b * r,
		a * q + b * s,
		c * p + d * r,
		c * q + d * s,
		e * p + f * r + t,
		e * q + f * s + u,
	];
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

/** US Letter: what readers take where a page has no size. */
const LETTER: Box = [0, 0, 612, 792];
const EVERYWHERE: Box = [-Infinity, -Infinity, Infinity, Infinity];

/**
 * The part of a page that is seen, its crop box within its media box, turned as it says and in
 * units of its own (ISO 32000-1, 7.7.3.3 and 14.11.2): its size in points, and the way from the
 * space of its content to points from the top left corner.
 */
export async function geometryOf(page: Dictionary) {
	const media = boxWithin(EVERYWHERE, await page.numbers('/MediaBox')) ?? LETTER;
	const crop = boxWithin(media, await page.numbers('/CropBox')) ?? media;
	const [left, bottom, right, top] = crop;
	const [unit = 1] = await page.numbers('/UserUnit');
	const [rotation = 0] = await page.numbers('/Rotate');
	let width = (right - left) * unit;
	let height = (top - bottom) * unit;
	let matrix: Matrix = [unit, 0, 0, -unit, -left * unit, top * unit];
	for (let turned = ((rotation % 360) + 360) % 360; turned >= 90; turned -= 90) {
		matrix = multiply(matrix, [0, 1, -1, 0, height, 0]);
		[width, height] = [height, width];
	}
	return { width, height, matrix };
}

/** The part of a box within another, between any two opposite corners (7.9.5), if there is one. */
function boxWithin(
	[left, bottom, right, top]: Box,
	[x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN]: ReadonlyArray<number | undefined>,
): Box | undefined {
	const box: Box = [
		Math.max(left, Math.min(x1, x2)),
		Math.max(bottom, Math.min(y1, y2)),
		Math.min(right, Math.max(x1, x2)),
		Math.min(top, Math.max(y1, y2)),
	];
	return box[2] > box[0] && box[3] > box[1] ? box : undefined;
}
