import type { IDataObject, INodeParameters, INodePropertyCollection } from 'n8n-workflow';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { binary } from '../../../support/n8nCore/n8n';
import { fixture } from '../../../fixtures/fixture';
import { PNG } from '../../../client/support/samples';
import { fields as rows } from '../../../../nodes/ESign/actions/document/fields/field';
import { bench, openBench } from '../../support/operationRun';
import { byId, RETRY } from '../../support/workbench';
import { docx, docxOf } from './support/docx';

openBench();

const PEOPLE = [
	{ name: 'Ada Lovelace', email: 'ada@example.com' },
	{ name: 'Grace Hopper', email: 'grace@example.com' },
];

const BOTH = ['[[signature 1]]', '[[signature 2]]'];

/** A PDF whose pages have these lines, 30 points apart. */
async function pdf(...pages: string[][]): Promise<Buffer> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (const lines of pages) {
		const page = document.addPage([600, 800]);
		lines.forEach((line, index) =>
			page.drawText(line, { x: 60, y: 700 - 30 * index, size: 10, font }),
		);
	}
	return Buffer.from(await document.save());
}

const TYPES: Record<string, string> = {
	pdf: 'application/pdf',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	png: 'image/png',
};

async function run(
	files: Record<string, Buffer>,
	more: INodeParameters = {},
	operation = 'createAndSend',
	settings = {},
) {
	const names = Object.keys(files);
	const fields = await Promise.all(
		Object.entries(files).map(async ([name, bytes], index) => {
			const type = TYPES[name.split('.').at(-1) ?? ''] ?? '';
			return [`file${index}`, await binary(bytes, name, type)] as const;
		}),
	);
	const parameters = {
		recipientsInput: 'json',
		recipientsJson: JSON.stringify(PEOPLE),
		fieldsInput: 'automatic',
		binaryPropertyNames: names.map((_, index) => `file${index}`).join(),
		...more,
	};
	const items = [{ json: {}, binary: Object.fromEntries(fields) }];
	const {
		items: output,
		error,
		hints,
	} = await bench.run('document', operation, parameters, { items, settings });
	const requests = bench.takeRequests();
	const put = requests.find(({ method }) => method === 'PUT');
	return {
		id: output[0]?.json.id ?? error?.context?.documentId,
		status: output[0]?.json.status,
		fields: ((put?.body as IDataObject | undefined)?.fields ?? []) as IDataObject[],
		calls: requests.map(
			({ method, path }) => `${method} ${path.replace(/(doc|file)_\w+/g, '{id}')}`,
		),
		error: error && `${error.message} | ${error.description}`,
		hints: hints.map(({ message }) => message),
	};
}

const json = (...list: object[]): INodeParameters => ({
	fieldsInput: 'json',
	fieldsJson: JSON.stringify(list),
});
const signatures = (...anchors: object[]) =>
	json(...anchors.map((anchor, index) => ({ recipient: index + 1, type: 'SIGNATURE', anchor })));

const WITHOUT_TEXT = [
	'POST /files',
	'POST /documents',
	'PUT /documents/{id}/fields',
	'POST /documents/{id}/send',
];
const WITH_ORIGINAL = [
	'POST /files',
	'POST /documents',
	'GET /documents/{id}/files/original',
	...WITHOUT_TEXT.slice(2),
];

