import axios from 'axios';
import { Workspace, ANN, type Wire } from '../workspace';
import { readPdf, textOf, type SeenPdf } from './readPdf';

/** Boxes below each other, on one page. */
const row = (index: number) => ({
	pageNumber: 1,
	xNorm: 0.05,
	yNorm: 0.02 + index * 0.045,
	widthNorm: 0.9,
	heightNorm: 0.04,
});

/** Sends a document with these fields, all of one signer, and gives what is needed to sign it. */
async function send(workspace: Workspace, fields: object[], others: object[] = [], signer: object = ANN) {
	const { test } = workspace;
	const files = [await workspace.fileId(test)];
	const draft = (await test.post<Wire>('/documents', { files, recipients: [signer, ...others] })).data;
	const recipientId = draft.recipients[0]?.id ?? '';
	const signature = { ...row(20), type: 'SIGNATURE' };
	const given = [...fields, signature].map((field) => ({ ...field, recipientId }));
	expect((await test.put(`/documents/${draft.id}/fields`, { fields: given })).status).toBe(200);
	expect((await test.post(`/documents/${draft.id}/send`)).status).toBe(200);
	return { id: draft.id, recipientId };
}

async function download(workspace: Workspace, id: string, variant: 'signed' | 'certificate'): Promise<SeenPdf> {
	const { url } = (await workspace.test.get<Wire>(`/documents/${id}/files/${variant}`)).data;
	return readPdf(Buffer.from((await axios.get<ArrayBuffer>(url, { responseType: 'arraybuffer' })).data));
}

/** Blanks and joiners, which pdf.js reports by the gaps that it sees, or not at all. */
const withoutBlanks = (text: string) => text.replace(/[\s\u200c]/g, '');

/** Values that a reader copies out of the signed file as they were entered. */
const VALUES: Record<string, string> = {
	'Latin beyond Western Europe': 'Łukasz Żółć',
	Greek: 'Ελένη Παππά',
	Cyrillic: 'Юлия Жукова',
	Chinese: '李小龙 中文，标点。（测试）',
	'Chinese outside of the basic plane': '𠮷野家 髙橋',
	Japanese: '山田 太郎 カタカナ ひらがな',
	Korean: '김민수 안녕하세요',
	Hindi: 'राजेश कुमार हिन्दी क्षत्रिय श्री',
	Thai: 'สมชาย ใจดี น้ำใจที่นี่',
	emoji: '🙂 Zoë 👩‍👩‍👧 🇩🇪 👍🏽',
	Arabic: 'محمد علي ٢٠٢٦',
	'Arabic with vowels': 'مُحَمَّد',
	'Arabic with brackets and digits': 'السعر (150 دولار) اليوم',
	'Persian with a joiner that does not join': 'می‌خواهم',
	Hebrew: 'שלום עולם',
	'Hebrew with points': 'שָׁלוֹם עֲלֵיכֶם',
	'Hebrew with digits, quotes and brackets': 'מחיר: 1,250.50 ש"ח (כולל מע"מ)',
	'Latin around Hebrew': 'Contract עם חברת Acme בע"מ מס׳ 12345 xyz',
	'Arabic around Latin': 'مرحبا John Smith (CEO) 2026',
};

describe('a value in any script reaches the signed file', () => {
	let workspace: Workspace;
	const seen = new Map<string, { text: string; ink: boolean }>();

	beforeAll(async () => {
		workspace = await Workspace.open();
		const entries = Object.entries(VALUES);
		for (const fontFamily of ['HELVETICA', 'TIMES', 'COURIER'] as const) {
			const fields = entries.map(([, value], index) => ({
				...row(index),
				type: 'TEXT',
				value,
				fontFamily,
				fontSize: 12,
			}));
			const { id, recipientId } = await send(workspace, fields);
			await workspace.control.sign(recipientId);
			const texts = (await download(workspace, id, 'signed')).pages[0]?.texts ?? [];
			entries.forEach(([script], index) => {
				const { yNorm, heightNorm } = row(index);
				const inBox = texts.filter(({ text, y }) => !text.startsWith('TEST') && y > yNorm && y <= yNorm + heightNorm);
				seen.set(`${script} ${fontFamily}`, { text: inBox.map(({ text }) => text).join(''), ink: inBox.length > 0 });
			});
		}
	});
	afterAll(() => workspace.close());

	describe.each(['HELVETICA', 'TIMES', 'COURIER'])('in %s', (family) => {
		it.each(Object.entries(VALUES))('%s', (script, value) => {
			expect(withoutBlanks(seen.get(`${script} ${family}`)?.text ?? '')).toBe(withoutBlanks(value));
		});
	});
});

describe('what a person leaves out when signing', () => {
	let workspace: Workspace;
	beforeAll(async () => (workspace = await Workspace.open()));
	afterAll(() => workspace.close());

	it.each(['SIGNATURE', 'INITIALS', 'STAMP'])('an optional %s stays empty', async (type) => {
		const { id, recipientId } = await send(workspace, [{ ...row(1), type, required: false }]);
		await workspace.control.sign(recipientId);
		const texts = (await download(workspace, id, 'signed')).pages[0]?.texts ?? [];
		expect(texts.filter(({ y }) => y > 0.06 && y < 0.11)).toEqual([]);
	});

	it.each([
		['SIGNATURE', 'Ada Byron-King'],
		['INITIALS', 'ABK'],
		['STAMP', 'ADA BYRON-KING'],
	])('a required %s is %s', async (type, expected) => {
		const signer = { name: 'Ada Byron-King', email: 'ada@example.com' };
		const { id, recipientId } = await send(workspace, [{ ...row(1), type }], [], signer);
		await workspace.control.sign(recipientId);
		const texts = (await download(workspace, id, 'signed')).pages[0]?.texts ?? [];
		expect(texts.filter(({ y }) => y > 0.06 && y < 0.12)[0]?.text).toBe(expected);
	});
});

describe('the certificate of a document', () => {
	let workspace: Workspace;
	beforeAll(async () => (workspace = await Workspace.open()));
	afterAll(() => workspace.close());

	it('shows a cc as the API does, and names sender and organization', async () => {
		const { id, recipientId } = await send(workspace, [], [{ name: 'Cy', email: 'cy@example.com', type: 'cc' }]);
		await workspace.control.sign(recipientId);
		const { organization } = (await workspace.test.get<Wire>('/account')).data;
		const [, cc] = (await workspace.test.get<Wire>(`/documents/${id}`)).data.recipients;
		const text = (await download(workspace, id, 'certificate')).pages.map(textOf).join(' ');
		expect(cc?.status).toBe('sent');
		expect(text).toContain('Cy cy@example.com cc sent');
		expect(text).toContain(`Sender ${String(organization['name'])} Organization ID ${String(organization['id'])}`);
	});

	it('says what could not be drawn', async () => {
		const { id, recipientId } = await send(workspace, [{ ...row(1), type: 'TEXT', value: 'Burma \u1000' }]);
		await workspace.control.sign(recipientId);
		const text = (await download(workspace, id, 'certificate')).pages.map(textOf).join(' ');
		expect(text).toContain('The TEXT field of Ann on page 1 has characters that could not be drawn: U+1000.');
	});
});
