import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { readBinaryFile } from '../../nodes/ESign/operation/parameters/binaryFile';
import { askWithoutPauses, scriptedItem } from '../actions/support/scriptedItem';

askWithoutPauses();

const MB = 1024 * 1024;
/** What a PDF begins with and ends near to, as far as the node looks. */
const PDF = '%PDF-trailer ';
const inItem = (text: string, more: Partial<IBinaryData> = {}) =>
	({
		data: Buffer.from(text && `${PDF}${text}`).toString('base64'),
		mimeType: 'application/pdf',
		...more,
	}) as IBinaryData;
/** Kept outside of the item: the id is what the stream gives, chunk by chunk. */
const stored = (id: string, bytes: unknown) => inItem('from n8n', { id, bytes: bytes as number });

async function read(binary: Record<string, unknown> | undefined, named = 'data') {
	const { item } = scriptedItem({}, undefined, {
		json: {},
		...(binary && { binary: binary as Record<string, IBinaryData> }),
	});
	const { name, bytes } = await readBinaryFile(item, named, 'Input Binary Field');
	return { name, text: bytes.toString().replace(PDF, '') };
}

describe('A file of an item', () => {
	it.each<[string, Record<string, unknown>, string, string]>([
		['is the field that was named', { a: inItem('A'), b: inItem('B') }, 'b', 'B'],
		['is the only one, where nobody has named any', { upload: inItem('U') }, 'data', 'U'],
		[
			'is data, where there is one of that name',
			{ other: inItem('O'), data: inItem('D') },
			'data',
			'D',
		],
		[
			'is read to where it is sent from, if it is kept elsewhere',
			{ data: stored(`${PDF}ab|cd`, PDF.length + 4) },
			'data',
			'abcd',
		],
		[
			'is read by n8n if there is more than its metadata says',
			{ data: stored(`${PDF}ab|cd`, 3) },
			'data',
			'from n8n',
		],
		['or less', { data: stored(`${PDF}ab|cd`, PDF.length + 5) }, 'data', 'from n8n'],
		['or if its size is no whole number', { data: stored('ab|cd', 1.5) }, 'data', 'from n8n'],
		['or below nothing', { data: stored('ab', -1) }, 'data', 'from n8n'],
		['or not known', { data: stored('ab', undefined) }, 'data', 'from n8n'],
	])('%s', async (_, binary, named, text) => {
		expect((await read(binary, named)).text).toBe(text);
	});

	it('keeps its name; without a name it is called like its field', async () => {
		await expect(read({ data: inItem('x', { fileName: 'a.pdf' }) })).resolves.toMatchObject({
			name: 'a.pdf',
		});
		await expect(read({ data: inItem('x') })).resolves.toMatchObject({ name: 'data' });
	});

	it('may have 25 MB', async () => {
		await expect(read({ data: inItem('x', { bytes: 25 * MB }) })).resolves.toBeDefined();
	});

	const NAME = 'Name one of these fields, or give an expression with nothing around it.';
	const FIELD = 'Name an input field that contains a file.';
	const CONNECT =
		"Connect a node that outputs a file, or take that of an earlier node, such as {{ $('Form').item.binary.contract }}.";
	const FILLED = 'Use a file that is not empty.';
	const SMALLER = 'Use files of 25 MB at most.';
	const HALF = 'Remove it. It comes from cutting a text in the middle of a character.';
	const AND_B = { a: inItem('A'), b: inItem('B') };
	it.each<[string, Record<string, unknown> | undefined, string, string, string?]>([
		['no file', undefined, 'the input item has no files', CONNECT],
		['none of that name', AND_B, 'the item has no file "c"; it has: a, b', NAME, 'c'],
		[
			'only what every object has',
			AND_B,
			'the item has no file "constructor"; it has: a, b',
			NAME,
			'constructor',
		],
		[
			'one other than was named',
			{ a: inItem('A') },
			'the item has no file "c"; it has: a',
			NAME,
			'c',
		],
		['two, where nobody has named any', AND_B, 'the item has no file "data"; it has: a, b', NAME],
		['null for a file', { data: null }, '"data" is not a file', FIELD],
		['a file without content', { data: { mimeType: 'x' } }, '"data" is not a file', FIELD],
		['an empty file', { data: inItem('') }, 'the file in "data" is empty', FILLED],
		['an empty file elsewhere', { data: stored('', 0) }, 'the file in "data" is empty', FILLED],
		[
			'one too large',
			{ data: inItem('x', { bytes: 25 * MB + MB / 10 }) },
			'the file in "data" has 25.1 MB',
			SMALLER,
		],
		[
			'one too large by itself',
			{ data: inItem('x'.repeat(25 * MB + 1)) },
			'the file in "data" has 25.1 MB',
			SMALLER,
		],
		[
			'a name with half a character',
			{ data: inItem('x', { fileName: 'a\ud83d.pdf' }) },
			'the name of the file in "data" contains half of a character, such as half of an emoji',
			HALF,
		],
	])('is refused if the item has %s', async (_, binary, what, remedy, ...named) => {
		const failure = (await read(binary, ...named).catch((error: unknown) => error)) as Error &
			IDataObject;
		expect(failure.message).toBe(`Input Binary Field: ${what}`);
		expect(failure.description).toBe(
			`${remedy}\nNothing was changed at the service for this item.`,
		);
	});
});
