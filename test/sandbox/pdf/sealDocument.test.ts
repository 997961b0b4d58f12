import { degrees, PDFDocument } from 'pdf-lib';
import type { PlacedField } from '../../../sandbox/pdf';
import { sealDocument } from '../../../sandbox/pdf/sealDocument';
import type { FieldType } from '../../../sandbox/state/vocabulary';
import { formatDate } from '../../../sandbox/pdf/text/dateFormat';
import { fixture } from '../../fixtures/fixture';
import { readPdf, textOf, type SeenPdf } from './readPdf';

const SIGNED_AT = new Date('2026-11-21T05:40:12.000Z');

const VALUES: Record<FieldType, string> = {
	SIGNATURE: 'Ada Arden',
	INITIALS: 'AA',
	DATE: '2026-11-21',
	TEXT: 'Two pumps',
	CHECKBOX: 'true',
	DROPDOWN: 'Monthly',
	EMAIL: 'ada@arden.example',
	RADIO_GROUP: 'Blue',
	NAME: 'Ada Arden',
	TITLE: 'Chief engineer',
	COMPANY: 'Arden & Voss',
	STAMP: 'Checked',
	TEXTAREA: 'First line\nand a second one that is long enough to be wrapped inside of its box',
	NUMBER: '480',
	PHONE: '+44 20 7946 0018',
};
const TYPES = Object.keys(VALUES) as FieldType[];

function field(type: FieldType, changes: Partial<PlacedField> = {}): PlacedField {
	const place = { page: 1, xNorm: 0.2, yNorm: 0.3, widthNorm: 0.35, heightNorm: 0.08 };
	const person = { recipientName: 'Ada Arden', signedAt: SIGNED_AT };
	return {
		type,
		...place,
		value: VALUES[type],
		...person,
		dropdownOptions: ['Red', 'Blue'],
		...changes,
	};
}

async function blank(count: number, turns = [0]): Promise<Buffer> {
	const document = await PDFDocument.create();
	for (let page = 0; page < count; page++) {
		const added = document.addPage([612, 792]);
		added.setCropBox(40, 60, 500, 640);
		added.setRotation(degrees(turns[page % turns.length] ?? 0));
	}
	return Buffer.from(await document.save());
}

const ABOUT = {
	id: 'doc_7',
	title: 'Supply of pumps',
	sender: { id: 'org_1', name: 'Pumps & Sons' },
	createdAt: SIGNED_AT,
	completedAt: new Date('2026-11-21T06:00:00.000Z'),
	recipients: [],
	trail: [],
};
const sealed = async (source: Buffer, fields: PlacedField[], mode: 'LIVE' | 'TEST' = 'LIVE') =>
	Buffer.from(await sealDocument({ source, fields, mode, ...ABOUT }));

async function seal(...input: Parameters<typeof sealed>): Promise<SeenPdf> {
	return readPdf(await sealed(...input));
}

/** Of what is drawn nothing is further out than this, but for a pixel. */
function expectWithin(
	ink: SeenPdf['pages'][number]['ink'],
	[left, top, right, bottom]: [number, number, number, number],
) {
	const PIXEL = 0.004;
	expect(ink!.left).toBeGreaterThanOrEqual(left - PIXEL);
	expect(ink!.top).toBeGreaterThanOrEqual(top - PIXEL);
	expect(ink!.right).toBeLessThanOrEqual(right + PIXEL);
	expect(ink!.bottom).toBeLessThanOrEqual(bottom + PIXEL);
}

describe('a field is drawn inside of its normalised box on the page as seen', () => {
	it('for all field types, on cropped pages that are turned by any degrees', async () => {
		const fields = TYPES.map((type, index) => field(type, { page: index + 1 }));
		const { pages } = await seal(await blank(TYPES.length, [0, 90, 180, 270, -90, 450, 0]), fields);
		pages.forEach(({ ink }, index) => {
			expect({ type: TYPES[index], drawn: ink !== null }).toEqual({
				type: TYPES[index],
				drawn: true,
			});
			expectWithin(ink, [0.2, 0.3, 0.55, 0.38]);
		});
	});

	it('however long the text and however small the box', async () => {
		const long =
			'A very long answer, with Averyveryverylongwordthatdoesnotfitanywhereatall in it, '.repeat(6);
		const small = { widthNorm: 0.1, heightNorm: 0.015 };
		const fields = TYPES.map((type, index) =>
			field(type, { page: index + 1, ...small, value: long }),
		);
		const { pages } = await seal(await blank(TYPES.length), fields);
		for (const { ink } of pages.filter((page) => page.ink))
			expectWithin(ink, [0.2, 0.3, 0.3, 0.315]);
	});

	it('on its own page only', async () => {
		const two = [field('TEXT', { page: 2 }), field('NUMBER', { page: 2, yNorm: 0.6 })];
		expect((await seal(await blank(3), two)).pages.map(textOf)).toEqual(['', 'Two pumps 480', '']);
	});

	it('whole: a text that is too long for its box is set smaller', async () => {
		const words = Array.from({ length: 250 }, (_, index) => `word${index}`);
		const small = { widthNorm: 0.1, heightNorm: 0.02, value: words.join(' ') };
		for (const type of ['TITLE', 'TEXTAREA'] as const) {
			const { pages } = await seal(await blank(1), [field(type, small)]);
			expect(textOf(pages[0]).match(/word\d+/g)).toEqual(words);
		}
	});
});

