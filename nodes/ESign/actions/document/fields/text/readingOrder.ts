import { distance, type Glyph } from './glyph';

/** Where a glyph stands among those whose baselines run in the same direction. */
interface Place {
	glyph: Glyph;
	/** In degrees. */
	angle: number;
	/** Of its baseline, across it: from the top where text is level. */
	depth: number;
	along: number;
}

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;
const LEFT_TO_RIGHT = /(?![\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF])[\p{L}\p{N}]/u;

/** Signs that belong to a number or an address if letters or digits surround them. */
const WITHIN_WORDS = /^[.,:/@+-]$/;

/** Lines from top to bottom, each in the direction in which its script is read. */
export function inReadingOrder(glyphs: readonly Glyph[]): Glyph[] {
	const places = glyphs.map(placeOf);
	places.sort((one, other) => one.angle - other.angle || one.depth - other.depth);
	const lines: Place[][] = [];
	for (const place of places) {
		const line = lines.at(-1);
		if (line && isOnLine(line, place)) line.push(place);
		else lines.push([place]);
	}
	return lines.flatMap(inDirection);
}

function placeOf(glyph: Glyph): Place {
	const { run, begin } = glyph;
	const angle = Math.round((Math.atan2(run.dy, run.dx) * 180) / Math.PI);
	const { along, across } = distance(run, { x: 0, y: 0 }, begin);
	return { glyph, angle, depth: -across, along };
}

/** Baselines of one line differ a little: by the type of a word, or by a scanner. */
function isOnLine(line: readonly Place[], { glyph, angle, depth }: Place): boolean {
	const [first, last] = [line[0], line.at(-1)];
	if (!first || !last || angle !== first.angle) return false;
	const { size } = first.glyph.run;
	const smaller = Math.min(last.glyph.run.size, glyph.run.size);
	return depth - last.depth < 0.25 * smaller && depth - first.depth < 0.5 * size;
}

function inDirection(line: Place[]): Glyph[] {
	line.sort((one, other) => one.along - other.along);
	const seen = line.map(({ glyph }) => glyph);
	return seen.some(({ text }) => RIGHT_TO_LEFT.test(text)) ? fromTheRight(seen) : seen;
}

/**
 * A line as it is seen becomes one as it is read: from the right, with the words and numbers of
 * other scripts as they are.
 */
function fromTheRight(seen: readonly Glyph[]): Glyph[] {
	const read: Glyph[] = [];
	let word: Glyph[] = [];
	for (const glyph of seen.toReversed()) {
		const isWithin = word.length > 0 && WITHIN_WORDS.test(glyph.text);
		if (isWithin || LEFT_TO_RIGHT.test(glyph.text)) {
			word.unshift(glyph);
			continue;
		}
		read.push(...word, glyph);
		word = [];
	}
	return [...read, ...word];
}
