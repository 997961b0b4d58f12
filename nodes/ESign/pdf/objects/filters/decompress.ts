/** The formats of RFC 1950 and RFC 1951. */
export type Format = 'deflate' | 'deflate-raw';

/**
 * Learns how many bytes a piece has. It throws if there are too many.
 *
 * @returns what to wait for, if it is time for a pause: to wait after each byte would be felt
 */
export type Count = (bytes: number) => Promise<void> | undefined | void;

/**
 * Unpacks data piece by piece, so that other things run in between.
 *
 * @throws for what is damaged
 */
export async function decompress(data: Buffer, format: Format, count: Count): Promise<Buffer> {
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
