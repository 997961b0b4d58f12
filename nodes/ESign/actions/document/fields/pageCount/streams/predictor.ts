import { Unreadable, type Work } from '../work';

export interface Predictor {
	/** 1: none, 2: TIFF, 10 and more: PNG, where each row says which (ISO 32000-1, table 10). */
	kind: number;
	/** In bytes: of a row without its leading byte, and of a pixel. */
	rowBytes: number;
	pixelBytes: number;
}

/**
 * Undoes a predictor in place: what comes out is never ahead of what goes in.
 *
 * What is left of an incomplete last row is dropped, and does not count.
 */
export function undoPredictor(data: Uint8Array, predictor: Predictor, work: Work): Uint8Array {
	const { kind, rowBytes, pixelBytes } = predictor;
	if (kind === 1) return data;
	work.spend(data.length * 2);
	if (kind === 2) return undoTiff(data, predictor);
	const rows = Math.floor(data.length / (rowBytes + 1));
	const output = data.subarray(0, rows * rowBytes);
	for (let row = 0; row < rows; row++) {
		const from = row * (rowBytes + 1);
		const to = row * rowBytes;
		const filter = data[from] ?? 0;
		if (filter > 4) throw new Unreadable('A row has an unknown predictor');
		for (let column = 0; column < rowBytes; column++) {
			const isFirst = column < pixelBytes;
			const left = isFirst ? 0 : (output[to + column - pixelBytes] ?? 0);
			const above = row === 0 ? 0 : (output[to + column - rowBytes] ?? 0);
			const corner = isFirst || row === 0 ? 0 : (output[to + column - rowBytes - pixelBytes] ?? 0);
			output[to + column] = (data[from + 1 + column] ?? 0) + predicted(filter, left, above, corner);
		}
	}
	return output;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
	if (filter === 0) return 0;
	if (filter === 1) return left;
	if (filter === 2) return above;
	if (filter === 3) return (left + above) >> 1;
	// Paeth: whichever is closest to left + above - corner.
	const toLeft = Math.abs(above - corner);
	const toAbove = Math.abs(left - corner);
	const toCorner = Math.abs(left + above - 2 * corner);
	if (toLeft <= toAbove && toLeft <= toCorner) return left;
	return toAbove <= toCorner ? above : corner;
}

function undoTiff(data: Uint8Array, { rowBytes, pixelBytes }: Predictor): Uint8Array {
	for (let at = 0; at < data.length; at++) {
		if (at % rowBytes >= pixelBytes) data[at] = (data[at] ?? 0) + (data[at - pixelBytes] ?? 0);
	}
	return data;
}
