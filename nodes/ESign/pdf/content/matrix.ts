/** a b c d e f (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** What `first` does, and then `second`. */
export function multiply([a, b, c, d, e, f]: Matrix, [p, q, r, s, t, u]: Matrix): Matrix {
	return [
		a * p + b * r,
		a * q + b * s,
		c * p + d * r,
		c * q + d * s,
		e * p + f * r + t,
		e * q + f * s + u,
	];
}
