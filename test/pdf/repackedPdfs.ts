import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';

/** What happens to the content of a packed stream. Places are shares of a length. */
export interface Repacking {
	stream: number;
	edits: Array<{ place: number; byte: number }>;
}

const place = fc.nat(9_999).map((share) => share / 10_000);

export const repackings: fc.Arbitrary<Repacking> = fc.record({
	stream: place,
	edits: fc.array(fc.record({ place, byte: fc.constantFrom(...Buffer.from('%()<>[]/ \n0123456789R', 'latin1')) }), {
		minLength: 1,
		maxLength: 3,
	}),
});

const BEGINNING = 'stream\n';

/** The file with one of its packed streams unpacked, damaged and packed again, where it was if there is room. */
export function repacked(file: Buffer, { stream, edits }: Repacking): Buffer {
	const starts: number[] = [];
	for (let at = file.indexOf(BEGINNING); at >= 0; at = file.indexOf(BEGINNING, at + 1)) {
		if (file.toString('latin1', at - 3, at) !== 'end') starts.push(at + BEGINNING.length);
	}
	const from = starts[Math.floor(stream * starts.length)];
	if (from === undefined) return file;
	const end = file.indexOf('endstream', from);
	const content = unpacked(file.subarray(from, end));
	if (!content || content.length === 0) return file;
	for (const { place: share, byte } of edits) content[Math.floor(share * content.length)] = byte;
	const packed = deflateSync(content);
	const room = Buffer.alloc(Math.max(0, end - from - packed.length), '\n');
	return Buffer.concat([file.subarray(0, from), packed, room, file.subarray(end)]);
}

function unpacked(bytes: Buffer): Buffer | undefined {
	try {
		return inflateSync(bytes);
	} catch {
		return undefined;
	}
}