describe('Tags in a PDF', () => {
	it('are fields, in as many requests as coordinates take', async () => {
		const bytes = await pdf(['Contract'], [...BOTH, '[[text 1 optional: Job title]]']);
		const { calls, fields, hints, status } = await run({ 'a.pdf': bytes });
		expect(status).toBe('in_progress');
		expect(calls).toEqual(WITHOUT_TEXT);
		expect(fields).toMatchObject([
			{ type: 'SIGNATURE', pageNumber: 2, xNorm: 0.1, widthNorm: 0.24, heightNorm: 0.045 },
			{ type: 'SIGNATURE', pageNumber: 2 },
			{ type: 'TEXT', required: false, placeholderText: 'Job title' },
		]);
		// The line is at 100 points from the top, 2.5 above the bottom of the box.
		expect(Number(fields[0]?.yNorm) + 0.045).toBeCloseTo(102.5 / 800, 4);
		expect(hints).toContain('Placed 3 fields by tags on page 2');
	});

	it('count on over the pages of several files', async () => {
		const files = {
			'a.pdf': await pdf([BOTH[0] ?? ''], []),
			'b.png': PNG,
			'c.pdf': await pdf([BOTH[1] ?? '']),
		};
		const { fields } = await run(files);
		expect(fields.map(({ pageNumber }) => pageNumber)).toEqual([1, 4]);
	});

	it.each<[string, string[][], RegExp]>([
		[
			'a misspelt one',
			[BOTH, ['[[sgnature 1]]'], ['[[sgnature 1]]']],
			/^\[\[sgnature 1\]\] on page 2 has no type of field, and 1 more problem/,
		],
		[
			'a misspelt one, which is not said to be missing as well',
			[['[[sgnature 1]]', String(BOTH[1])]],
			/has no type of field \| Write it as in \[\[signature 1\]\], or switch off Use Tags\.\nNothing/,
		],
		[
			'an unknown recipient',
			[[...BOTH, '[[date 3]]']],
			/^\[\[date 3\]\] on page 1 names "3", who is no recipient.*1 \(ada/s,
		],
		[
			'a signer without one',
			[['[[signature 1]]', '[[date 2]]']],
			/no signature tag for grace@example.com.*\[\[signature 2\]\]/s,
		],
		[
			'options that are too long',
			[[...BOTH, `[[dropdown 1: ${'x'.repeat(81)}]]`]],
			/^\[\[dropdown 1: x+\]\] on page 1 > Options to Choose From has 81 characters/,
		],
		[
			'what was not filled in',
			[[...BOTH, '[[Company name]]']],
			/^\[\[Company name\]\] on page 1 is neither a tag nor filled in/,
		],
	])('are refused before any request: %s', async (_, pages, message) => {
		const { calls, error } = await run({ 'a.pdf': await pdf(...pages) });
		expect(calls).toEqual([]);
		expect(error).toMatch(message);
		expect(error).toContain('Nothing was changed at the service');
	});

	it.each<[string, string[], INodeParameters, RegExp]>([
		['there are none, and a hint says so', ['[[1]]', 'Sign here'], {}, /^No tags .*: page 2/],
		['Use Tags is off', BOTH, { automatic: { useTags: false } }, /^(?!.*tags)/],
	])('leave Automatic as it is if %s', async (_, lines, more, hint) => {
		const { fields, calls, hints } = await run({ 'a.pdf': await pdf(['First'], lines) }, more);
		expect(calls).toEqual(WITHOUT_TEXT);
		expect(fields).toMatchObject([
			{ pageNumber: 2, yNorm: 0.82 },
			{ pageNumber: 2, yNorm: 0.9 },
		]);
		expect(hints.join()).toMatch(hint);
	});

	it('leave Automatic as it is if none has a recipient, and a hint says so', async () => {
		const bytes = await pdf(['First'], ['[[Company name]]', '[[signature Ada]]']);
		const { fields, hints } = await run({ 'a.pdf': bytes });
		expect(fields).toMatchObject([{ yNorm: 0.82 }, { yNorm: 0.9 }]);
		expect(hints).toContain(
			'Text in double brackets is no tag without a type of field and a recipient: [[Company name]] on page 2, [[signature Ada]] on page 2',
		);
	});
});

it('Without a text to look for, the last page of an encrypted PDF is known', async () => {
	const files = { 'a.pdf': fixture('encrypted-owner.pdf') };
	const { calls, fields } = await run(files, { automatic: { useTags: false } });
	expect(calls).toEqual(WITHOUT_TEXT);
	expect(fields).toMatchObject([{ pageNumber: 1 }, { pageNumber: 1 }]);
});

/** As the editor adds a row: of two values of one name the last would preset it. */
function addedRow(given: IDataObject): IDataObject {
	const form = rows.description.flatMap(({ property }) => property.options ?? []);
	const { values } = form.find(({ name }) => name === 'field') as INodePropertyCollection;
	return {
		...Object.fromEntries(values.map(({ name, default: value }) => [name, value])),
		...given,
	};
}

describe('A row that was added in the editor', () => {
	it.each<[string, IDataObject, IDataObject, number]>([
		['at a text', { text: 'Sign here' }, { widthNorm: 0.24, heightNorm: 0.045 }, 4],
		['at a position', { place: 'atPosition' }, { widthNorm: 0.242, heightNorm: 0.043 }, 3],
	])('has the size of its type %s', async (_, given, size, digits) => {
		const field = ['1', '2'].map((recipient) => addedRow({ recipient, ...given }));
		field[1] = { ...field[1], yNorm: 0.5, yOffsetNorm: 0.2 };
		const form = { fieldsInput: 'form', fields: { field } } as INodeParameters;
		const { fields } = await run({ 'a.pdf': await pdf(['Sign here'], []) }, form);
		expect(fields).toHaveLength(2);
		for (const [name, value] of Object.entries(size))
			expect(fields[0]?.[name]).toBeCloseTo(Number(value), digits);
	});
});

describe('A text', () => {
	const PAGES = [
		['Signature of the Client: ____', 'Sign'],
		['Sign', 'Signature of the Supplier: ____'],
		['Sign'],
	];

	it('says where a field is', async () => {
		const anchors = [
			{ text: 'signature of the client:', side: 'right' },
			{ text: 'Sign', occurrence: 'last', side: 'below', yOffsetNorm: 0.1 },
		];
		const { fields, calls } = await run({ 'a.pdf': await pdf(...PAGES) }, signatures(...anchors));
		expect(calls).toEqual(WITHOUT_TEXT);
		expect(fields).toMatchObject([
			{ pageNumber: 1, widthNorm: 0.24 },
			{ pageNumber: 3, xNorm: 0.1, yNorm: 0.23062 },
		]);
		expect(Object.keys(fields[0] ?? {}).sort()).toEqual([
			'heightNorm',
			'pageNumber',
			'recipientId',
			'type',
			'widthNorm',
			'xNorm',
			'yNorm',
		]);
	});

	it.each([
		['first', [1]],
		['last', [3]],
		['every', [1, 2, 3]],
	])('that is there several times gives a field at the %s of them', async (occurrence, pages) => {
		const { fields } = await run(
			{ 'a.pdf': await pdf(...PAGES) },
			signatures({ text: 'Sign', occurrence }, { text: 'Sign', occurrence: 'first' }),
		);
		expect(fields.map(({ pageNumber }) => pageNumber)).toEqual([...pages, 1]);
	});

	it('that is there often cannot have more fields than a document may', async () => {
		const page = Array.from({ length: 20 }, () => 'Sign '.repeat(13));
		const anchor = { text: 'Sign', occurrence: 'every' };
		const { error, calls } = await run(
			{ 'a.pdf': await pdf(page) },
			signatures(anchor, { ...anchor, yOffsetNorm: 0.01 }),
		);
		expect(error).toMatch(/^Fields \(JSON\) has 520 fields.*Use 500 at most/s);
		expect(calls).toEqual([]);
	});

	it('may be in the form, beside positions and with every place of it', async () => {
		const field = [
			{ recipient: 'ada@example.com', type: 'SIGNATURE', text: 'Sign', occurrence: 'every' },
			{
				recipient: '2',
				type: 'SIGNATURE',
				place: 'atPosition',
				pageNumber: 2,
				xNorm: 0.3,
				yNorm: 0.5,
				// What a sum has too much by rounding is taken off.
				widthNorm: 0.7 + 5e-10,
				heightNorm: 0.05,
			},
		];
		const { fields } = await run({ 'a.pdf': await pdf(...PAGES) }, {
			fieldsInput: 'form',
			fields: { field },
		} as INodeParameters);
		expect(fields.map(({ pageNumber }) => pageNumber)).toEqual([1, 2, 3, 2]);
		expect(fields[3]).toMatchObject({ xNorm: 0.3, widthNorm: 0.7 });
	});

	it.each<[string, object, RegExp]>([
		[
			'there several times',
			{ text: 'Sign' },
			/^Fields \(JSON\) > 1 > Text: "Sign" is there 3 times, on pages 1, 2, 3.*Every under Occurrence/s,
		],
		[
			'not there',
			{ text: 'Signature of client:' },
			/"Signature of client:" is not in "a.pdf" \(3 pages\).*nearest text is "Signature of the Client:" on page 1/s,
		],
		[
			'like nothing there',
			{ text: 'Unterschrift' },
			/"Unterschrift" is not in "a.pdf".*Correct the text/s,
		],
	])('is refused before any request if it is %s', async (_, anchor, message) => {
		const { calls, error } = await run({ 'a.pdf': await pdf(...PAGES) }, signatures(anchor));
		expect(calls).toEqual([]);
		expect(error).toMatch(message);
	});

	it('that is there more than 500 times has no last place', async () => {
		const page = Array.from({ length: 20 }, () => 'Sign '.repeat(15));
		const bytes = await pdf(page, page);
		const anchor = { text: 'Sign', occurrence: 'last' };
		const { error, calls } = await run({ 'a.pdf': bytes }, signatures(anchor));
		expect(error).toMatch(/"Sign" is there more than 500 times.*Choose First/s);
		expect(calls).toEqual([]);
	});

	it('is refused in a scan, with what to do', async () => {
		const { error, calls } = await run({ 'a.png': PNG }, signatures({ text: 'Sign' }));
		expect(error).toMatch(/no text can be read in "a.png" \(1 page\).*Choose At Position/s);
		expect(calls).toEqual([]);
	});
});

describe('A Word file', () => {
	it('costs one request and a download more: its tags are placed by the draft', async () => {
		const { calls, fields, status, hints } = await run({
			'a.docx': docx('Contract', ...BOTH, '[[date 2]]'),
		});
		expect(status).toBe('in_progress');
		expect(calls).toEqual(WITH_ORIGINAL);
		expect(fields).toMatchObject([
			{ type: 'SIGNATURE', pageNumber: 1 },
			{ type: 'SIGNATURE' },
			{ type: 'DATE' },
		]);
		expect(hints).toContain('Placed 3 fields by tags on page 1');
	});

	it('has a last page', async () => {
		const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}`);
		const automatic = { useTags: false };
		const { calls, fields } = await run({ 'a.docx': docx(...lines) }, { automatic });
		expect(calls).toEqual(WITH_ORIGINAL);
		expect(fields).toMatchObject([{ pageNumber: 2 }, { pageNumber: 2 }]);
		const chosen = await run(
			{ 'a.docx': docx(...lines) },
			{ automatic: { ...automatic, page: 'first' } },
		);
		expect(chosen.calls).toEqual(WITHOUT_TEXT);
	});

	it.each<[string, string[], INodeParameters, RegExp]>([
		[
			'a misspelt tag',
			[...BOTH, '[[sgnature 1]]'],
			{},
			/^\[\[sgnature 1\]\] in "a.docx" has no type/,
		],
		['a signer without a tag', ['[[signature 1]]'], {}, /no signature tag for grace/],
		[
			'a text that is not there',
			['Sign'],
			signatures({ text: 'Signed' }, { text: 'Sign' }),
			/"Signed" is not in "a.docx".*nearest text is "Sign" in "a.docx"/s,
		],
	])('is refused before any request for %s', async (_, lines, more, message) => {
		const { calls, error } = await run({ 'a.docx': docx(...lines) }, more);
		expect(calls).toEqual([]);
		expect(error).toMatch(message);
	});

	it('may have numbers before its paragraphs that are not among its words', async () => {
		const anchors = [{ text: '5. Sign' }, { text: '(a) Sign' }];
		const { calls, error } = await run({ 'a.docx': docx('Sign') }, signatures(...anchors));
		expect(calls).toContain('GET /documents/{id}/files/original');
		expect(error).toMatch(/^The draft doc_\w+ was created.*"5. Sign" is not in the document/);
	});

	it('may have more pages than its words fill', async () => {
		const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}`);
		const automatic = { page: 'number', pageNumber: 2 };
		const { fields, error } = await run({ 'a.docx': docx(...lines) }, { automatic });
		expect(error).toBeUndefined();
		expect(fields).toMatchObject([{ pageNumber: 2 }, { pageNumber: 2 }]);
	});

	it('beside a PDF: all is read from the draft', async () => {
		const files = { 'a.docx': docx(BOTH[0] ?? ''), 'b.pdf': await pdf([], [BOTH[1] ?? '']) };
		const { calls, fields } = await run(files);
		expect(calls).toEqual(['POST /files', ...WITH_ORIGINAL]);
		expect(fields.map(({ pageNumber }) => pageNumber)).toEqual([1, 3]);
	});

	describe('beside a file that the node cannot read', () => {
		/** A paragraph that is longer than those of contracts. */
		const unread = (...lines: string[]) => docx('word '.repeat(2_100), ...lines);

		it.each<[string, string[], RegExp]>([
			['a misspelt tag', ['[[sgnature 1]]'], /^\[\[sgnature 1\]\] in "a.docx", "b.docx" has no/],
			['an unknown recipient', ['[[signature 3]]'], /^\[\[signature 3\]\].*who is no recipient/],
		])('is refused before any request for %s', async (_, lines, message) => {
			const files = { 'a.docx': docx(...BOTH, ...lines), 'b.docx': unread('Sign') };
			const { calls, error } = await run(files);
			expect(calls).toEqual([]);
			expect(error).toMatch(message);
		});

		it('has the tags of some signers, and the other file those of others', async () => {
			const files = { 'a.docx': docx(BOTH[0] ?? ''), 'b.docx': unread(BOTH[1] ?? '') };
			const { calls, fields, status } = await run(files);
			expect(calls).toEqual(['POST /files', ...WITH_ORIGINAL]);
			expect(fields).toMatchObject([{ pageNumber: 1 }, { type: 'SIGNATURE' }]);
			expect(status).toBe('in_progress');
		});

		it('is not sent if a signer has a tag in neither', async () => {
			const files = { 'a.docx': docx(BOTH[0] ?? ''), 'b.docx': unread('Sign') };
			const { calls, error } = await run(files);
			expect(calls).toEqual(['POST /files', ...WITH_ORIGINAL.slice(0, 3)]);
			expect(error).toMatch(/^The draft doc_\w+ was created.*no signature tag for grace/s);
		});

		it('need not have a text that the other file has', async () => {
			const files = { 'a.docx': docx('Sign'), 'b.docx': unread('Here') };
			const { fields } = await run(files, signatures({ text: 'Sign' }, { text: 'Here' }));
			expect(fields).toMatchObject([{ pageNumber: 1 }, { type: 'SIGNATURE' }]);
		});
	});

	it('is not sent if the PDF made of it does not show one of its tags', async () => {
		const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
		// Of a footer that no section has.
		const footer = { 'word/footer9.xml': `<w:ftr>${paragraph('[[date 2]]')}</w:ftr>` };
		const { calls, error } = await run({ 'a.docx': docxOf(BOTH.map(paragraph).join(''), footer) });
		expect(calls).toEqual(WITH_ORIGINAL.slice(0, 3));
		expect(error).toMatch(
			/^The draft doc_\w+ was created.*tag \[\[date 2\]\] is in a file, but cannot be found/s,
		);
	});

	it('is not sent while its fields are not placed; the error names the draft', async () => {
		const several = await run(
			{ 'a.docx': docx('Sign', 'Sign') },
			signatures({ text: 'Sign' }, { text: 'Sign' }),
		);
		expect(several.calls).toEqual(WITH_ORIGINAL.slice(0, 3));
		expect(several.error).toMatch(
			/^The draft doc_\w+ was created, but placing its fields failed: .*"Sign" is there 2 times/,
		);
		expect(several.error).not.toContain('Nothing was changed');
		expect(several.error).toContain('The draft is kept');
	});
});

