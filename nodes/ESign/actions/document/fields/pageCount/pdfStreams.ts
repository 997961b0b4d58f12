/** No cross-reference or object stream comes near this; a compressed bomb does. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Undoes FlateDecode; undefined when the data is damaged, encrypted or inflates beyond reason. */
export async function inflate(data: Buffer): Promise<Buffer | undefined> {
	const stream = new Blob([new Uint8Array(data)]).stream().pipeThrough(new DecompressionStream('deflate'));
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			const bytes = chunk as Uint8Array;
			size += bytes.length;
			if (size > MOST_BYTES) return undefined;
			chunks.push(bytes);
		}
	} catch {
		// Bytes after the end of the compressed data (a line end before `endstream`) are an error too, after all is read.
		if (size === 0) return undefined;
	}
	return Buffer.concat(chunks);
}

/** Undoes the PNG predictors (ISO 32000-1, 7.4.4.4) of rows of `columns` bytes; undefined for one that it does not know. */
export function undoPngPredictor(data: Buffer, columns: number): Buffer | undefined {
	const rows = Math.floor(data.length / (columns + 1));
	const output = Buffer.alloc(rows * columns);
	for (let row = 0; row < rows; row++) {
		const kind = data[row * (columns + 1)] ?? 0;
		if (kind > 2) return undefined;
		for (let column = 0; column < columns; column++) {
			const at = row * columns + column;
			const left = kind === 1 && column > 0 ? output[at - 1] : 0;
			const above = kind === 2 && row > 0 ? output[at - columns] : 0;
			output[at] = (data[row * (columns + 1) + 1 + column] ?? 0) + (left ?? 0) + (above ?? 0);
		}
	}
	return output;
}
