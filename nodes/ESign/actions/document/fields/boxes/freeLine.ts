import type { Match } from '../text/match';

/** Between a box and what stands beside it. */
const GAP = 4;

/** What stands for an empty place, on which a field is meant to be. */
const LEADER = /^[\s_.…·-]*$/;

/**
 * From where to where the line of a text is free of other text. `isOpen`: nothing but the edge of
 * the page is behind it.
 */
export function freeLine({ page, box, size }: Match) {
	const free = { left: 0, right: page.width, isOpen: true };
	for (const { x, y, dx, texts, starts, ends } of page.runs) {
		const isOnLine = dx > 0.999 && Math.abs(y - (box.bottom - 0.25 * size)) < 0.5 * size;
		if (!isOnLine) continue;
		for (const [at, text] of texts.entries()) {
			if (text !== undefined && LEADER.test(text)) continue;
			const end = x + Number(ends[at]) + GAP;
			const begin = x + Number(starts[at]) - GAP;
			if (end - GAP <= box.left + 1) free.left = Math.max(free.left, end);
			if (begin + GAP < box.right - 1 || begin >= free.right) continue;
			free.right = begin;
			free.isOpen = false;
		}
	}
	return free;
}
