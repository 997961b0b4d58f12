import { deflateRawSync, deflateSync } from 'node:zlib';

/**
 * What a PDF is filled with, and where, to make reading it long or large. All of them fill to the
 * size asked for.
 */
export const HOSTILE = {
	'comment signs between objects': (size: number) => between('%', size),
	'comment signs in a page': (size: number) => inPage('%\n', size),
	'dictionaries that do not end': (size: number) => between('9 0 obj << /A ', size),
	'strings that do not end': (size: number) => between('9 0 obj ( endobj ', size),
	'strings that do not end, after a stream without length': (size: number) =>
		between('9 0 obj << >> stream\nendobj ', size),
	'trailers that do not end': (size: number) => between('trailer << ', size),
	'stray keywords': (size: number) => between('x trailer xref startxref ', size),
	'numbers and comments among stray bytes': (size: number) => between('x1 %', size),
	'object headers': (size: number) => between('9 0 obj ', size),
	'one object defined again and again': (size: number) => between('9 0 obj 1 endobj ', size),
	'object streams': (size: number) => between(objectStream(1), size),
	'object streams that say they hold a lot': (size: number) => between(objectStream(200_000), size),
	'nested lists': (size: number) => inPage('/A [[[[[[[[[[]]]]]]]]]]', size),
	'numbers that may be references': (size: number) => inPage('/A [0 0 0 0 0 0 0 0 0 0]', size),
	entries: (size: number) => inPage('/A 1', size),
	'the same page': (size: number) => amongKids('3 0 R ', size),
	'the same node': (size: number) => amongKids('2 0 R ', size),
	pages: (size: number) => treeOf(size, '<< /Type /Page >>', 80, (count) => count),
	nodes: (size: number) => treeOf(size, '<< /Type /Pages /Count 0 /Kids [] >>', 100, () => 0),
	'nodes one below the other': chain,
	'sections one before the other': (size: number) => sections(size),
	'sections with long trailers': (size: number) =>
		sections(size, `/A [${'[[]]'.repeat(24_000)}] /B [${'[[]]'.repeat(24_000)}]`),
	'a table of entries': (size: number) =>
		Buffer.from(
			`${HEADER}xref\n0 ${Math.floor(size / 20)}\n${'0000000015 00000 n \n'.repeat(size / 20)}${TRAILER}${end(9)}`,
		),
	'a table of one entry each': (size: number) => {
		const rows = Array.from(
			{ length: size / 32 },
			(_, index) => `${index * 2} 1\n0000000015 00000 n \n`,
		);
		return Buffer.from(`${HEADER}xref\n${rows.join('')}${TRAILER}${end(9)}`);
	},
	'an Index of one entry each': (size: number) => {
		const index = Array.from({ length: size / 11 }, (_, entry) => `${entry * 2} 1`).join(' ');
		return crossReferenceStream(`/W [1 0 0] /Index [${index}]`, deflateSync(Buffer.alloc(100)));
	},
	'a packed cross-reference stream of zeros': (size: number) =>
		crossReferenceStream('/W [1 1 1] /Index [0 999999999]', bomb(size)),
	'a packed cross-reference stream of zeros with a predictor': (size: number) =>
		crossReferenceStream(
			'/W [1 1 1] /Index [0 999999999] /DecodeParms << /Predictor 12 /Columns 3 >>',
			bomb(size),
		),
	'a packed object stream of spaces': (size: number) => packedTree(bomb(size, ' ')),
	'streams that do not end, of first letters': (size: number) =>
		between(`${'9 0 obj << >> stream\n'.repeat(100)}${'s'.repeat(60_000)}`, size),
	'objects that fail': (size: number) => between('9 0 obj ) endobj ', size),
	'objects of one byte': (size: number) => between('9 0 obj<>', size),
	'short object streams': (size: number) =>
		between('9 0 obj<</Type/ObjStm/N 0/First 0/Length 0>>stream\nendstream ', size),
	'object streams packed in an unknown way': (size: number) =>
		between('9 0 obj<</Type/ObjStm/N 0/First 0/Length 0/Filter/X>>stream\nendstream ', size),
	'empty strings': (size: number) => inPage('/A [<><><><><>()()()()]', size),
	'words and signs': (size: number) => inPage('/A [null true false +-. / / /]', size),
	'keys that count': (size: number) => inPage('/N 1', size),
	'keys with escapes': (size: number) => inPage('/#4B#69ds 1', size),
	'lists in a packed object stream': (size: number) => packedTree(packed('[[[[[[[[]]]]]]]]', size)),
	'entries in a packed object stream': (size: number) =>
		packedTree(packed('<</A 1/B()/C<>/D[1 0 R]>>', size)),
	'numbers in a packed object stream': (size: number) =>
		packedTree(packed('[0 1 2 3 4 5 6 7]', size)),
	'lists in a packed page': (size: number) => packedPage('/A [[[[[[[[]]]]]]]]', size),
	'numbers in a packed page': (size: number) => packedPage('/A 1', size),
	'keys with escapes in a packed page': (size: number) => packedPage('/#44ecodeParms[]', size),
	'as many entries, nodes and unpacked bytes as there may be': everything,
	'packed blocks with codes of their own': (size: number) => {
		const block = deflateRawSync(
			Buffer.from(Array.from({ length: 300 }, (_, index) => 97 + ((index * index) % 7))),
			{
				finishFlush: 2,
			},
		);
		const blocks = Array.from({ length: Math.ceil(size / block.length) }, () => block);
		return packedTree(Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks]));
	},
} as const;

