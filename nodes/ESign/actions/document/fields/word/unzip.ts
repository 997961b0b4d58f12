import { sleep } from 'n8n-workflow';
import { decompress } from '../../../../pdf';

const END = Buffer.from('PK\x05\x06', 'latin1');

/** Records of an archive without what varies in length (APPNOTE.TXT, 4.3). */
const LENGTH = { file: 30, entry: 46 };

const MAX_ENTRIES = 5_000;

/** Ways to pack a file. */
const STORED = 0;
const DEFLATED = 8;

/** Learns how many bytes are unpacked, and lets other things run. */
type Count = (length: number) => Promise<void>;

/**
 * The files of an archive whose names fit.
 *
 * @throws for what is no archive, is damaged, or unpacks to more bytes than `most`
 */
export async function unzip(bytes: Buffer, names: RegExp, most: number): Promise<Buffer[]> {
	let room = most;
	const count = async (length: number) => {
		room -= length;
		if (room < 0) throw new RangeError('Too much is packed');
		await sleep(0);
	};
	const files: Buffer[] = [];
	const end = bytes.subarray(bytes.lastIndexOf(END));
	let at = end.readUInt32LE(16);
	for (let left = Math.min(MAX_ENTRIES, end.readUInt16LE(10)); left > 0; left--) {
		const entry = bytes.subarray(at);
		const behindName = LENGTH.entry + entry.readUInt16LE(28);
		if (names.test(entry.toString('utf8', LENGTH.entry, behindName)))
			files.push(await unpacked(bytes, entry, count));
		at += behindName + entry.readUInt16LE(30) + entry.readUInt16LE(32);
	}
	return files;
}

async function unpacked(bytes: Buffer, entry: Buffer, count: Count) {
	const file = bytes.subarray(entry.readUInt32LE(42));
	const from = LENGTH.file + file.readUInt16LE(26) + file.readUInt16LE(28);
	const packed = file.subarray(from, from + entry.readUInt32LE(20));
	const method = entry.readUInt16LE(10);
	if (method === DEFLATED) return await decompress(packed, 'deflate-raw', count);
	if (method !== STORED) throw new RangeError('An unusual way to pack');
	await count(packed.length);
	return packed;
}
