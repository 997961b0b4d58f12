import type { Match } from '../text/match';
import { around, type Box } from './box';
import { roomBehind } from './roomBehind';
import { growsDown, sizeOf } from './sizes';

export type Side = 'on' | 'right' | 'below' | 'above';

/** A field that is to be placed by a text. */
export interface Placement {
	match: Match;
	type: string;
	/** Of a radio group each is a line. */
	dropdownOptions?: readonly string[];
	side?: Side;
	/** In fractions of the page: a size other than usual, and how far it is moved right and down. */
	widthNorm?: number;
	heightNorm?: number;
	xOffsetNorm?: number;
	yOffsetNorm?: number;
}

/** As the service takes it (docs/service.md section 2). */
export interface Place {
	pageNumber: number;
	xNorm: number;
	yNorm: number;
	widthNorm: number;
	heightNorm: number;
}

/** In points: between a text and a box beside, below or above it. */
const BESIDE = 4;
const APART = 2;

/** A box for which its line has no room is that wide all the same. */
const NARROWEST = 24;

/** To make room, a signature becomes as low as a line, and a line as low as small print. */
const LOWEST = { line: 12, other: 18 };

/** The boxes of all fields: none leaves its page, and the lower of two makes room for the other. */
export function placeBoxes(placements: readonly Placement[]): Place[] {
	const placed = placements.map((placement) => ({ ...placement, box: boxOf(placement) }));
	return placed.map((field) => {
		const { match, box, type, heightNorm } = field;
		const above = placed.filter((one) => one.match.page === match.page && isOver(one.box, box));
		const isFixed = heightNorm ? true : growsDown(type);
		const top = isFixed
			? box.top
			: lowered(
					box,
					above.map((one) => one.box.bottom),
				);
		return fractions({ ...box, top }, match);
	});
}

function boxOf(placement: Placement): Box {
	const { match, type, side = 'on', widthNorm = 0, heightNorm = 0 } = placement;
	const { page, box, isLevel } = match;
	const usual = sizeOf(placement);
	const begin = side === 'right' ? box.right + BESIDE : box.left;
	const isOnLine = isLevel && (side === 'on' || side === 'right');
	const room = isOnLine ? roomBehind(match) - begin : usual.width;
	const least = side === 'on' ? box.right - box.left : NARROWEST;
	const width = widthNorm * page.width || Math.max(least, Math.min(usual.width, room));
	const height = heightNorm * page.height || usual.height;

	let { top } = box;
	if (side === 'below') top = box.bottom + APART;
	else if (side === 'above') top -= APART + height;
	else if (!growsDown(type)) top = box.bottom - height;
	const own = { left: begin, top, right: begin + width, bottom: top + height };
	return movedIn(side === 'on' && !isLevel ? around(own, box) : own, placement);
}

function movedIn(
	{ left, top, right, bottom }: Box,
	{ match: { page }, xOffsetNorm = 0, yOffsetNorm = 0 }: Placement,
): Box {
	const within = (start: number, last: number) => Math.max(0, Math.min(start, last));
	const [width, height] = [right - left, bottom - top];
	const x = within(left + xOffsetNorm * page.width, page.width - width);
	const y = within(top + yOffsetNorm * page.height, page.height - height);
	return { left: x, top: y, right: x + width, bottom: y + height };
}

/** Whether a box that stands higher reaches into another one. */
function isOver(higher: Box, box: Box): boolean {
	const isBeside = higher.right <= box.left || higher.left >= box.right;
	return !isBeside && higher.bottom < box.bottom && higher.bottom > box.top;
}

function lowered({ top, bottom }: Box, ends: readonly number[]): number {
	const height = bottom - top;
	const least = height > LOWEST.other ? LOWEST.other : Math.min(height, LOWEST.line);
	return Math.min(bottom - least, Math.max(top, ...ends));
}

function fractions({ left, top, right, bottom }: Box, { page, pageNumber }: Match): Place {
	const [xNorm, yNorm] = [fraction(left, page.width), fraction(top, page.height)];
	const widthNorm = Math.min(fraction(right - left, page.width), 1 - xNorm);
	const heightNorm = Math.min(fraction(bottom - top, page.height), 1 - yNorm);
	return { pageNumber, xNorm, yNorm, widthNorm, heightNorm };
}

/** Five decimals: less than a hundredth of a point. */
function fraction(points: number, whole: number): number {
	return Math.min(1, Number((points / whole).toFixed(5)));
}
