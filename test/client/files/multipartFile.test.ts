import { randomBytes } from 'node:crypto';
import { fileBuffer, multipartFile } from '../../../nodes/ESign/client/files/multipartFile';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { PNG } from '../support/scenarios';
import { json, startScripted, type ScriptedService, type Seen } from '../support/scriptedService';

const client = quickClient({ attempts: 3 });

let service: ScriptedService;
/** So many uploads are answered with a fault before one succeeds. */
let faults = 0;

beforeAll(async () => {
	service = await startScripted((_, response) => {
		if (faults-- > 0) return json(response, 503, {});
		json(response, 201, { id: 'file_1' });
	});
});
beforeEach(() => {
	service.seen.length = 0;
	faults = 0;
});
afterAll(async () => await service.close());

/** What a file is on the wire after n8n has sent it. */
async function sent(file: { name?: string; mimeType?: string; bytes?: Buffer }): Promise<Seen[]> {
	const input = { name: 'dot.png', mimeType: 'image/png', bytes: PNG, ...file };
	await inNode(service.credential, async (context) => await client.upload(context, input));
	return service.seen;
}

async function sentOnce(file: Parameters<typeof sent>[0]): Promise<Seen> {
	const [request, ...others] = await sent(file);
	if (!request || others.length > 0) throw new Error(`${others.length} requests too many`);
	return request;
}

/** The one part of a request, as the platform's own parser of multipart bodies reads it. */
async function partOf({ headers, bytes }: Pick<Seen, 'headers' | 'bytes'>) {
	const form = await new Response(new Uint8Array(bytes), {
		headers: { 'content-type': String(headers['content-type']) },
	}).formData();
	const [part, ...others] = [...form];
	if (!part || others.length > 0) throw new Error(`${others.length + 1} parts`);
	const [field, file] = part;
	if (typeof file === 'string') throw new Error('The part is no file');
	return { field, name: file.name, mimeType: file.type, bytes: Buffer.from(await file.arrayBuffer()) };
}

/** The headers of the only part. */
function partHeaders({ body }: Seen): string[] {
	return body.slice(0, body.indexOf('\r\n\r\n')).split('\r\n').slice(1);
}

describe('An upload on the wire', () => {
	it.each([
		['of no byte', Buffer.alloc(0)],
		['of one pixel', PNG],
		['of every byte there is', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
		['that ends in a line break', Buffer.from('%PDF-1.7\r\n')],
		['that holds what looks like boundaries', Buffer.from('\r\n--\r\n--eSign--\r\n\r\n--')],
		['of a megabyte', randomBytes(1024 * 1024)],
	])('%s arrives byte for byte, with its length', async (_, bytes) => {
		const request = await sentOnce({ bytes });
		const { bytes: arrived, ...part } = await partOf(request);
		expect(part).toEqual({ field: 'file', name: 'dot.png', mimeType: 'image/png' });
		expect(arrived.equals(bytes)).toBe(true);
		expect(request.headers['content-length']).toBe(`${request.bytes.length}`);
		expect(request.headers['transfer-encoding']).toBeUndefined();
	});

	it.each([
		['contract.pdf', 'contract.pdf'],
		['Vertrag "Müller" 契約.pdf', 'Vertrag %22Müller%22 契約.pdf'],
		['👩‍⚖️ Ελλάς.pdf', '👩‍⚖️ Ελλάς.pdf'],
		['a\r\nContent-Type: text/html\r\n\r\n<script>', 'a%0D%0AContent-Type: text/html%0D%0A%0D%0A<script>'],
		['x"; filename="evil.exe', 'x%22; filename=%22evil.exe'],
		['100%.pdf', '100%.pdf'],
		['back\\slash;semi=colon.pdf', 'back\\slash;semi=colon.pdf'],
		['', 'file'],
	])('named %j keeps its name within one header', async (name, inHeader) => {
		const request = await sentOnce({ name });
		expect(partHeaders(request)).toEqual([
			`Content-Disposition: form-data; name="file"; filename="${inHeader}"`,
			'Content-Type: image/png',
		]);
		await expect(partOf(request)).resolves.toMatchObject({ field: 'file', name: name === '' ? 'file' : name });
	});

	it.each([
		['application/pdf', 'application/pdf'],
		[
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		],
		['image/svg+xml; charset=utf-8', 'image/svg+xml; charset=utf-8'],
		['', 'application/octet-stream'],
		['pdf', 'application/octet-stream'],
		['undefined', 'application/octet-stream'],
		['image/png\r\nX-Evil: 1', 'application/octet-stream'],
		['image/png\r\n; a=b', 'application/octet-stream'],
		['image/png; a=b\r\nX-Evil: 1', 'application/octet-stream'],
		['image/png\n', 'application/octet-stream'],
		['image/пнг', 'application/octet-stream'],
	])('of the type %j is declared as %s', async (mimeType, declared) => {
		const request = await sentOnce({ mimeType });
		expect(partHeaders(request)).toEqual([
			'Content-Disposition: form-data; name="file"; filename="dot.png"',
			`Content-Type: ${declared}`,
		]);
	});

	it('has a boundary of its own', async () => {
		await sent({});
		const [one, other] = await sent({});
		expect(one?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=[\w-]{20,70}$/);
		expect(one?.headers['content-type']).not.toBe(other?.headers['content-type']);
	});
});

describe('A multipart body', () => {
	it('never has a boundary that its content holds', () => {
		const drawn = ['first', 'second', 'third'];
		const content = Buffer.from('...--second...first');
		const { contentType } = multipartFile('a', 'image/png', content, () => drawn.shift() ?? '');
		expect(contentType).toBe('multipart/form-data; boundary=third');
	});
});

describe('A file in memory with room for its envelope', () => {
	const roomy = (content: Buffer) => {
		const bytes = fileBuffer(content.length);
		content.copy(bytes);
		return bytes;
	};

	it('is sent from where it is, each time the same', () => {
		const content = randomBytes(100_000);
		const bytes = roomy(content);
		const boundary = () => 'boundary';
		const { body } = multipartFile('a.pdf', 'application/pdf', bytes, boundary);
		const expected = multipartFile('a.pdf', 'application/pdf', content, boundary).body();
		for (const attempt of [body(), body()]) {
			expect(attempt.equals(expected)).toBe(true);
			expect(attempt.buffer).toBe(bytes.buffer);
		}
		expect(bytes.equals(content)).toBe(true);
	});

	it.each([
		['is sent from where it is', roomy],
		['is copied', (content: Buffer) => content],
	])('arrives the same each time where it %s, also when the service fails at first', async (_, held) => {
		faults = 2;
		const content = randomBytes(300_000);
		const requests = await sent({ bytes: held(content) });
		expect(requests).toHaveLength(3);
		for (const request of requests) {
			expect(request.bytes.equals(requests[0]?.bytes ?? content)).toBe(true);
			expect((await partOf(request)).bytes.equals(content)).toBe(true);
		}
	});

	it('may have a name that is longer than the room', async () => {
		const name = `${'Vertrag '.repeat(500)}.pdf`;
		const request = await sentOnce({ name, bytes: roomy(PNG) });
		expect(await partOf(request)).toMatchObject({ name, bytes: PNG });
	});

	it('may be sent under another name afterwards', async () => {
		const bytes = roomy(PNG);
		for (const name of ['one.png', 'another.png']) {
			service.seen.length = 0;
			expect(await partOf(await sentOnce({ name, bytes }))).toMatchObject({ name, bytes: PNG });
		}
	});
});
