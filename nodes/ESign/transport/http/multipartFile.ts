import { randomBytes } from 'crypto';

/** A body in the form of `contentType`. It is put together anew by every call, always of the same bytes. */
export type EncodedBody = { contentType: string; body: () => Buffer };

/** `type/subtype` with parameters, if any, in printable ASCII: nothing that could end the header (RFC 9110, 8.3.1). */
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ -~]*)?$/;

/** What HTML percent-encodes in a file name ("multipart/form-data encoding algorithm"); all else goes as UTF-8. */
const ESCAPES: Record<string, string> = { '"': '%22', '\r': '%0D', '\n': '%0A' };

/**
 * The body of POST /files: multipart with a single part named `file` (docs/service.md section 4).
 *
 * Bytes and no FormData: a Blob lives outside of V8's heap without V8 being told of its size, so that after many large
 * uploads their memory waits for a garbage collection that nothing calls for.
 *
 * @param newBoundary random; drawn again while the content holds it
 */
export function multipartFile(
	name: string,
	mimeType: string,
	bytes: Buffer,
	newBoundary: () => string = randomBoundary,
): EncodedBody {
	let boundary = newBoundary();
	while (bytes.includes(boundary)) boundary = newBoundary();
	const fileName = (name === '' ? 'file' : name).replace(/["\r\n]/g, (character) => ESCAPES[character] ?? '');
	const head = [
		`--${boundary}`,
		`Content-Disposition: form-data; name="file"; filename="${fileName}"`,
		`Content-Type: ${MIME_TYPE.test(mimeType) ? mimeType : 'application/octet-stream'}`,
		'\r\n',
	].join('\r\n');
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		body: () => Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
	};
}

function randomBoundary(): string {
	return `eSign${randomBytes(24).toString('hex')}`;
}
