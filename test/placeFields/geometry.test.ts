import fc from 'fast-check';
import { SEED } from '../support/nightly';
import { field, loadScripts, type Box } from './scripts';

fc.configureGlobal({ seed: SEED });

const page = loadScripts();

/** Anything that a pointer, an input or JSON may give. */
const anything = fc.double({ min: -3, max: 3, noNaN: true });
const anyBox = fc.record({
	xNorm: anything,
	yNorm: anything,
	widthNorm: anything,
	heightNorm: anything,
});
const anyPoint = fc.record({ x: anything, y: anything });
const handles = fc.constantFrom('n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw');

/**
 * On the page to the last bit, which a strict service may look at, with an extent, in four
 * decimals.
 */
function expectOnPage(box: Box): void {
	for (const value of Object.values(box)) {
		expect(value).toBeGreaterThanOrEqual(0);
		expect(Number(value.toFixed(4))).toBe(value);
	}
	expect(box.widthNorm).toBeGreaterThan(0);
	expect(box.heightNorm).toBeGreaterThan(0);
	expect(box.xNorm + box.widthNorm).toBeLessThanOrEqual(1);
	expect(box.yNorm + box.heightNorm).toBeLessThanOrEqual(1);
}

describe('Every box lies on its page, in four decimals', () => {
	const size = fc.double({ min: 0.002, max: 1, noNaN: true });
	const taken = fc.array(anyBox, { maxLength: 5 });

	it.each<[string, fc.Arbitrary<Box>]>([
		['however it is drawn', fc.tuple(anyPoint, anyPoint).map((by) => page.drawnBox(...by))],
		[
			'wherever it is moved',
			fc.tuple(anyBox, anything, anything).map((by) => page.movedBox(...by)),
		],
		[
			'whichever edge is pulled',
			fc.tuple(anyBox, handles, anything, anything).map((by) => page.resizedBox(...by)),
		],
		[
			'wherever there is room for it',
			fc.tuple(size, size, anyPoint, taken).map(([width, height, centre, boxes]) => {
				return page.freeBox({ width, height }, centre, boxes.map(page.fittedBox));
			}),
		],
	])('%s', (_how, boxes) => fc.assert(fc.property(boxes, expectOnPage)));

	it('and a sum of four decimals never exceeds 1 by a rounding error', () => {
		for (let step = 0; step < 10_000; step++) {
			const box = page.fittedBox({ xNorm: step / 10_000, yNorm: 0, widthNorm: 1, heightNorm: 1 });
			expect(box.xNorm + box.widthNorm).toBeLessThanOrEqual(1);
		}
	});
});

describe('A box', () => {
	const box = { xNorm: 0.2, yNorm: 0.3, widthNorm: 0.4, heightNorm: 0.1 };

	it('is drawn from any corner', () => {
		const expected = { xNorm: 0.1, yNorm: 0.2, widthNorm: 0.3, heightNorm: 0.4 };
		for (const [x1, x2] of [[0.1, 0.4] as const, [0.4, 0.1] as const]) {
			expect(page.drawnBox({ x: x1, y: 0.6 }, { x: x2, y: 0.2 })).toEqual(expected);
		}
	});

	it('keeps its size when it is moved against an edge', () => {
		expect(page.movedBox(box, 2, -2)).toEqual({ ...box, xNorm: 0.6, yNorm: 0 });
	});

	it('keeps its other edges when one is pulled', () => {
		expect(page.resizedBox(box, 'e', 0.1, 0.5)).toEqual({ ...box, widthNorm: 0.5 });
		expect(page.resizedBox(box, 'nw', -0.1, 0.05)).toEqual({
			...{ xNorm: 0.1, yNorm: 0.35, widthNorm: 0.5, heightNorm: 0.05 },
		});
	});

	it('does not turn over when an edge is pulled past the other', () => {
		const { xNorm, widthNorm } = page.resizedBox(box, 'w', 0.9, 0);
		expect([xNorm, widthNorm]).toEqual([0.598, 0.002]);
	});

	it('gets a place of its own while the page has one', () => {
		const size = { width: 0.3, height: 0.06 };
		const taken: Box[] = [];
		for (let number = 0; number < 12; number++)
			taken.push(page.freeBox(size, { x: 0.5, y: 0.5 }, taken));
		expect(page.overlaps(taken.map((one, key) => field(key, one))).size).toBe(0);
	});
});

describe('Overlapping', () => {
	const at = (key: number, xNorm: number, pageNumber = 1) =>
		field(key, { xNorm, widthNorm: 0.2, pageNumber });

	it('names both fields, and none that only touches or lies at the same place of another page', () => {
		const found = page.overlaps([at(1, 0.1), at(2, 0.25), at(3, 0.45), at(4, 0.1, 2)]);
		expect([...found]).toEqual([
			[1, [2]],
			[2, [1]],
		]);
	});
});

describe('A page on the screen', () => {
	it('fills its column, times the zoom', () => {
		const shown = page.shownSize({ width: 600, height: 800 }, 300, 2);
		expect(shown).toEqual({ width: 600, height: 800 });
	});

	it.each([
		{ width: 1, height: 14_400 },
		{ width: 14_400, height: 1 },
		{ width: 14_400, height: 14_400 },
		{ width: 0.01, height: 0.01 },
	])('is bounded, and drawn within what a canvas holds: $width by $height points', (size) => {
		const shown = page.shownSize(size, 900, 4);
		const scale = page.drawingScale(size, shown, 3);
		expect(shown.width).toBeGreaterThan(0);
		expect(shown.height).toBeGreaterThanOrEqual(1);
		expect(shown.height).toBeLessThanOrEqual(900 * 4 * 6 + 1);
		expect(size.width * size.height * scale * scale).toBeLessThanOrEqual(16.1e6);
		expect(Math.max(size.width, size.height) * scale).toBeLessThanOrEqual(8192.1);
	});
});
