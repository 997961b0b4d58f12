import axios from 'axios';
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { readPdf, textOf, type SeenPdf } from './pdf/readPdf';
import { ANN, Workspace } from './workspace';

/** Boxes below each other on the second page. */
const below = (row: number) => ({
	pageNumber: 2,
	xNorm: 0.25,
	yNorm: 0.1 * row,
	widthNorm: 0.6,
	heightNorm: 0.09,
});

const FIELDS = [
	{
		...below(1),
		type: 'TEXT',
		fieldKey: 'reason_why',
		placeholderText: 'Say <why>',
		helpText: 'In your own words',
	},
	{ ...below(2), type: 'DROPDOWN', dropdownOptions: ['Weekly', 'Monthly'], fieldKey: 'rhythm' },
	{
		...below(3),
		type: 'RADIO_GROUP',
		dropdownOptions: ['Red', 'Blue'],
		radioLayout: 'INLINE',
		fieldKey: 'colour',
	},
	{
		...below(4),
		type: 'RADIO_GROUP',
		dropdownOptions: ['Up', 'Down'],
		radioLayout: 'STACKED',
		fieldKey: 'course',
	},
	{
		...below(5),
		type: 'TEXT',
		value: 'Suggested',
		fontFamily: 'TIMES',
		fontSize: 17,
		fontColor: '#336699',
	},
	{ ...below(6), type: 'TEXT', value: 'Bold', fontFamily: 'HELVETICA', fontBold: true },
	{
		...below(7),
		type: 'TEXT',
		value: 'Italic',
		fontFamily: 'COURIER',
		fontItalic: true,
		fontBold: false,
	},
	{ ...below(8), type: 'DATE', value: '2026-11-21', dateFormat: 'dd.MM.yyyy' },
	{ ...below(9), type: 'TEXT', value: 'Agreed', fillMode: 'PREFILLED', fieldKey: 'agreed' },
];

/** Everything the pages draw with, and the fonts that they draw in. */
async function contentOf(bytes: Buffer): Promise<{ operators: string; fonts: string }> {
	const objects = (await PDFDocument.load(bytes)).context
		.enumerateIndirectObjects()
		.map(([, object]) => object);
	const streams = objects.filter((object) => object instanceof PDFRawStream);
	const drawn = streams.filter(
		({ dict }) => !dict.has(PDFName.of('Type')) && !dict.has(PDFName.of('Length1')),
	);
	const fonts = objects
		.filter((object) => object instanceof PDFDict)
		.map((dict) => dict.get(PDFName.of('BaseFont')));
	return {
		operators: drawn
			.map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1'))
			.join('\n'),
		fonts: fonts.join(' '),
	};
}

describe('what the sender says of a field (docs/service.md section 2)', () => {
	const workspace = Workspace.forTests();
	let page: string;
	let sealed: SeenPdf;
	let content: Awaited<ReturnType<typeof contentOf>>;

	beforeAll(async () => {
		const { test, control } = workspace;
		const files = [await workspace.fileId(test, 2)];
		const draft = await workspace.sent(test, [ANN], { files, fields: FIELDS });
		const recipientId = draft.recipients[0].id;
		const call = `/documents/${draft.id}/recipients/${recipientId}/embed-link`;
		page = (await axios.get<string>((await test.post(call)).data.url)).data;
		await expect(control.sign(recipientId, { values: { agreed: 'Changed' } })).rejects.toThrow(
			'values.agreed',
		);
		const values = { reason_why: 'Because', rhythm: 'Monthly', colour: 'Blue', course: 'Up' };
		await control.sign(recipientId, { values });
		const bytes = await workspace.download(draft.id, 'signed');
		sealed = readPdf(bytes);
		content = await contentOf(bytes);
	});

	const radios = (option: string) =>
		page.split('<fieldset').find((part) => part.includes(`value="${option}"`)) ?? '';

	it.each<[string, () => void]>([
		['placeholderText', () => expect(page).toContain('placeholder="Say &lt;why&gt;"')],
		['helpText', () => expect(page).toContain('In your own words</p>')],
		[
			'dropdownOptions',
			() => expect(page).toMatch(/<option value="Weekly"[^>]*>[\s\S]*<option value="Monthly"/),
		],
		['radioLayout INLINE', () => expect(radios('Red')).toMatch(/^[^>]*\binline\b/)],
		['radioLayout STACKED', () => expect(radios('Up')).not.toMatch(/^[^>]*\binline\b/)],
		['value', () => expect(page).toContain('value="Suggested"')],
		[
			'value, unless the signer changes it,',
			() => expect(textOf(sealed.pages[1])).toContain('Suggested'),
		],
		['fieldKey', () => expect(page).toContain('Reason why')],
		[
			'fieldKey, as the handle of what was filled in,',
			() => expect(textOf(sealed.pages[1])).toContain('Because'),
		],
		[
			'fillMode PREFILLED, which the signer cannot edit,',
			() => expect(page).not.toContain('value="Agreed"'),
		],
		[
			'fillMode PREFILLED, as fixed content,',
			() => expect(textOf(sealed.pages[1])).toContain('Agreed'),
		],
		[
			'xNorm',
			() =>
				expect(sealed.pages[1]?.texts.find(({ text }) => text === 'Because')?.x).toBeCloseTo(
					0.25,
					1,
				),
		],
		['dateFormat', () => expect(textOf(sealed.pages[1])).toContain('21.11.2026')],
		['fontFamily', () => expect(content.fonts).toMatch(/\+DejaVuSerif\b(?!-)/)],
		['fontBold', () => expect(content.fonts).toMatch(/\+DejaVuSans-Bold\b/)],
		['fontItalic', () => expect(content.fonts).toMatch(/\+DejaVuSansMono-Oblique\b/)],
		['fontSize', () => expect(content.operators).toMatch(/\b17 Tf\b/)],
		['fontColor', () => expect(content.operators).toContain('.2 .4 .6 rg')],
	])('%s reaches its signer, or the sealed document', (_row, expectation) => expectation());
});

describe('what is sealed (docs/service.md section 1)', () => {
	const workspace = Workspace.forTests();

	it.each([
		['test', true],
		['live', false],
	] as const)(
		'of a %s key is watermarked, as is its certificate: %s',
		async (mode, watermarked) => {
			const { id } = await workspace.signed(workspace[mode]);
			for (const variant of ['signed', 'certificate']) {
				const { pages } = readPdf(await workspace.download(id, variant, workspace[mode]));
				expect(textOf(pages[0]).includes('TEST')).toBe(watermarked);
			}
		},
	);
});
