/** The middle of the values; the mean of the two middle ones when their number is even. */
export function median(values: number[]): number {
	return quantile(values, 0.5);
}

/**
 * The value below which the share `q` (0 to 1) of the values lies, interpolated between neighbours.
 *
 * @throws Error if there are no values
 */
export function quantile(values: number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const position = (sorted.length - 1) * q;
	const lower = sorted[Math.floor(position)];
	const upper = sorted[Math.ceil(position)];
	if (lower === undefined || upper === undefined) throw new Error('No values to summarise');
	return lower + (upper - lower) * (position - Math.floor(position));
}