describe('what is drawn for a field', () => {
	it('its value, a signature with who signed and when, a stamp in capitals with the day, a date as it is asked for', async () => {
		const drawn: Array<[PlacedField, string]> = [
			...(
				['TEXT', 'DROPDOWN', 'EMAIL', 'NAME', 'TITLE', 'COMPANY', 'NUMBER', 'PHONE'] as const
			).map((type): [PlacedField, string] => [field(type), VALUES[type]]),
			[field('SIGNATURE'), 'Ada Arden Signed by Ada Arden · 2026-11-21 05:40:12 UTC'],
			[field('STAMP', { heightNorm: 0.12 }), 'CHECKED 2026-11-21'],
			[field('DATE', { dateFormat: 'd MMMM yyyy' }), '21 November 2026'],
			[field('DATE', { value: 'next spring' }), 'next spring'],
		];
		const fields = drawn.map(([one], index) => ({ ...one, page: index + 1 }));
		const { pages } = await seal(await blank(drawn.length), fields);
		expect(pages.map(textOf)).toEqual(drawn.map(([, text]) => text));
	});

	it('TEXTAREA is wrapped and keeps its line ends', async () => {
		const { pages } = await seal(await blank(1), [field('TEXTAREA', { heightNorm: 0.2 })]);
		const lines = pages[0]!.texts;
		expect(lines[0]!.text).toBe('First line');
		expect(lines.length).toBeGreaterThanOrEqual(3);
		expect(new Set(lines.map(({ x }) => x.toFixed(3))).size).toBe(1);
	});

	it.each([
		['DD.MM.YYYY', '21.11.2026'],
		['MM/dd/yyyy', '11/21/2026'],
		['d MMMM yyyy', '21 November 2026'],
		['MMM D, YY', 'Nov 21, 26'],
		[null, '2026-11-21'],
	])('DATE in the format %s', (dateFormat, expected) => {
		expect(formatDate(VALUES.DATE, dateFormat)).toBe(expected);
	});

	it.each(['STACKED', 'INLINE'] as const)(
		'RADIO_GROUP lists all choices, %s',
		async (radioLayout) => {
			const { pages } = await seal(await blank(1), [field('RADIO_GROUP', { radioLayout })]);
			const [red, blue] = pages[0]!.texts;
			expect([red!.text, blue!.text]).toEqual(['Red', 'Blue']);
			expect(red!.x === blue!.x).toBe(radioLayout === 'STACKED');
			expect(red!.y === blue!.y).toBe(radioLayout === 'INLINE');
		},
	);

	it('CHECKBOX has a tick or none', async () => {
		const document = await seal(await blank(2), [
			field('CHECKBOX'),
			field('CHECKBOX', { page: 2, value: 'false' }),
		]);
		const [ticked, empty] = document.pages;
		expect([ticked!.ink !== null, empty!.ink !== null]).toEqual([true, true]);
		const size = async (value: string) =>
			(await sealed(await blank(1), [field('CHECKBOX', { value })])).length;
		expect(await size('true')).toBeGreaterThan(await size('false'));
	});

	it('a field left open draws nothing, also of someone who signed', async () => {
		const unsigned = TYPES.filter((type) => type !== 'CHECKBOX').map((type) =>
			field(type, { value: null, signedAt: null }),
		);
		const signed = (['SIGNATURE', 'INITIALS', 'STAMP'] as const).map((type) =>
			field(type, { value: '' }),
		);
		expect((await seal(await blank(1), [...unsigned, ...signed])).pages[0]!.ink).toBeNull();
	});
});

describe('sealing (docs/service.md section 4, files variants)', () => {
	it('keeps the pages and writes title, document, producer and moment into the properties', async () => {
		const { info, pages } = await seal(fixture('contract.pdf'), [field('SIGNATURE', { page: 3 })]);
		expect(pages).toHaveLength(3);
		expect(info).toMatchObject({
			Title: 'Supply of pumps',
			Producer: 'eSign sandbox',
			ModDate: 'D:20261121060000Z',
		});
		expect(info.Subject).toContain('doc_7');
	});

	it('marks every page of a test document with TEST', async () => {
		const { pages } = await seal(fixture('turned-and-cropped.pdf'), [field('TEXT')], 'TEST');
		expect(pages.map((page) => page.texts.some(({ text }) => text === 'TEST'))).not.toContain(
			false,
		);
	});

	it('gives the same bytes for the same document', async () => {
		const sealAgain = () => sealed(fixture('ghostscript.pdf'), [field('SIGNATURE')], 'TEST');
		const [first, second] = [await sealAgain(), await sealAgain()];
		expect(first.equals(second)).toBe(true);
	});
});
