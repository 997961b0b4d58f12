import type { Match } from '../text/match';

/** Between a box and what stands behind it. */
const GAP = 4;

/** What stands for an empty place, on which a field is meant to be. */
const LEADER = /^[\s_.…·-]*$/;

/** Where the room behind a text ends: before the next text of its line, or with the page. */
export function roomBehind({ page, box, size }: Match): number {
	let end = page.width;
	for (const { x, y, dx, texts, starts } of page.runs) {
		const isOnLine = dx > 0.999 && Math.abs(y - (box.bottom - 0.25 * size)) < 0.5 * size;
		if (!isOnLine) continue;
		for (const [at, text] of texts.entries()) {
			const begin = x + Number(starts[at]);
			const isText = text === undefined || !LEADER.test(text);
			if (isText && begin > box.right - 1) end = Math.min(end, begin - GAP);
		}
	}
	return end;
}
