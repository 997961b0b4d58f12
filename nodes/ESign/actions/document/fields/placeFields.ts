import { LoopTurn, type TextRun } from '../../../pdf';
import type { DocumentText } from './documentText';
import type { AskedField, Place } from './field';
import { growsDown, sizeOf } from './fieldTypes';
import type { FieldsRequest } from './request';
import type { NamedRecipient } from './recipients';
import type { Box, Match } from './text/find';

/** What the fields of a document are planned from. */
export interface Planning {
	request: FieldsRequest;
	recipients: readonly NamedRecipient[];
	document: DocumentText;
}

/** A field that is wanted, by a tag, a list or Automatic. */
export type WantedField = Omit<AskedField, 'recipient'> & {
	/** A place in the list of recipients; undefined while nobody is to fill it. */
	recipient?: number | undefined;
	/** The text that says where it is. */
	match?: Match;
};

/** In points: between a box and a text beside it, and a text below or above it. */
const BESIDE = 4;
const APART = 2;

/** What stands for an empty place, on which a field is meant to be. */
const LEADER = /^[\s_.…·-]*$/;

/** A box for which its line has no room is that wide all the same, if its type is. */
const NARROWEST = 24;

/** To make room, a signature becomes as low as a line, and a line as low as small print. */
const LOWEST = { line: 12, other: 18 };

/** Whether a recipient, by the place in the list, has a signature field. */
export function signs(signer: number, fields: readonly WantedField[]): boolean {
	return fields.some(({ type, recipient }) => type === 'SIGNATURE' && recipient === signer);
}

/**
 * Gives each field at a text its place: no box leaves its page, and the lower of two makes room for
 * the other.
 */
export async function placeFields(fields: readonly WantedField[]): Promise<void> {
	const placed: Array<{ field: WantedField; match: Match; box: Box }> = [];
	const turn = new LoopTurn();
	for (const field of fields) {
		await turn.pause();
		const { match } = field;
		if (match) placed.push({ field, match, box: boxOf(field, match) });
	}
	for (const { field, match, box } of placed) {
		const isFixed = Boolean(field.heightNorm) || growsDown(field.type) || !isLevel(match.run);
		const onPage = placed.filter((other) => other.match.page === match.page);
		const top = isFixed ? box.top : loweredTop(box, onPage);
		// Its page is large: it is not kept while requests are made.
		Object.assign(field, fractions({ ...box, top }, match), { match: undefined });
	}
}

function boxOf(field: WantedField, match: Match): Box {
	const { side = 'on', widthNorm = 0, heightNorm = 0, xOffsetNorm = 0, yOffsetNorm = 0 } = field;
	const { page, box, run } = match;
	const usual = sizeOf(field);
	const isOnText = side === 'on';
	const begin = side === 'right' ? box.right + BESIDE : box.left;
	const isOnLine = isLevel(run) && (isOnText || side === 'right');
	const room = isOnLine ? roomBehind(match) - begin : usual.width;
	const narrowest = isOnText ? box.right - box.left : Math.min(NARROWEST, usual.width);
	const lowest = isOnText && !isLevel(run) ? box.bottom - box.top : 0;
	const width = widthNorm * page.width || Math.max(narrowest, Math.min(usual.width, room));
	const height = heightNorm * page.height || Math.max(lowest, usual.height);

	let top = growsDown(field.type) ? box.top : box.bottom - height;
	if (side === 'below') top = box.bottom + APART;
	if (side === 'above') top = box.top - APART - height;
	// It is moved into the page.
	const left = Math.max(0, Math.min(begin + xOffsetNorm * page.width, page.width - width));
	top = Math.max(0, Math.min(top + yOffsetNorm * page.height, page.height - height));
	return { left, top, right: left + width, bottom: top + height };
}

/** Where the room behind a text ends: before the next text of its line, or with the page. */
function roomBehind({ page, box, run }: Match): number {
	let end = page.width;
	const baseline = box.bottom - 0.25 * run.size;
	for (const other of page.runs) {
		const isOnLine = isLevel(other) && Math.abs(other.y - baseline) < 0.5 * run.size;
		if (!isOnLine) continue;
		// What cannot be read is a text, too.
		for (const [at, text = '?'] of other.texts.entries()) {
			const begin = other.x + Number(other.starts[at]);
			const isNext = begin > box.right - 1 && !LEADER.test(text);
			if (isNext) end = Math.min(end, begin - BESIDE);
		}
	}
	return end;
}

/** Whether it is read from left to right, neither turned nor aslant. */
function isLevel({ dx }: TextRun): boolean {
	return dx > 0.999;
}

/** Below the boxes that stand higher and reach into it, as far as it may become lower. */
function loweredTop({ left, top, right, bottom }: Box, others: ReadonlyArray<{ box: Box }>) {
	const height = bottom - top;
	const least = height > LOWEST.other ? LOWEST.other : Math.min(height, LOWEST.line);
	const ends = others
		.filter(({ box }) => box.left < right && box.right > left && box.bottom < bottom)
		.map(({ box }) => box.bottom);
	return Math.min(bottom - least, Math.max(top, ...ends));
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