it('A retry continues with the draft, and reads its original again', async () => {
	const path = '/documents/*/files/original';
	const refused = { when: 'before', kind: 'status', status: 403, times: 1 } as const;
	await bench.sandbox.control.fault({ method: 'GET', path, ...refused });
	const { calls, status } = await run({ 'a.docx': docx(...BOTH) }, {}, 'createAndSend', RETRY);
	const [upload, create, original, place, send] = WITH_ORIGINAL;
	expect(calls).toEqual([upload, create, original, original, place, send]);
	expect(status).toBe('in_progress');
});

describe('Where the service has no original', () => {
	// It can be uploaded, but not be made into a PDF.
	const damaged = docx(...BOTH).subarray(0, -40);

	it('Automatic places the fields on a page that was chosen, and says so', async () => {
		const { calls, fields, hints } = await run(
			{ 'a.docx': damaged },
			{ automatic: { page: 'first' } },
			'create',
		);
		expect(calls).toEqual(WITH_ORIGINAL.slice(0, -1));
		expect(fields).toMatchObject([{ pageNumber: 1 }, { pageNumber: 1 }]);
		expect(hints.join()).toContain('Tags were not looked for in the document');
	});

	it.each<[string, INodeParameters, RegExp]>([
		[
			'the last page is not known',
			{},
			/^The draft doc_\w+ was created.*number of pages of the document is not known.*Choose First Page/s,
		],
		[
			'a text is not found',
			signatures({ text: 'Sign' }, { text: 'Sign' }),
			/^The draft doc_\w+ was created.*no text can be read in the document.*Choose At Position/s,
		],
	])('%s, and the message names the draft', async (_, more, message) => {
		const { error, calls } = await run({ 'a.docx': damaged }, more);
		expect(error).toMatch(message);
		expect(calls).toEqual(WITH_ORIGINAL.slice(0, 3));
	});
});

