import { Unreadable, type Source } from '../source';
import { integer, type Value } from '../values';

/** A guess from the byte to the left, the one above, and the one above that to the left. */
type Guess = (left: number, up: number, corner: number) => number;

/** The PNG predictors, by the number at the beginning of a row (ISO 32000-1, 7.4.4.4). */
const GUESSES: readonly Guess[] = [
	() => 0,
	(left) => left,
	(_, up) => up,
	(left, up) => (left + up) >> 1,
	paeth,
];

function paeth(left: number, up: number, corner: number): number {
	const toLeft = Math.abs(up - corner);
	const toUp = Math.abs(left - corner);
	const toCorner = Math.abs(left + up - 2 * corner);
	if (toLeft <= toUp && toLeft <= toCorner) return left;
	return toUp <= toCorner ? up : corner;
}

/** Undoes the predictors that programs use for structure. An incomplete last row is dropped. */
export async function* undoPredictor(
	source: Source,
	pieces: AsyncIterable<Buffer>,
	parameters: Value | undefined,
): AsyncGenerator<Buffer> {
	const columns = columnsOf(parameters ?? null);
	if (columns === undefined) {
		yield* pieces;
		return;
	}
	let above = Buffer.alloc(columns);
	let rest = Buffer.alloc(0);
	for await (const piece of pieces) {
		const data = Buffer.concat([rest, piece]);
		const rows = Math.floor(data.length / (columns + 1));
		const output = Buffer.alloc(rows * columns);
		for (let row = 0; row < rows; row++) {
			source.spend(columns);
			if (source.isDue) await source.pause();
			const packed = data.subarray(row * (columns + 1), (row + 1) * (columns + 1));
			const unpacked = output.subarray(row * columns, (row + 1) * columns);
			undoRow(packed, above, unpacked);
			above = unpacked;
		}
		yield output;
		rest = data.subarray(rows * (columns + 1));
	}
}

function undoRow(packed: Buffer, above: Buffer, row: Buffer): void {
	const guess = GUESSES[packed[0] ?? 0];
	if (!guess) throw new Unreadable('A row has an unknown predictor');
	for (let column = 0; column < row.length; column++) {
		const left = row[column - 1] ?? 0;
		const corner = column === 0 ? 0 : (above[column - 1] ?? 0);
		row[column] = (packed[column + 1] ?? 0) + guess(left, above[column] ?? 0, corner);
	}
}

/** How many bytes a row has; undefined if there is no predictor. */
function columnsOf(parameters: Value): number | undefined {
	if (parameters === null) return undefined;
	if (!(parameters instanceof Map)) throw new Unreadable('Parameters are no dictionary');
	const predictor = integer(parameters, '/Predictor') ?? 1;
	if (predictor === 1) return undefined;
	const columns = integer(parameters, '/Columns') ?? 1;
	const isUsual = predictor >= 10 && predictor <= 15 && columns >= 1 && columns <= 65_536;
	if (isUsual) return columns;
	throw new Unreadable('A stream is packed in an unusual way');
}
