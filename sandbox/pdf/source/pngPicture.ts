import { crc32, inflateSync } from 'node:zlib';

/**
 * What a picture consists of; everything else in a PNG (animation, text, colour profiles) only
 * describes it.
 */
const PICTURE_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const SIGNATURE_LENGTH = 8;
const CHUNK_OVERHEAD = 12;
/** Decoding takes four bytes a pixel; a scanned A3 page at 600 dpi has 70 million. */
const MAX_PIXELS = 100_000_000;

/** What a PNG that was found sound consists of. */
export interface SoundPng {
	/** A PNG of the picture alone. */
	bytes: Uint8Array;
	/** Its pixels, filtered and packed. */
	imageData: Buffer;
	palette?: Buffer;
	/** It names a colour, or entries of its palette, that are not seen. */
	isTransparent: boolean;
}

/**
 * The picture of a PNG and nothing else, proved to be whole. pdf-lib's decoder does not return at
 * all from some damaged files (a chunk that is cut off, a text without its end), so what reaches it
 * must be sound.
 *
 * @throws when the file is damaged or the picture too large to decode.
 */
export function soundPng(bytes: Buffer): SoundPng {
	const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_LENGTH)];
	const imageData: Buffer[] = [];
	let palette: Buffer | undefined;
	let isTransparent = false;
	let offset = SIGNATURE_LENGTH;
	for (let type = ''; type !== 'IEND';) {
		const length = bytes.readUInt32BE(offset);
		const end = offset + length + CHUNK_OVERHEAD;
		if (end > bytes.length) throw new Error('The picture is cut off');
		if (crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
			throw new Error('The picture is damaged');
		}
		type = bytes.toString('latin1', offset + 4, offset + 8);
		if (type === 'IHDR')
			requireSize(bytes.readUInt32BE(offset + 8), bytes.readUInt32BE(offset + 12));
		const data = bytes.subarray(offset + 8, end - 4);
		if (type === 'IDAT') imageData.push(data);
		if (type === 'PLTE') palette = data;
		if (type === 'tRNS') isTransparent = true;
		if (PICTURE_CHUNKS.includes(type)) kept.push(bytes.subarray(offset, end));
		offset = end;
	}
	const packed = Buffer.concat(imageData);
	const { length } = inflateSync(packed, { maxOutputLength: MAX_PIXELS * 8 });
	if (length < pictureLength(bytes)) throw new Error('The picture is incomplete');
	return { bytes: new Uint8Array(Buffer.concat(kept)), imageData: packed, palette, isTransparent };
}

/** Samples of a pixel, by colour type. */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * The pixels of a whole picture, or of each pass of an interlaced one: where the first is, and how
 * far apart they are.
 */
const WHOLE = [[0, 0, 1, 1]] as const;
const PASSES = [
	[0, 0, 8, 8],
	[4, 0, 8, 8],
	[0, 4, 4, 8],
	[2, 0, 4, 4],
	[0, 2, 2, 4],
	[1, 0, 2, 2],
	[0, 1, 1, 2],
] as const;

/**
 * How many bytes the header promises: for each row of each pass its pixels, and a byte for its
 * filter.
 */
function pictureLength(bytes: Buffer): number {
	const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
	const bits = bytes.readUInt8(24) * (SAMPLES[bytes.readUInt8(25)] ?? 1);
	let length = 0;
	for (const [left, top, across, down] of bytes.readUInt8(28) === 1 ? PASSES : WHOLE) {
		const columns = Math.ceil((width - left) / across);
		const rows = Math.ceil((height - top) / down);
		if (columns > 0 && rows > 0) length += rows * (1 + Math.ceil((columns * bits) / 8));
	}
	return length;
}

function requireSize(width: number, height: number): void {
	if (!(width > 0 && height > 0 && width * height <= MAX_PIXELS))
		throw new Error('The picture cannot be decoded');
}