export type Hostile = keyof typeof HOSTILE;

const HEADER = '%PDF-1.7\n';
const TRAILER = 'trailer << /Size 9 /Root 1 0 R >>\n';

const end = (start: number) => `\nstartxref\n${start}\n%%EOF\n`;
const filler = (text: string | Buffer, size: number) => Buffer.alloc(size, text);
const bomb = (size: number, text = '\0') =>
	deflateSync(Buffer.alloc(Math.min(size * 300, 2 ** 28), text));

function written(
	objects: ReadonlyArray<readonly [number, Buffer | string]>,
	before: Buffer | string = '',
): Buffer {
	const parts: Buffer[] = [];
	let length = 0;
	const put = (part: Buffer | string) => {
		const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
		parts.push(bytes);
		length += bytes.length;
	};
	put(HEADER);
	const rows = ['0000000000 65535 f \n'];
	objects.forEach(([number, source], index) => {
		if (index === objects.length - 1) {
			put(before);
			put('\n');
		}
		rows[number] = `${String(length).padStart(10, '0')} 00000 n \n`;
		put(`${number} 0 obj\n`);
		put(source);
		put('\nendobj\n');
	});
	const start = length;
	put(`xref\n0 ${rows.length}\n${rows.join('')}${TRAILER}${end(start)}`);
	return Buffer.concat(parts);
}

