/** One number per side, and what it means. */
export interface Figure {
	name: string;
	/** What the numbers count: `ms`, `requests`, `x` for a ratio. */
	unit: string;
	/** By side; the first side is ours. A side that a figure does not apply to is left out. */
	values: Record<string, number>;
	/** What must hold for our side, where anything must. */
	target?: Target;
	/** What was measured and how to read it, in a sentence. */
	meaning: string;
}

export type Target = { atMost: number } | { atLeast: number };

export interface BenchResult {
	title: string;
	/** Sides in the order of the columns; ours first. */
	sides: string[];
	figures: Figure[];
}

export interface BenchOptions {
	/** Fewer repeats and items: shows that it works, not how fast. */
	quick: boolean;
}

/** A file `NAME.bench.ts` exports one as `run`. */
export type Bench = (options: BenchOptions) => Promise<BenchResult>;

/** Name of our side in every table. */
export const OURS = 'eSign node';

/** Name of the node a user would take instead. */
export const HTTP_REQUEST = 'HTTP Request';

/** Whether our side does what it must; undefined where nothing must hold. */
export function holds(result: BenchResult, figure: Figure): boolean | undefined {
	const value = figure.values[result.sides[0] ?? ''];
	if (!figure.target || value === undefined) return undefined;
	return 'atMost' in figure.target ? value <= figure.target.atMost : value >= figure.target.atLeast;
}
