import { glyphsOf } from '../text/glyph';
import type { Match } from '../text/match';

/** Between a box and what stands beside it. */
const GAP = 4;

/** What stands for an empty place, on which a field is meant to be. */
const LEADER = /^[_.·-]*$/;

/**
 * From where to where the line of a text is free of other text. `isOpen`: nothing but the edge of
 * the page is behind it.
 */
export function freeLine({ page, box, size }: Match) {
	const free = { left: 0, right: page.width, isOpen: true };
	for (const { run, folded, begin, end } of glyphsOf(page)) {
		const isOnLine = run.dx > 0.999 && Math.abs(begin.y - (box.bottom - 0.25 * size)) < 0.5 * size;
		if (!isOnLine || LEADER.test(folded)) continue;
		if (end.x <= box.left + 1) free.left = Math.max(free.left, end.x + GAP);
		if (begin.x >= box.right - 1 && begin.x - GAP < free.right) {
			free.right = begin.x - GAP;
			free.isOpen = false;
		}
	}
	return free;
}
