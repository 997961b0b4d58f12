import { randomBytes } from 'crypto';
import type { EncodedBody } from '../call/call';

/**
 * Room before the content of a file, for the headers of its part with a file name of usual length,
 * and behind it.
 */
const PADDING_BEFORE = 2_048;
const PADDING_BEHIND = 128;

/** The memory around the content of files that have room. */
const padded = new WeakMap<Buffer, Buffer>();

/**
 * Memory for a file that is to be uploaded, with room for its envelope: nothing is copied to send
 * it.
 */
export function fileBuffer(size: number): Buffer {
	const whole = Buffer.allocUnsafeSlow(PADDING_BEFORE + size + PADDING_BEHIND);
	const content = whole.subarray(PADDING_BEFORE, PADDING_BEFORE + size);
	padded.set(content, whole);
	return content;
}

/**
 * The body of POST /files: multipart with a single part named `file` (docs/service.md section 4).
 * The service reads the type from the bytes, and ignores what is declared.
 *
 * Content in memory of `fileBuffer` is sent from where it is. No FormData: V8 does not know the
 * size of a Blob, and frees many large ones late.
 */
export function multipartFile(name: string, bytes: Buffer): EncodedBody {
	// So random that no file holds it.
	const boundary = `eSign${randomBytes(24).toString('hex')}`;
	// As HTML has it ("multipart/form-data encoding algorithm"); all else goes as UTF-8.
	const fileName = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
	const disposition = `Content-Disposition: form-data; name="file"; filename="${fileName}"`;
	const type = 'Content-Type: application/octet-stream';
	const head = Buffer.from(`--${boundary}\r\n${disposition}\r\n${type}\r\n\r\n`);
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		bytes: () => inPlace(head, bytes, tail) ?? Buffer.concat([head, bytes, tail]),
	};
}

/** Writes the envelope around the content; undefined if there is no room. */
function inPlace(head: Buffer, bytes: Buffer, tail: Buffer): Buffer | undefined {
	const whole = padded.get(bytes);
	if (!whole || head.length > PADDING_BEFORE) return undefined;
	const start = PADDING_BEFORE - head.length;
	const end = PADDING_BEFORE + bytes.length;
	head.copy(whole, start);
	tail.copy(whole, end);
	return whole.subarray(start, end + tail.length);
}
