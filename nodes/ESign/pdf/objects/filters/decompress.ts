/** The formats of RFC 1950 and RFC 1951. */
export type Format = 'deflate' | 'deflate-raw';

/**
 * Unpacks data piece by piece, so that other things run in between.
 *
 * @param count learns how many bytes each piece has: it may wait, and throws if that is too much
 * @throws for what is damaged
 */
export async function decompress(
	data: Buffer,
	format: Format,
	count: (bytes: number) => Promise<void> | void,
): Promise<Buffer> {
	const content = new Blob([new Uint8Array(data)]).stream();
	const unpacked = content.pipeThrough(new DecompressionStream(format));
	const pieces: Uint8Array[] = [];
	// Whoever has enough just stops reading. In Node 20, one that is cancelled ends the process:
	// what it unpacks at that moment is an error that nobody can catch.
	for await (const piece of unpacked.values({ preventCancel: true })) {
		await count(piece.length);
		pieces.push(piece);
	}
	return Buffer.concat(pieces);
}
