import { wordsOf } from '../../../../nodes/ESign/actions/document/fields/wordsOf';
import { fixture } from '../../../fixtures/fixture';
import { docx, docxOf, zip } from './support/docx';

const words = async (bytes: Buffer) =>
	(await wordsOf(bytes)).flatMap(({ runs }) => runs.map(({ texts }) => texts.join('')));

const p = (content: string) => `<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr>${content}</w:p>`;
const t = (text: string) =>
	`<w:r><w:rPr><w:smallCaps/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

describe('The words of a DOCX', () => {
	it.each([
		['runs of a paragraph are joined', p(t('[[sig') + t('nature 1]]')), ['[[signature 1]]']],
		['tracked insertions are in', p(`${t('a')}<w:ins w:id="1">${t('b')}</w:ins>`), ['ab']],
		['deletions are out', p(`${t('a')}<w:del><w:r><w:delText>b</w:delText></w:r></w:del>`), ['a']],
		['what was moved is there once', p(`<w:moveFrom>${t('a')}</w:moveFrom>${t('b')}`), ['b']],
		[
			'tabs, breaks and hyphens',
			p(`${t('a')}<w:tab/>${t('b')}<w:br w:type="x"/>${t('c')}<w:noBreakHyphen/>`),
			['a b c-'],
		],
		[
			'a tab to the right margin',
			p(`${t('a')}<w:r><w:ptab w:alignment="right"/></w:r>${t('b')}`),
			['a b'],
		],
		['entities', p(t('R&amp;D &lt;&#233;&#x1F600;&gt; &nbsp;&#0;')), ['R&D <é😀> &nbsp;']],
		[
			'cells of a table',
			`<w:tbl><w:tr><w:tc>${p(t('a'))}</w:tc><w:tc>${p(t('b'))}</w:tc></w:tr></w:tbl>`,
			['a', 'b'],
		],
		[
			'a text box, once',
			p(
				`${t('a')}<mc:AlternateContent><mc:Choice><w:txbxContent>${p(t('box'))}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p(t('box'))}</w:txbxContent></mc:Fallback></mc:AlternateContent>${t('b')}`,
			),
			['box', 'ab'],
		],
		['no empty paragraphs', `<w:p/>${p('')}${p(t('a'))}`, ['a']],
	])('%s', async (_, body, expected) => {
		await expect(words(docxOf(body))).resolves.toEqual(expected);
	});

	it('are those of headers, footers and notes, too', async () => {
		const part = `<w:ftr>${p(t('[[initials 1]]'))}</w:ftr>`;
		const files = {
			'word/footer1.xml': part,
			'word/styles.xml': p(t('no')),
			'customXml/item1.xml': p(t('no')),
		};
		await expect(words(docxOf(p(t('a')), files))).resolves.toEqual(['a', '[[initials 1]]']);
	});

	it('are read from what a word processor has written', async () => {
		const found = await words(fixture('letter.docx'));
		expect(found?.join(' ')).toMatch(/\w{3,}/);
	});

	it('are read from one that is not packed, as docxtemplater and JSZip write it', async () => {
		const stored = zip({ 'word/document.xml': p(t('[[signature 1]]')) }, false);
		await expect(words(stored)).resolves.toEqual(['[[signature 1]]']);
	});

	it('are on several pages if they are many', async () => {
		const pages = await wordsOf(docx(...Array.from({ length: 30 }, () => 'x'.repeat(1_000))));
		expect(pages).toHaveLength(4);
	});

	it('are on pages that are searched in time, however long their paragraphs are', async () => {
		const pages = await wordsOf(docx('x'.repeat(8_000), 'y'.repeat(9_000)));
		const lengths = pages.map(({ runs }) => runs.map(({ texts }) => texts.length));
		expect(lengths).toEqual([[8_000], [9_000]]);
	});
});

it.each([
	['brackets only', '<'.repeat(8_000_000)],
	['60,000 paragraphs', p(t('[[a]]')).repeat(60_000)],
])('A file with %s lets others run in between', async (_, body) => {
	let turns = 0;
	let timer = setTimeout(takeTurn, 0);
	function takeTurn() {
		turns++;
		timer = setTimeout(takeTurn, 0);
	}
	// Not packed: unpacking is done elsewhere, and lets others run anyhow.
	await wordsOf(zip({ 'word/document.xml': body }, false));
	clearTimeout(timer);
	expect(turns).toBeGreaterThan(100);
});

describe('There are no words in', () => {
	const letter = docx('a');
	it.each<[string, Buffer]>([
		['no archive', Buffer.from('%PDF-1.4')],
		['an empty file', Buffer.alloc(0)],
		['a document without paragraphs', docxOf('')],
		['an archive without a document', zip({ mimetype: 'x' })],
		[
			'one that is not packed, and holds more than a contract',
			zip({ 'word/document.xml': p(t('a')) + ' '.repeat(9_000_000) }, false),
		],
		[
			'one whose directory is elsewhere',
			Buffer.concat([letter.subarray(0, -22), Buffer.from('PK\x05\x06'), Buffer.alloc(18, 255)]),
		],
		['one that is cut off', letter.subarray(200)],
		[
			'one that unpacks to more than a contract',
			zip({ 'word/document.xml': Buffer.alloc(40_000_000, 'x') }),
		],
		['one with an element that does not end', docxOf(`${p(t('a'))}<${'a'.repeat(7_000_000)}`)],
		['one with paragraphs that do not end', docxOf(`${p(t('a'))}${'<w:p>'.repeat(20_000)}`)],
		['one with the lines of a library', docxOf('<w:p><w:t>a</w:t></w:p>'.repeat(250_000))],
		[
			'one whose content stands before a lot else',
			zip({ 'word/document.xml': p(t('a')) }, true, 9e6),
		],
		['one with a paragraph longer than a page', docx('x'.repeat(10_001))],
		['one with the words of a library', docx(...Array<string>(250).fill('x'.repeat(9_000)))],
		[
			'one whose content is damaged',
			Buffer.from(letter.map((byte, at) => (at > 700 && at < 800 ? byte ^ 255 : byte))),
		],
	])('%s', async (_, bytes) => {
		await expect(wordsOf(bytes)).resolves.toEqual([]);
	});

	it('or as many as can be read of one with a damaged byte, which is no error', async () => {
		for (let at = 0; at < letter.length; at++) {
			const damaged = Buffer.from(letter);
			damaged[at] = Number(damaged[at]) ^ 0xff;
			expect([0, 1]).toContain((await wordsOf(damaged)).length);
		}
	});
});
