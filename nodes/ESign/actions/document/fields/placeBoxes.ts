import { LoopTurn } from '../../../pdf';
import { growsDown, sizeOf } from './fieldTypes';
import type { Box, Match } from './text/match';

/** Where a field is by a text, as it is asked for; lengths are fractions of the page. */
export interface Placement {
	match: Match;
	type: string;
	dropdownOptions?: readonly string[];
	side?: 'on' | 'right' | 'below' | 'above';
	/** A size other than usual; 0 is the usual one. */
	widthNorm?: number;
	heightNorm?: number;
	/** How far it is moved right and down. */
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

/** In points: between a box and a text beside it, and a text below or above it. */
const BESIDE = 4;
const APART = 2;

/** What stands for an empty place, on which a field is meant to be. */
const LEADER = /^[\s_.…·-]*$/;

/** A box for which its line has no room is that wide all the same. */
const NARROWEST = 24;

/** To make room, a signature becomes as low as a line, and a line as low as small print. */
const LOWEST = { line: 12, other: 18 };

/** The boxes of all fields: none leaves its page, and the lower of two makes room for the other. */
export async function placeBoxes(placements: readonly Placement[]): Promise<Place[]> {
	const placed: Array<Placement & { box: Box }> = [];
	const turn = new LoopTurn();
	for (const placement of placements) {
		await turn.pause();
		placed.push({ ...placement, box: boxOf(placement) });
	}
	const places: Place[] = [];
	for (const { match, box, type, heightNorm } of placed) {
		await turn.pause();
		const isFixed = Boolean(heightNorm) || growsDown(type) || !match.isLevel;
		const higher = placed.filter((one) => one.match.page === match.page && isOver(one.box, box));
		const top = isFixed ? box.top : loweredTop(box, higher);
		places.push(fractions({ ...box, top }, match));
	}
	return places;
}

function boxOf({ match, side = 'on', ...asked }: Placement): Box {
	const { widthNorm = 0, heightNorm = 0, xOffsetNorm = 0, yOffsetNorm = 0 } = asked;
	const { page, box, isLevel } = match;
	const usual = sizeOf(asked);
	const isOnText = side === 'on';
	const begin = side === 'right' ? box.right + BESIDE : box.left;
	const isOnLine = isLevel && (isOnText || side === 'right');
	const room = isOnLine ? roomBehind(match) - begin : usual.width;
	const narrowest = isOnText ? box.right - box.left : NARROWEST;
	const lowest = isOnText && !isLevel ? box.bottom - box.top : 0;
	const width = widthNorm * page.width || Math.max(narrowest, Math.min(usual.width, room));
	const height = heightNorm * page.height || Math.max(lowest, usual.height);

	let top = growsDown(asked.type) ? box.top : box.bottom - height;
	if (side === 'below') top = box.bottom + APART;
	if (side === 'above') top = box.top - APART - height;
	const left = within(begin + xOffsetNorm * page.width, page.width - width);
	top = within(top + yOffsetNorm * page.height, page.height - height);
	return { left, top, right: left + width, bottom: top + height };
}

/** Where the room behind a text ends: before the next text of its line, or with the page. */
function roomBehind({ page, box, size }: Match): number {
	let end = page.width;
	for (const { x, y, dx, texts, starts } of page.runs) {
		const isOnLine = dx > 0.999 && Math.abs(y - (box.bottom - 0.25 * size)) < 0.5 * size;
		if (!isOnLine) continue;
		for (const [at, text] of texts.entries()) {
			const begin = x + Number(starts[at]);
			const isText = text === undefined || !LEADER.test(text);
			if (isText && begin > box.right - 1) end = Math.min(end, begin - BESIDE);
		}
	}
	return end;
}

function within(start: number, last: number): number {
	return Math.max(0, Math.min(start, last));
}

/** Whether a box that stands higher reaches into another one. */
function isOver(higher: Box, box: Box): boolean {
	const isBeside = higher.right <= box.left || higher.left >= box.right;
	return !isBeside && higher.bottom < box.bottom && higher.bottom > box.top;
}

function loweredTop({ top, bottom }: Box, higher: ReadonlyArray<{ box: Box }>): number {
	const height = bottom - top;
	const least = height > LOWEST.other ? LOWEST.other : Math.min(height, LOWEST.line);
	return Math.min(bottom - least, Math.max(top, ...higher.map(({ box }) => box.bottom)));
}

function fractions({ left, top, right, bottom }: Box, { page, pageNumber }: Match): Place {
	const [xNorm, yNorm] = [rounded(left / page.width), rounded(top / page.height)];
	const widthNorm = Math.min(rounded((right - left) / page.width), 1 - xNorm);
	const heightNorm = Math.min(rounded((bottom - top) / page.height), 1 - yNorm);
	return { pageNumber, xNorm, yNorm, widthNorm, heightNorm };
}

/** Five decimals: less than a hundredth of a point. */
function rounded(fraction: number): number {
	return Number(fraction.toFixed(5));
}
