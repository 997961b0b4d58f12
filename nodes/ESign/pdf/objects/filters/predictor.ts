import { ensure, type Dictionary } from '../values';
import type { Count } from './decompress';

/**
 * Undoes the PNG predictors that programs use for structure (ISO 32000-1, 7.4.4.4). An incomplete
 * last row is dropped.
 */
export async function undoPredictor(
	data: Buffer,
	count: Count,
	parameters: Dictionary,
): Promise<Buffer> {
	const predictor = parameters.integer('/Predictor') ?? 1;
	if (predictor === 1) return data;
	const columns = parameters.integer('/Columns') ?? 1;
	const isUsual = predictor >= 10 && predictor <= 15 && columns >= 1 && columns <= 65_536;
	ensure(isUsual, 'A stream is packed in an unusual way');
	const output = Buffer.alloc(Math.floor(data.length / (columns + 1)) * columns);
	for (let row = 0; row * columns < output.length; row++) {
		await count(columns);
		const kind = data[row * (columns + 1)] ?? 0;
		ensure(kind <= 2, 'A row has an unusual predictor');
		for (let column = 0; column < columns; column++) {
			const at = row * columns + column;
			let guess = 0;
			if (kind === 1 && column > 0) guess = output[at - 1] ?? 0;
			if (kind === 2) guess = output[at - columns] ?? 0;
			output[at] = (data[at + row + 1] ?? 0) + guess;
		}
	}
	return output;
}
