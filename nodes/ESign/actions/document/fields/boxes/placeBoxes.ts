import type { Match } from '../text/match';
import { overlap, type Box } from './box';
import { freeLine } from './freeLine';
import { growsDown, sizeOf } from './sizes';

export type Side = 'on' | 'right' | 'below' | 'above';

/** A field that is to be placed by a text. */
export interface Placement {
	match: Match;
	type: string;
	/** How many a radio group has. */
	options: number;
	side: Side;
	/** Fractions of the page, if they are given: the size, and how far it is moved. */
	width?: number;
	height?: number;
	right?: number;
	down?: number;
}

/** As the service takes it (docs/service.md section 2). */
export interface Place {
	pageNumber: number;
	xNorm: number;
	yNorm: number;
	widthNorm: number;
	heightNorm: number;
}

/** Points between a text and a box beside, below or above it. */
const BESIDE = 4;
const APART = 2;

/** The least width of a box for which a line has no room. */
const NARROWEST = 24;

/** A signature may become as low as a line, and a line as low as small print. */
const LOWEST = { line: 12, other: 18 };

/** The boxes of all fields: none leaves its page, and the lower of two makes room for the other. */
export function placeBoxes(placements: readonly Placement[]): Place[] {
	const placed = placements.map((placement) => ({ placement, box: boxOf(placement) }));
	return placed.map(({ placement, box }) => {
		const isFixed = placement.height !== undefined || growsDown(placement.type);
		const onPage = placed.filter((other) => other.placement.match.page === placement.match.page);
		if (!isFixed) lower(box, onPage);
		return fractions(box, placement.match);
	});
}

function boxOf(placement: Placement): Box {
	const { match, side, right = 0, down = 0 } = placement;
	const { page, box } = match;
	const { left, width } = across(placement);
	const height = heightOf(placement);
	let { top } = box;
	if (side === 'below') top = box.bottom + APART;
	else if (side === 'above') top -= APART + height;
	else if (!growsDown(placement.type)) top = box.bottom - height;
	const x = within(left + right * page.width, page.width - width);
	const y = within(top + down * page.height, page.height - height);
	return { left: x, top: y, right: x + width, bottom: y + height };
}

/** A box that would leave its page is moved in. */
function within(start: number, last: number): number {
	return Math.max(0, Math.min(start, last));
}

function heightOf({ match, type, options, side, height }: Placement): number {
	if (height !== undefined) return height * match.page.height;
	const usual = sizeOf(type, options).height;
	const { top, bottom } = match.box;
	return side === 'on' && !match.isLevel ? Math.max(usual, bottom - top) : usual;
}

/** Where a box begins, and how wide it is: on the line of a text it has the room that is free. */
function across({ match, type, options, side, width }: Placement) {
	const { page, box } = match;
	const begin = side === 'right' ? box.right + BESIDE : box.left;
	if (width !== undefined) return { left: begin, width: width * page.width };
	const least = side === 'on' ? box.right - box.left : NARROWEST;
	const usual = sizeOf(type, options).width;
	const isOnLine = match.isLevel && (side === 'on' || side === 'right');
	if (!isOnLine) return { left: begin, width: Math.max(usual, least) };
	const free = freeLine(match);
	// At the right edge of the page, a box may begin before its tag.
	const first = side === 'on' && free.isOpen ? Math.min(free.left, begin) : begin;
	const fitting = Math.max(least, Math.min(usual, free.right - first));
	return { left: Math.min(begin, Math.max(first, free.right - fitting)), width: fitting };
}

/** A box that stands on its line ends below those that it would cover. */
function lower(box: Box, others: ReadonlyArray<{ box: Box }>): void {
	const height = box.bottom - box.top;
	const highest = box.bottom - Math.min(height, height > LOWEST.other ? LOWEST.other : LOWEST.line);
	for (const { box: other } of others) {
		const { width, height: covered } = overlap(box, other);
		if (width <= 0 || covered <= 0 || other.bottom >= box.bottom) continue;
		box.top = Math.min(highest, Math.max(box.top, other.bottom));
	}
}

function fractions({ left, top, right, bottom }: Box, { page, pageNumber }: Match): Place {
	const xNorm = fraction(left, page.width);
	const yNorm = fraction(top, page.height);
	return {
		pageNumber,
		xNorm,
		yNorm,
		widthNorm: Math.min(fraction(right - left, page.width), 1 - xNorm),
		heightNorm: Math.min(fraction(bottom - top, page.height), 1 - yNorm),
	};
}

/** Five decimals: less than a hundredth of a point. */
function fraction(points: number, whole: number): number {
	return Math.min(1, Number((points / whole).toFixed(5)));
}