const CATALOG = [1, '<< /Type /Catalog /Pages 2 0 R >>'] as const;
const ROOT = [2, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'] as const;
const PAGE = [3, '<< /Type /Page >>'] as const;

function between(text: string | Buffer, size: number): Buffer {
	return written([CATALOG, ROOT, PAGE], filler(text, size));
}

function inPage(text: string, size: number): Buffer {
	const whole = filler(text, Math.ceil(size / text.length) * text.length);
	return written([
		CATALOG,
		ROOT,
		[3, Buffer.concat([Buffer.from('<< /Type /Page '), whole, Buffer.from('\n>>')])],
	]);
}

function amongKids(text: string, size: number): Buffer {
	const whole = filler(text, Math.ceil(size / text.length) * text.length);
	const root = Buffer.concat([
		Buffer.from('<< /Type /Pages /Count 1 /Kids ['),
		whole,
		Buffer.from(']\n>>'),
	]);
	return written([CATALOG, [2, root], PAGE]);
}

function treeOf(
	size: number,
	kid: string,
	bytesEach: number,
	count: (kids: number) => number,
): Buffer {
	const kids = Array.from({ length: Math.ceil(size / bytesEach) }, (_, index) => index + 3);
	const root = `<< /Type /Pages /Count ${count(kids.length)} /Kids [${kids.map((number) => `${number} 0 R`).join(' ')}] >>`;
	return written([CATALOG, [2, root], ...kids.map((number) => [number, kid] as const)]);
}

function chain(size: number): Buffer {
	const nodes = Array.from({ length: Math.ceil(size / 90) }, (_, index) => index + 2);
	return written([
		CATALOG,
		...nodes.map(
			(number) => [number, `<< /Type /Pages /Count 1 /Kids [${number + 1} 0 R] >>`] as const,
		),
		[nodes.length + 2, PAGE[1]],
	]);
}

function sections(size: number, entries = ''): Buffer {
	const parts = [HEADER];
	let length = HEADER.length;
	let previous = 0;
	for (let index = 0; length < size; index++) {
		const prev = index === 0 ? '' : `/Prev ${previous}`;
		const section = `xref\n${index} 1\n0000000015 00000 n \ntrailer << /Root 1 0 R ${prev} ${entries} >>\n`;
		previous = length;
		parts.push(section);
		length += section.length;
	}
	return Buffer.from(parts.join('') + end(previous), 'latin1');
}

function crossReferenceStream(entries: string, data: Buffer): Buffer {
	const dictionary = `<< /Type /XRef /Root 1 0 R /Size 9 /Filter /FlateDecode ${entries} /Length ${data.length} >>`;
	const start = `${HEADER}5 0 obj ${dictionary} stream\n`;
	return Buffer.concat([
		Buffer.from(start),
		data,
		Buffer.from(`\nendstream endobj${end(HEADER.length)}`),
	]);
}

/** An object stream with so many objects, which nobody refers to. */
function objectStream(count: number): Buffer {
	const header = '50 0 '.repeat(count);
	const data = deflateSync(Buffer.from(`${header}null`));
	const dictionary = `<< /Type /ObjStm /N ${count} /First ${header.length} /Filter /FlateDecode /Length ${data.length} >>`;
	return Buffer.concat([
		Buffer.from(`9 0 obj ${dictionary} stream\n`),
		data,
		Buffer.from('\nendstream endobj\n'),
	]);
}

/**
 * An object stream for a page tree whose first object is a list of such values, as large as one can
 * be.
 */
function packed(text: string, size: number): Buffer {
	const header = '1 0 2 1 3 2 '.padEnd(20);
	const room = Math.max(2 ** 21, size / 6) - 100;
	return deflateSync(
		Buffer.concat([
			Buffer.from(`${header}[`),
			filler(text, Math.floor(room / text.length) * text.length),
		]),
	);
}

/** A page full of such entries in an object stream, which a small file may have read to its end. */
function packedPage(text: string, size: number): Buffer {
	const [catalog, root] = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>'];
	const header = `1 0 2 ${catalog.length} 3 ${catalog.length + root.length} `.padEnd(20);
	const room = Math.max(2 ** 20, size / 6) - 200;
	const entries = filler(text, Math.floor(room / text.length) * text.length);
	const page = Buffer.concat([Buffer.from('<</Type/Page'), entries, Buffer.from('>>')]);
	return packedTree(deflateSync(Buffer.concat([Buffer.from(header + catalog + root), page])));
}

/**
 * A page tree of one page again and again, among many other objects, in an object stream with large
 * parts.
 */
function everything(size: number): Buffer {
	const kids = Math.floor(size / 64);
	const rows = Math.floor(size / 6 / 6);
	const numbers = Math.floor(size / 200);
	const node = `<</Type/Pages/Count ${kids}/Kids[${'3 0 R '.repeat(kids)}]>>`;
	const objects = ['<</Type/Catalog/Pages 2 0 R>>', node, '<</Type/Page>>'];
	const pairs = objects.map(
		(_, index) => `${index + 1} ${objects.slice(0, index).join(' ').length + (index && 1)}`,
	);
	const rest = objects.join(' ').length + 1;
	for (let number = 4; number < numbers; number++) pairs.push(`9 ${rest + (number - 4) * 2}`);
	const header = `${pairs.join(' ')} `;
	const data = deflateSync(Buffer.from(`${header}${objects.join(' ')} ${'0 '.repeat(numbers)}`));
	const stream = `4 0 obj<</Type/ObjStm/N ${pairs.length}/First ${header.length}/Filter/FlateDecode/Length ${data.length}>>stream\n`;
	const columns = Buffer.alloc(rows * 6);
	for (const [number, [kind, first, second]] of [
		[2, 4, 0],
		[2, 4, 1],
		[2, 4, 2],
		[1, HEADER.length, 0],
	].entries()) {
		columns.writeUInt8(kind ?? 0, (number + 1) * 6);
		columns.writeUInt32BE(first ?? 0, (number + 1) * 6 + 1);
		columns.writeUInt8(second ?? 0, (number + 1) * 6 + 5);
	}
	const table = deflateSync(columns);
	const between = Buffer.from('\nendstream endobj\n');
	const comment = filler('%', size);
	const head = Buffer.concat([
		Buffer.from(HEADER + stream),
		data,
		between,
		comment,
		Buffer.from('\n'),
	]);
	const last = `5 0 obj<</Type/XRef/Root 1 0 R/Size ${rows}/W[1 4 1]/Filter/FlateDecode/Length ${table.length}>>stream\n`;
	return Buffer.concat([head, Buffer.from(last), table, between, Buffer.from(end(head.length))]);
}

/** A file whose page tree is in an object stream of this content. */
function packedTree(data: Buffer): Buffer {
	const head = Buffer.from(
		`${HEADER}4 0 obj << /Type /ObjStm /N 3 /First 20 /Filter /FlateDecode /Length ${data.length} >> stream\n`,
	);
	const tail = '\nendstream endobj\n';
	const start = head.length + data.length + tail.length;
	const rows = [
		[0, 0, 0],
		[2, 4, 0],
		[2, 4, 1],
		[2, 4, 2],
		[1, HEADER.length, 0],
	].map(([kind = 0, first = 0, second = 0]) => {
		const row = Buffer.alloc(6);
		row.writeUInt8(kind, 0);
		row.writeUInt32BE(first, 1);
		row.writeUInt8(second, 5);
		return row;
	});
	const table = `5 0 obj << /Type /XRef /Root 1 0 R /Size 5 /W [1 4 1] /Length ${rows.length * 6} >> stream\n`;
	return Buffer.concat([
		head,
		data,
		Buffer.from(tail + table),
		...rows,
		Buffer.from(`${tail}${end(start)}`),
	]);
}

/** What a page or one of its fonts is filled with, to make reading its text long or large. */
export const HOSTILE_TEXT = {
	'one string': (size: number) => withContent(`(${'x'.repeat(size)}) Tj`),
	'one string that does not end': (size: number) => withContent(`(${'('.repeat(size)}`),
	'hexadecimal digits': (size: number) => withContent(`<${'41'.repeat(size / 2)}> Tj`),
	'short strings': (size: number) => withContent(`BT /F 9 Tf ${'(abc) Tj '.repeat(size / 9)}`),
	names: (size: number) => withContent('/A '.repeat(size / 3)),
	'one name': (size: number) => withContent(`/${'A'.repeat(size)} Do`),
	comments: (size: number) => withContent('%\n'.repeat(size / 2)),
	'one comment': (size: number) => withContent('%'.repeat(size)),
	'numbers without operators': (size: number) => withContent('0 '.repeat(size / 2)),
	'white space': (size: number) => withContent(' '.repeat(size)),
	'white space among packed digits': (size: number) =>
		withContent(' '.repeat(size), '', '/Filter /ASCII85Decode'),
	'glyphs smaller than can be seen': (size: number) =>
		withContent(`BT /F 0.00001 Tf 5 5 Td ${`(${'x'.repeat(30_000)}) Tj `.repeat(size / 30_006)}`),
	'lists in lists': (size: number) => withContent('['.repeat(size)),
	'saved states': (size: number) => withContent('q '.repeat(size / 2)),
	'marked content': (size: number) => withContent('/A BMC '.repeat(size / 7)),
	'inline images': (size: number) => withContent('BI ID x EI '.repeat(size / 11)),
	'an inline image that does not end': (size: number) =>
		withContent(`BI ID ${' EI\x80'.repeat(size / 4)}`),
	'forms in forms': (size: number) => withContent('/X Do '.repeat(size / 6)),
	'fonts that are missing': (size: number) => withContent('/G 9 Tf '.repeat(size / 8)),
	'codes of a font': (size: number) => {
		const range = '<0000> <FFFF> <0000> ';
		return withContent(
			'BT /F 9 Tf (abc) Tj',
			`1 beginbfrange ${range.repeat(size / 21)} endbfrange`,
		);
	},
	'single codes of a font': (size: number) => {
		const codes = Array.from(
			{ length: size / 14 },
			(_, code) => `<${((code * 7919) % 65_536).toString(16).padStart(4, '0')}> <0041>`,
		);
		return withContent('BT /F 9 Tf (abc) Tj', `1 beginbfchar ${codes.join(' ')} endbfchar`);
	},
	'blocks of codes of a font': (size: number) => {
		const blocks = Array.from({ length: size / 2_150 }, (_, block) => {
			const codes = Array.from({ length: 100 }, (__, at) => {
				const code = ((100 * block + at) % 65_536).toString(16).padStart(4, '0');
				return `<${code}> <${code}> <0041>`;
			});
			return `beginbfrange ${codes.join(' ')} endbfrange`;
		});
		return withContent('BT /F 9 Tf (abc) Tj', blocks.join('\n'));
	},
	'contents without content': (size: number) =>
		written([
			CATALOG,
			ROOT,
			[3, `<< /Type /Page /Contents [${'4 0 R '.repeat(Math.min(20_000, size / 6))}] >>`],
			[4, '<< /Length 0 >> stream\n\nendstream'],
		]),
	'a packed content of strings': (size: number) => packedContent('(abcdefgh) Tj ', size),
	'a packed content of spaces': (size: number) => packedContent(' ', size),
	'pages of one content': (size: number) =>
		treeOf(size, '<< /Type /Page /Contents 2 0 R >>', 80, (count) => count),
} as const;

export type HostileText = keyof typeof HOSTILE_TEXT;

/** A page with such content, whose form shows itself, and such a table of codes of its font. */
function withContent(content: string | Buffer, codes = '', filter = ''): Buffer {
	const streamOf = (data: string | Buffer, entries: string) =>
		Buffer.concat([
			Buffer.from(`<< ${entries} /Length ${data.length} >> stream\n`),
			typeof data === 'string' ? Buffer.from(data, 'latin1') : data,
			Buffer.from('\nendstream'),
		]);
	const resources = '/Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>';
	return written([
		CATALOG,
		ROOT,
		[3, `<< /Type /Page /MediaBox [0 0 600 800] /Contents 4 0 R ${resources} >>`],
		[4, streamOf(content, filter)],
		[5, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>'],
		[6, streamOf('/X Do /X Do /X Do', `/Subtype /Form ${resources}`)],
		[7, streamOf(codes, '')],
	]);
}

function packedContent(text: string, size: number): Buffer {
	const content = Buffer.alloc(Math.min(size * 300, 2 ** 28), text);
	return withContent(deflateSync(content), '', '/Filter /FlateDecode');
}