it('Files given by ID are read from the draft', async () => {
	const upload = { data: await binary(await pdf(['Contract'], BOTH), 'a.pdf', 'application/pdf') };
	const { items } = await bench.run(
		'file',
		'upload',
		{},
		{ items: [{ json: {}, binary: upload }] },
	);
	bench.takeRequests();
	const { calls, fields } = await run(
		{},
		{ fileSource: 'fileIds', fileIds: String(items[0]?.json.id) },
	);
	expect(calls).toEqual(WITH_ORIGINAL.slice(1));
	expect(fields).toMatchObject([{ pageNumber: 2 }, { pageNumber: 2 }]);
});

describe('Update Fields', () => {
	const draft = async (bytes: Buffer) =>
		await run({ 'a.pdf': bytes }, { fieldsInput: 'none' }, 'create');

	it('takes tags, texts and the last page', async () => {
		const { id } = await draft(await pdf(['Sign'], BOTH));
		const update = async (more: INodeParameters) =>
			await run({}, { documentId: byId(id), ...more }, 'updateFields');
		const read = [
			'GET /documents/{id}',
			'GET /documents/{id}/files/original',
			'PUT /documents/{id}/fields',
		];
		const byTags = await update({});
		expect(byTags.calls).toEqual(read);
		expect(byTags.fields.map(({ pageNumber, type }) => [pageNumber, type])).toEqual([
			[2, 'SIGNATURE'],
			[2, 'SIGNATURE'],
		]);
		const byText = await update(
			json({ recipient: 1, type: 'SIGNATURE', anchor: { text: 'Sign' } }),
		);
		expect(byText.fields).toMatchObject([{ pageNumber: 1 }]);
		const last = await update({ automatic: { useTags: false } });
		expect(last.fields).toMatchObject([{ pageNumber: 2 }, { pageNumber: 2 }]);
		const first = await update({ automatic: { useTags: false, page: 'first' } });
		expect(first.calls).toEqual([read[0], read[2]]);
		const unknown = await update(
			json({ recipient: 1, type: 'SIGNATURE', anchor: { text: 'Nowhere' } }),
		);
		expect(unknown.error).toMatch(
			/"Nowhere" is not in the document \(2 pages\).*Nothing was changed/s,
		);
	});
});
