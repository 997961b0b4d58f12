import type { IExecuteFunctions } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import type { EncodedBody } from '../../../nodes/ESign/client/call/call';
import { fileBuffer, multipartFile } from '../../../nodes/ESign/client/files/multipartFile';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { PNG } from '../support/samples';
import { json, scriptedOfThisFile } from '../support/scriptedService';

/** The service reads the type of a file from its bytes. */
const TYPE = 'application/octet-stream';

/** The one part of a body, as the platform's own parser of multipart bodies reads it. */
async function partOf(contentType: unknown, bytes: Buffer) {
	const headers = { 'content-type': String(contentType) };
	const form = await new Response(new Uint8Array(bytes), { headers }).formData();
	const [part, ...others] = [...form];
	if (!part || others.length > 0) throw new Error(`${others.length + 1} parts`);
	const [field, file] = part;
	if (typeof file === 'string') throw new Error('The part is no file');
	return {
		field,
		name: file.name,
		mimeType: file.type,
		bytes: Buffer.from(await file.arrayBuffer()),
	};
}

/** The headers of the only part. */
function partHeaders({ bytes }: EncodedBody): string[] {
	const body = bytes().toString('utf8');
	return body.slice(0, body.indexOf('\r\n\r\n')).split('\r\n').slice(1);
}

/** The content in memory with room for its envelope. */
function roomy(content: Buffer): Buffer {
	const bytes = fileBuffer(content.length);
	content.copy(bytes);
	return bytes;
}

describe('The body of an upload', () => {
	it.each([
		['of no byte', Buffer.alloc(0)],
		['of one pixel', PNG],
		['of every byte there is', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
		['that ends in a line break', Buffer.from('%PDF-1.7\r\n')],
		['that holds what looks like boundaries', Buffer.from('\r\n--\r\n--eSign--\r\n\r\n--')],
	])('%s has it byte for byte', async (_, content) => {
		for (const held of [content, roomy(content)]) {
			const { contentType, bytes } = multipartFile('dot.png', held);
			const part = { field: 'file', name: 'dot.png', mimeType: TYPE, bytes: content };
			expect(await partOf(contentType, bytes())).toEqual(part);
		}
	});

	it.each([
		['contract.pdf', 'contract.pdf'],
		['Vertrag "Müller" 契約.pdf', 'Vertrag %22Müller%22 契約.pdf'],
		['👩‍⚖️ Ελλάς.pdf', '👩‍⚖️ Ελλάς.pdf'],
		[
			'a\r\nContent-Type: text/html\r\n\r\n<script>',
			'a%0D%0AContent-Type: text/html%0D%0A%0D%0A<script>',
		],
		['x"; filename="evil.exe', 'x%22; filename=%22evil.exe'],
		['100%.pdf', '100%.pdf'],
		['back\\slash;semi=colon.pdf', 'back\\slash;semi=colon.pdf'],
	])('named %j keeps its name within one header', async (name, inHeader) => {
		const body = multipartFile(name, PNG);
		expect(partHeaders(body)).toEqual([
			`Content-Disposition: form-data; name="file"; filename="${inHeader}"`,
			`Content-Type: ${TYPE}`,
		]);
		expect(await partOf(body.contentType, body.bytes())).toMatchObject({ name });
	});

	it('has a boundary of its own', () => {
		const [one, other] = [multipartFile('a', PNG), multipartFile('a', PNG)];
		expect(one.contentType).toMatch(/^multipart\/form-data; boundary=[\w-]{20,70}$/);
		expect(one.contentType).not.toBe(other.contentType);
	});
});

describe('A file in memory with room for its envelope', () => {
	it('is sent from where it is, each time the same', () => {
		const content = randomBytes(100_000);
		const held = roomy(content);
		const { bytes } = multipartFile('a.pdf', held);
		const first = Buffer.from(bytes());
		expect(bytes().equals(first)).toBe(true);
		expect(bytes().buffer).toBe(held.buffer);
		expect(held.equals(content)).toBe(true);
	});

	it('may be sent under another name, also one that is longer than the room', async () => {
		const held = roomy(PNG);
		for (const name of ['one.png', 'another.png', `${'Vertrag '.repeat(500)}.pdf`]) {
			const { contentType, bytes } = multipartFile(name, held);
			expect(await partOf(contentType, bytes())).toMatchObject({ name, bytes: PNG });
		}
	});
});

describe('On the wire', () => {
	/** So many uploads are answered with a fault before one succeeds. */
	let faults = 0;
	const service = scriptedOfThisFile((_, response) =>
		faults-- > 0 ? json(response, 503, {}) : json(response, 201, { id: 'file_1', size_bytes: 1 }),
	);

	it('a file arrives the same each time, with its length, also when the service fails at first', async () => {
		faults = 2;
		const content = randomBytes(1024 * 1024);
		const encoded = multipartFile('dot.png', roomy(content));
		const send = async (context: IExecuteFunctions) =>
			await quickClient().call(context, 'POST /files', { encoded });
		await inNode(service.credential, send);
		expect(service.seen).toHaveLength(3);
		for (const { headers, bytes } of service.seen) {
			expect((await partOf(headers['content-type'], bytes)).bytes.equals(content)).toBe(true);
			expect(headers['content-length']).toBe(`${bytes.length}`);
			expect(headers['transfer-encoding']).toBeUndefined();
		}
	});
});
