const DIRECTORY_END = Buffer.from('PK\x05\x06', 'latin1');
const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const FILE = Buffer.from('PK\x03\x04', 'latin1');

/** Lengths of the records of an archive without what varies (APPNOTE.TXT, 4.3). */
const LENGTH = { file: 30, entry: 46, end: 22 };

/** The comment at the end of an archive is no longer. */
const FARTHEST_END = 65_535 + LENGTH.end;

const MAX_ENTRIES = 5_000;

const STORED = 0;
const DEFLATED = 8;

/**
 * The files of an archive whose names fit. Undefined if it is damaged, unusual, or unpacks to more
 * bytes than `most`.
 */
export async function unzip(
	bytes: Buffer,
	names: RegExp,
	most: number,
): Promise<Buffer[] | undefined> {
	const end = bytes.lastIndexOf(DIRECTORY_END);
	if (end < Math.max(0, bytes.length - FARTHEST_END) || end + LENGTH.end > bytes.length)
		return undefined;
	const files: Buffer[] = [];
	let at = bytes.readUInt32LE(end + 16);
	let room = most;
	for (let count = Math.min(MAX_ENTRIES, bytes.readUInt16LE(end + 10)); count > 0; count--) {
		if (!isAt(bytes, at, DIRECTORY_ENTRY, LENGTH.entry)) return undefined;
		const nameLength = bytes.readUInt16LE(at + 28);
		const behind = at + LENGTH.entry + nameLength;
		const name = bytes.toString('utf8', at + LENGTH.entry, behind);
		if (names.test(name)) {
			const content = await contentOf(bytes, at, room);
			if (!content) return undefined;
			room -= content.length;
			files.push(content);
		}
		at = behind + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
	}
	return files;
}

function isAt(bytes: Buffer, at: number, record: Buffer, length: number): boolean {
	return at + length <= bytes.length && bytes.subarray(at, at + record.length).equals(record);
}

/** What the entry of the directory stands for, of which the archive has the length in it alone. */
async function contentOf(bytes: Buffer, entry: number, most: number): Promise<Buffer | undefined> {
	const method = bytes.readUInt16LE(entry + 10);
	const length = bytes.readUInt32LE(entry + 20);
	const file = bytes.readUInt32LE(entry + 42);
	if (!isAt(bytes, file, FILE, LENGTH.file)) return undefined;
	const from = file + LENGTH.file + bytes.readUInt16LE(file + 26) + bytes.readUInt16LE(file + 28);
	if (from + length > bytes.length) return undefined;
	const content = bytes.subarray(from, from + length);
	if (method === STORED && length <= most) return content;
	return method === DEFLATED ? await inflated(content, most) : undefined;
}

async function inflated(packed: Buffer, most: number): Promise<Buffer | undefined> {
	const content = new Blob([new Uint8Array(packed)]).stream();
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of content.pipeThrough(new DecompressionStream('deflate-raw'))) {
			size += chunk.length;
			if (size > most) return undefined;
			chunks.push(chunk);
		}
	} catch {
		return undefined;
	}
	return Buffer.concat(chunks);
}
