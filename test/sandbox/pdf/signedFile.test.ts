import { ANN, Workspace } from '../workspace';
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
	const draft = (await test.post('/documents', { files, recipients: [signer, ...others] })).data;
	const recipientId = draft.recipients[0].id;
	const signature = { ...row(20), type: 'SIGNATURE' };
	const given = [...fields, signature].map((field) => ({ ...field, recipientId }));
	expect((await test.put(`/documents/${draft.id}/fields`, { fields: given })).status).toBe(200);
	expect((await test.post(`/documents/${draft.id}/send`)).status).toBe(200);
	return { id: draft.id, recipientId };
}

async function download(workspace: Workspace, id: string, variant: 'signed' | 'certificate'): Promise<SeenPdf> {
	return readPdf(await workspace.download(id, variant));
}

/** Values of the scripts that have a font, with marks, joiners, brackets and two directions in one line. */
const VALUES: Record<string, string> = {
	'Latin beyond Western Europe': 'Łukasz Żółć',
	Greek: 'Ελένη Παππά',
	Cyrillic: 'Юлия Жукова',
	Hindi: 'राजेश कुमार हिन्दी क्षत्रिय श्री',
	Thai: 'สมชาย ใจดี น้ำใจที่นี่',
	emoji: '🙂 Zoë 👩‍👩‍👧 👍🏽',
	Arabic: 'محمد علي ٢٠٢٦',
	'Arabic with brackets and digits': 'السعر (150 دولار) اليوم',
	Hebrew: 'שָׁלוֹם עֲלֵיכֶם',
	'Latin around Hebrew': 'Contract עם חברת Acme בע"מ מס׳ 12345 xyz',
	Chinese: '李小龙',
};

/** The letters that a reader copies. It sees the forms that letters take beside others, in its own order. */
const lettersOf = (text: string) => [...new Set(text.normalize('NFKC').match(/[\p{L}\p{Nd}]/gu) ?? [])].sort();

describe('a value reaches the signed file', () => {
	const workspace = Workspace.forTests();
	let texts: SeenPdf['pages'][number]['texts'];
	let certificate: string;

	beforeAll(async () => {
		const fields = Object.values(VALUES).map((value, index) => ({ ...row(index), type: 'TEXT', value, fontSize: 12 }));
		const { id, recipientId } = await send(workspace, fields);
		await workspace.control.sign(recipientId);
		texts = (await download(workspace, id, 'signed')).pages[0]?.texts ?? [];
		certificate = (await download(workspace, id, 'certificate')).pages.map(textOf).join(' ');
	});

	it.each([
		'Latin beyond Western Europe',
		'Greek',
		'Cyrillic',
		'Arabic',
		'Arabic with brackets and digits',
		'Latin around Hebrew',
	])('with every letter: %s', (script) => {
		const { yNorm, heightNorm } = row(Object.keys(VALUES).indexOf(script));
		const inBox = texts.filter(({ y }) => y > yNorm && y <= yNorm + heightNorm);
		const seen = inBox.filter(({ text }) => !text.startsWith('TEST')).map(({ text }) => text);
		expect(lettersOf(seen.join(''))).toEqual(lettersOf(VALUES[script] ?? ''));
	});

	it('and the certificate names the characters that no font has, and no others', () => {
		expect(certificate).toContain('could not be drawn: U+674E, U+5C0F, U+9F99.');
		expect(certificate.match(/could not be drawn/g)).toHaveLength(1);
	});
});

describe('what a person leaves out when signing', () => {
	const workspace = Workspace.forTests();

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
	const workspace = Workspace.forTests();

	it('shows a cc as the API does, and names sender and organization', async () => {
		const { id, recipientId } = await send(workspace, [], [{ name: 'Cy', email: 'cy@example.com', type: 'cc' }]);
		await workspace.control.sign(recipientId);
		const { organization } = (await workspace.test.get('/account')).data;
		const [, cc] = (await workspace.test.get(`/documents/${id}`)).data.recipients;
		const text = (await download(workspace, id, 'certificate')).pages.map(textOf).join(' ');
		expect(cc?.status).toBe('sent');
		expect(text).toContain('Cy cy@example.com cc sent');
		expect(text).toContain(`Sender ${String(organization['name'])} Organization ID ${String(organization['id'])}`);
	});
});
