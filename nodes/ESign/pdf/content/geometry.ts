import type { Objects } from '../objects/objects';
import { numeric, type Dictionary } from '../objects/values';
import type { Matrix } from './matrix';

/** How a page is seen. */
interface Geometry {
	/** In points. */
	width: number;
	height: number;
	/** From the space of its content to points from the top left corner. */
	matrix: Matrix;
}

interface Box {
	left: number;
	bottom: number;
	right: number;
	top: number;
}

/** US Letter: what readers take where a page has no size. */
const LETTER: Box = { left: 0, bottom: 0, right: 612, top: 792 };

/**
 * The part of a page that is seen, its crop box within its media box, turned as it says and in units
 * of its own (ISO 32000-1, 7.7.3.3 and 14.11.2).
 */
export async function geometryOf(objects: Objects, page: Dictionary): Promise<Geometry> {
	const media = (await boxOf(objects, page, '/MediaBox')) ?? LETTER;
	const crop = (await boxOf(objects, page, '/CropBox')) ?? media;
	const { left, bottom, right, top } = intersectionOf(media, crop) ?? media;
	const given = (await objects.number(page.get('/UserUnit'))) ?? 1;
	const unit = given > 0 ? given : 1;
	const width = (right - left) * unit;
	const height = (top - bottom) * unit;
	const rotation = (await objects.number(page.get('/Rotate'))) ?? 0;
	switch (((rotation % 360) + 360) % 360) {
		case 90:
			return turned([0, unit, unit, 0, -bottom * unit, -left * unit], height, width);
		case 180:
			return turned([-unit, 0, 0, unit, right * unit, -bottom * unit], width, height);
		case 270:
			return turned([0, -unit, -unit, 0, top * unit, right * unit], height, width);
		default:
			return turned([unit, 0, 0, -unit, -left * unit, top * unit], width, height);
	}
}

function turned(matrix: Matrix, width: number, height: number): Geometry {
	return { width, height, matrix };
}

/** Any two opposite corners (7.9.5). */
async function boxOf(objects: Objects, page: Dictionary, key: string): Promise<Box | undefined> {
	const [x1, y1, x2, y2] = (await objects.list(page.get(key))).map(numeric);
	if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined)
		return undefined;
	const box = {
		left: Math.min(x1, x2),
		bottom: Math.min(y1, y2),
		right: Math.max(x1, x2),
		top: Math.max(y1, y2),
	};
	return isEmpty(box) ? undefined : box;
}

function intersectionOf(one: Box, other: Box): Box | undefined {
	const box = {
		left: Math.max(one.left, other.left),
		bottom: Math.max(one.bottom, other.bottom),
		right: Math.min(one.right, other.right),
		top: Math.min(one.top, other.top),
	};
	return isEmpty(box) ? undefined : box;
}

function isEmpty({ left, bottom, right, top }: Box): boolean {
	return !(right > left && top > bottom);
}
