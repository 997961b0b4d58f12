import { largest } from '../../../sandbox/pdf/text/fitText';
import { sealDocument } from '../../../sandbox/pdf';
import { Workspace, ANN, SIGNATURE, type Wire } from '../workspace';
import { fixture } from './fixture';
import { readPdf, textOf } from './readPdf';

describe('fitting a text into its box', () => {
	it.each([
		['fits at once', () => true, 48, 1],
		['never fits', () => false, 2, 11],
		['fits somewhere between', (size: number) => size <= 7.3, 7.3, 11],
	])('tries a bounded number of sizes when it %s', (_case, fits, expected, most) => {
		let tries = 0;
		const size = largest(2, 48, (tried) => {
			tries++;
			return fits(tried);
		});
		expect(tries).toBeLessThanOrEqual(most);
		expect(size).toBeLessThanOrEqual(expected);
		expect(expected - size).toBeLessThan(0.05);
	});
});

describe('drawing the largest document that the API takes', () => {
	let workspace: Workspace;
	beforeAll(async () => (workspace = await Workspace.open()));
	afterAll(() => workspace.close());

	it('leaves the service free for everybody else: 500 fields of 2,000 characters without a blank', async () => {
		const { test, control } = workspace;
		const files = [await workspace.fileId(test)];
		const draft = (await test.post<Wire>('/documents', { files, recipients: [ANN] })).data;
		const recipientId = draft.recipients[0]?.id ?? '';
		const value = (index: number) => `${index}`.padStart(4, '0') + 'Ż'.repeat(1996);
		const place = { ...SIGNATURE, yNorm: 0.1, heightNorm: 0.3, type: 'TEXT' };
		const fields = Array.from({ length: 499 }, (_, index) => ({ ...place, recipientId, value: value(index) }));
		await test.put(`/documents/${draft.id}/fields`, { fields: [{ ...SIGNATURE, recipientId }, ...fields] });
		await test.post(`/documents/${draft.id}/send`);

		let signed = false;
		const signing = control.sign(recipientId).then(() => (signed = true));
		let answered = 0;
		while (!signed) {
			expect((await test.get('/account')).status).toBe(200);
			if (!signed) answered++;
		}
		await signing;
		expect(answered).toBeGreaterThan(10);
		expect((await test.get<Wire>(`/documents/${draft.id}`)).data.status).toBe('completed');
	});
});

describe('a document of ever other signs', () => {
	const box = { page: 1, xNorm: 0.05, yNorm: 0.05, widthNorm: 0.9, heightNorm: 0.9 } as const;
	const field = (value: string) => ({ ...box, type: 'TEXTAREA' as const, value, recipientName: 'Ann', signedAt: null });
	/** 10,000 Korean syllables, which is more than people write with. */
	const korean = Array.from({ length: 5 }, (_, index) =>
		String.fromCodePoint(...Array.from({ length: 2000 }, (_value, at) => 0xac00 + index * 2000 + at)),
	);

	it('embeds a bounded number of them, says so, and still draws plain words', async () => {
		const fields = [...korean, 'Plain words'].map(field);
		const about = { watermark: false, title: 'Signs', documentId: 'doc_1', sealedAt: new Date(0) };
		const { bytes, shortfalls } = await sealDocument({ source: fixture('contract.pdf'), fields, ...about });
		expect(shortfalls.length).toBeGreaterThan(0);
		expect(shortfalls.length).toBeLessThan(korean.length);
		for (const { missing } of shortfalls) expect(missing.named.length + missing.more).toBeGreaterThan(1_000);
		const text = textOf(readPdf(bytes).pages[0]);
		expect(text).toContain('Plain words');
		expect(text.replaceAll(' ', '')).toContain(korean[0]?.slice(0, 20));
	});

	it('opens a bounded number of font files for them, says so, and still draws what those hold', async () => {
		const words = ['合同', 'コピー', '계약서'];
		// Thirty Korean syllables to a field, from all over the script, in two weights.
		const rare = Array.from({ length: 20 }, (_, index) =>
			String.fromCodePoint(...Array.from({ length: 30 }, (_value, at) => 0xac00 + index * 500 + at * 17)),
		);
		const fields = [...words, ...rare, ...rare, ...words].map((value, index) => ({
			...field(value),
			fontBold: index >= words.length + rare.length,
		}));
		const about = { watermark: false, title: 'Files', documentId: 'doc_1', sealedAt: new Date(0) };
		const { bytes, shortfalls } = await sealDocument({ source: fixture('contract.pdf'), fields, ...about });
		expect(shortfalls.length).toBeGreaterThan(0);
		const text = textOf(readPdf(bytes).pages[0]).replaceAll(' ', '');
		for (const word of words) expect(text).toContain(word);
	});
});
