import { Unreadable } from '../values';
import { decompress, type Count, type Format } from './decompress';

/** What a writer leaves that ends by a flush, and what the last block would be instead. */
const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);
const LAST_BLOCK = Buffer.from([3, 0]);

const LINE_END = /[\r\n]/;
const MOST_LINE_ENDS = 2;

/** Undoes Flate (ISO 32000-1, 7.4.4). */
export async function inflate(packed: Buffer, count: Count): Promise<Buffer> {
	for (const [data, format] of readings(packed)) {
		try {
			return await decompress(data, format, count);
		} catch (error) {
			const failure: unknown = error;
			if (failure instanceof Unreadable) throw failure;
		}
	}
	throw new Unreadable('A stream is damaged');
}

/**
 * What data may mean, the likeliest first. Lengths may count a line end behind the data, which Node
 * 24 refuses. An Adobe reader ends by a flush, without a last block and a checksum.
 */
function* readings(packed: Buffer): Generator<[Buffer, Format]> {
	let data = packed;
	for (let lineEnds = 0; lineEnds <= MOST_LINE_ENDS; lineEnds++) {
		yield [data, 'deflate'];
		if (data.subarray(-FLUSHED.length).equals(FLUSHED))
			yield [Buffer.concat([data.subarray(2), LAST_BLOCK]), 'deflate-raw'];
		if (!LINE_END.test(data.toString('latin1', data.length - 1))) return;
		data = data.subarray(0, -1);
	}
}
