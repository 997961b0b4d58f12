/** a b c d e f (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** What `first` does, and then `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
	const [a, b, c, d, e, f] = second;
	return [
		first[0] * a + first[1] * c,
		first[0] * b + first[1] * d,
		first[2] * a + first[3] * c,
		first[2] * b + first[3] * d,
		first[4] * a + first[5] * c + e,
		first[4] * b + first[5] * d + f,
	];
}

/** A move, and then `matrix`. */
export function moved([a, b, c, d, e, f]: Matrix, x: number, y: number): Matrix {
	return [a, b, c, d, x * a + y * c + e, x * b + y * d + f];
}

/** The matrix of such numbers; those that are missing are 0. */
export function matrixOf(numbers: ReadonlyArray<number | undefined>): Matrix {
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
	return [a, b, c, d, e, f];
}
