const END = Buffer.from('PK\x05\x06', 'latin1');

/** Records of an archive without what varies in length (APPNOTE.TXT, 4.3). */
const LENGTH = { file: 30, entry: 46, end: 22 };

/** The comment at the end of an archive is no longer. */
const FARTHEST_END = 65_535 + LENGTH.end;

const MAX_ENTRIES = 5_000;

/** Ways to pack a file. */
const STORED = 0;
const DEFLATED = 8;

/**
 * The files of an archive whose names fit. Undefined for what is no archive, is damaged, or unpacks
 * to more bytes than `most`.
 */
export async function unzip(
	bytes: Buffer,
	names: RegExp,
	most: number,
): Promise<Buffer[] | undefined> {
	const files: Buffer[] = [];
	let room = most;
	try {
		for (const entry of entriesOf(bytes, names)) {
			const file = await unpacked(bytes, entry, room);
			room -= file.length;
			files.push(file);
		}
		return files;
	} catch {
		// A place that is not there, or what nobody packed: a damaged archive has many forms.
		return undefined;
	}
}

/** Where the directory at the end of the archive has the entries of these files. */
function* entriesOf(bytes: Buffer, names: RegExp): Generator<Buffer> {
	const end = bytes.subarray(-FARTHEST_END).lastIndexOf(END);
	const last = bytes.subarray(-FARTHEST_END).subarray(end);
	let at = last.readUInt32LE(16);
	for (let count = Math.min(MAX_ENTRIES, last.readUInt16LE(10)); count > 0; count--) {
		const entry = bytes.subarray(at);
		const behindName = LENGTH.entry + entry.readUInt16LE(28);
		if (names.test(entry.toString('utf8', LENGTH.entry, behindName))) yield entry;
		at += behindName + entry.readUInt16LE(30) + entry.readUInt16LE(32);
	}
}

async function unpacked(bytes: Buffer, entry: Buffer, most: number): Promise<Buffer> {
	const file = bytes.subarray(entry.readUInt32LE(42));
	const from = LENGTH.file + file.readUInt16LE(26) + file.readUInt16LE(28);
	const packed = file.subarray(from, from + entry.readUInt32LE(20));
	const method = entry.readUInt16LE(10);
	if (method !== STORED && method !== DEFLATED) throw new RangeError('An unusual way to pack');
	const content = new Blob([new Uint8Array(packed)]).stream();
	const unpacking = new DecompressionStream('deflate-raw');
	const chunks: Uint8Array[] = [];
	let room = most;
	for await (const chunk of method === STORED ? content : content.pipeThrough(unpacking)) {
		room -= chunk.length;
		if (room < 0) throw new RangeError('Too much is packed');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
