// @ts-check
/* Boxes on a page, without a browser. Every box that is drawn here lies on its page, in steps of a ten-thousandth. */

/** Steps per page, as fine as the node's own inputs: four decimals, less than a tenth of a point on A4. */
const STEPS = 10_000;
/** The smallest box that can be drawn, in steps. */
const SMALLEST = 20;
/** Boxes that share less than this only touch. */
const TOUCHING = 1e-6;

/** @param {number} fraction */
const steps = (fraction) => Math.round(fraction * STEPS);

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * A box from edges in steps.
 * @param {number} left @param {number} top @param {number} right @param {number} bottom
 * @returns {Box}
 */
function fromEdges(left, top, right, bottom) {
	return {
		xNorm: left / STEPS,
		yNorm: top / STEPS,
		widthNorm: (right - left) / STEPS,
		heightNorm: (bottom - top) / STEPS,
	};
}

/**
 * The edges of a box in steps: on the page, and not smaller than the smallest box.
 * @param {Box} box
 */
function edgesOf(box) {
	const left = clamp(steps(box.xNorm), 0, STEPS - SMALLEST);
	const top = clamp(steps(box.yNorm), 0, STEPS - SMALLEST);
	return {
		left,
		top,
		right: clamp(left + steps(box.widthNorm), left + SMALLEST, STEPS),
		bottom: clamp(top + steps(box.heightNorm), top + SMALLEST, STEPS),
	};
}

/**
 * The box between two corners, wherever they lie.
 * @param {Point} from @param {Point} to fractions of the page
 */
function drawnBox(from, to) {
	const [x1, x2] = [steps(from.x), steps(to.x)]
		.map((x) => clamp(x, 0, STEPS))
		.sort((a, b) => a - b);
	const [y1, y2] = [steps(from.y), steps(to.y)]
		.map((y) => clamp(y, 0, STEPS))
		.sort((a, b) => a - b);
	return fittedBox(fromEdges(x1 ?? 0, y1 ?? 0, x2 ?? 0, y2 ?? 0));
}

/**
 * The nearest box that lies on the page.
 * @param {Box} box
 */
function fittedBox(box) {
	const { left, top, right, bottom } = edgesOf(box);
	return fromEdges(left, top, right, bottom);
}

/**
 * The box moved, its size kept, up to the edges of the page.
 * @param {Box} box @param {number} dx @param {number} dy fractions of the page
 */
function movedBox(box, dx, dy) {
	const { left, top, right, bottom } = edgesOf(box);
	const x = clamp(left + steps(dx), 0, STEPS - (right - left));
	const y = clamp(top + steps(dy), 0, STEPS - (bottom - top));
	return fromEdges(x, y, x + right - left, y + bottom - top);
}

/**
 * The box with some edges moved, up to the edges of the page and to the smallest box.
 * @param {Box} box @param {Handle} handle @param {number} dx @param {number} dy fractions of the page
 */
function resizedBox(box, handle, dx, dy) {
	let { left, top, right, bottom } = edgesOf(box);
	if (handle.includes('w')) left = clamp(left + steps(dx), 0, right - SMALLEST);
	if (handle.includes('e')) right = clamp(right + steps(dx), left + SMALLEST, STEPS);
	if (handle.includes('n')) top = clamp(top + steps(dy), 0, bottom - SMALLEST);
	if (handle.includes('s')) bottom = clamp(bottom + steps(dy), top + SMALLEST, STEPS);
	return fromEdges(left, top, right, bottom);
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
	const width = Math.min(a.xNorm + a.widthNorm, b.xNorm + b.widthNorm) - Math.max(a.xNorm, b.xNorm);
	const height =
		Math.min(a.yNorm + a.heightNorm, b.yNorm + b.heightNorm) - Math.max(a.yNorm, b.yNorm);
	return width > TOUCHING && height > TOUCHING;
}

/**
 * Which fields lie on which others: key to keys, only for those that do.
 * @param {readonly Field[]} fields
 * @returns {Map<number, number[]>}
 */
function overlaps(fields) {
	/** @type {Map<number, number[]>} */
	const found = new Map();
	/** @param {number} key @param {number} other */
	const note = (key, other) => {
		const others = found.get(key);
		if (others) others.push(other);
		else found.set(key, [other]);
	};
	fields.forEach((field, index) => {
		for (const other of fields.slice(index + 1)) {
			if (field.pageNumber !== other.pageNumber || !overlap(field, other)) continue;
			note(field.key, other.key);
			note(other.key, field.key);
		}
	});
	return found;
}

/**
 * A place for a new box: around a point, or below what lies there.
 * @param {Size} size fractions of the page @param {Point} centre @param {readonly Box[]} taken
 */
function freeBox(size, centre, taken) {
	const first = fittedBox({
		xNorm: clamp(centre.x - size.width / 2, 0, 1 - size.width),
		yNorm: clamp(centre.y - size.height / 2, 0, 1 - size.height),
		widthNorm: size.width,
		heightNorm: size.height,
	});
	const gap = size.height + 0.01;
	for (let row = 0; row < 1 / gap; row++) {
		for (const direction of [1, -1]) {
			const box = movedBox(first, 0, direction * row * gap);
			if (!taken.some((one) => overlap(one, box))) return box;
		}
	}
	return first;
}

/**
 * How large a page is shown: as wide as its column times the zoom, but a narrow strip no more than `TALLEST` columns high.
 * @param {Size} page points @param {number} column pixels @param {number} zoom 1 fills the column
 * @returns {Size} pixels
 */
function shownSize(page, column, zoom) {
	const TALLEST = 6;
	const width = Math.min(column, (TALLEST * column * page.width) / page.height) * zoom;
	return { width, height: Math.max(1, (width * page.height) / page.width) };
}

/**
 * By what a page is multiplied when it is drawn: sharp on the screen, within what a canvas can hold.
 * @param {Size} page points @param {Size} shown pixels @param {number} pixelRatio of the screen
 */
function drawingScale(page, shown, pixelRatio) {
	const LARGEST = { side: 8192, area: 16e6 };
	const wanted = (shown.width / page.width) * clamp(pixelRatio, 1, 3);
	return Math.min(
		wanted,
		LARGEST.side / Math.max(page.width, page.height),
		Math.sqrt(LARGEST.area / (page.width * page.height)),
	);
}
