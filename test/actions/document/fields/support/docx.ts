import { crc32, deflateRawSync } from 'node:zlib';

/** What programs add to the records of files: a field without content, and a comment. */
const EXTRA = Buffer.from('up\0\0');
const COMMENT = Buffer.from('A file');

/**
 * An archive of files, packed or as they are.
 *
 * @param behind so many bytes are behind each packed content, which ends before
 */
export function zip(files: Record<string, string | Buffer>, isPacked = true, behind = 0): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let at = 0;
	for (const [name, content] of Object.entries(files)) {
		const bytes = Buffer.from(content);
		const packed = isPacked ? Buffer.concat([deflateRawSync(bytes), Buffer.alloc(behind)]) : bytes;
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		common.writeUInt16LE(isPacked ? 8 : 0, 4);
		common.writeUInt32LE(crc32(bytes), 10);
		common.writeUInt32LE(packed.length, 14);
		common.writeUInt32LE(bytes.length, 18);
		common.writeUInt16LE(Buffer.byteLength(name), 22);
		common.writeUInt16LE(EXTRA.length, 24);
		const named = [Buffer.from(name), EXTRA];
		const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, ...named, packed]);
		const place = Buffer.alloc(14);
		place.writeUInt16LE(COMMENT.length, 0);
		place.writeUInt32LE(at, 10);
		directory.push(Buffer.from('PK\x01\x02\x14\0'), common, place, ...named, COMMENT);
		parts.push(file);
		at += file.length;
	}
	const end = Buffer.alloc(18);
	end.writeUInt16LE(Object.keys(files).length, 4);
	end.writeUInt16LE(Object.keys(files).length, 6);
	end.writeUInt32LE(Buffer.concat(directory).length, 8);
	end.writeUInt32LE(at, 12);
	return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]);
}

/** A Word file with these paragraphs, or with a body of its own. */
export function docx(...paragraphs: string[]): Buffer {
	return docxOf(paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join(''));
}

export function docxOf(body: string, more: Record<string, string> = {}): Buffer {
	const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
	const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
	const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
	const packages = 'http://schemas.openxmlformats.org/package/2006';
	return zip({
		'[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
		'_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
		'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
		...more,
	});
}
