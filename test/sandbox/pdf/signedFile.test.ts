import { ANN, Workspace, type About, type Person } from '../workspace';
import { readPdf, textOf, type SeenPdf } from './readPdf';

/** Boxes below each other, on one page. */
const row = (index: number) => ({
	...{ pageNumber: 1, xNorm: 0.05, yNorm: 0.02 + index * 0.045, widthNorm: 0.9, heightNorm: 0.04 },
});
const SIGNATURE = { ...row(20), type: 'SIGNATURE' };

/**
 * Values of the scripts that have a font, with marks, joiners, brackets and two directions in one
 * line.
 */
const VALUES: Record<string, string> = {
	'Latin beyond Western Europe': 'Łukasz Żółć',
	Greek: 'Ελένη Παππά',
	Cyrillic: 'Юлия Жукова',
	Arabic: 'محمد علي ٢٠٢٦',
	'Arabic with brackets and digits': 'السعر (150 دولار) اليوم',
	Hebrew: 'שָׁלוֹם עֲלֵיכֶם',
	'Latin around Hebrew': 'Contract עם חברת Acme בע"מ מס׳ 12345 xyz',
};

/**
 * The letters that a reader copies. It sees the forms that letters take beside others, in its own
 * order.
 */
const lettersOf = (text: string) =>
	[...new Set(text.normalize('NFKC').match(/[\p{L}\p{Nd}]/gu) ?? [])].sort();

describe('what is sealed', () => {
	const workspace = Workspace.forTests();

	/** What a reader sees of a document with these fields, once it is signed. */
	async function signed(people: Person[], about: About) {
		const { id, recipients } = await workspace.signed(workspace.test, people, about);
		const read = async (variant: string) => readPdf(await workspace.download(id, variant));
		const textsIn = ({ pages }: SeenPdf, index: number) => {
			const { yNorm } = row(index);
			const texts = pages[0]?.texts.filter(({ y }) => y > yNorm && y <= yNorm + 0.045) ?? [];
			return texts.map(({ text }) => text).filter((text) => !text.startsWith('TEST'));
		};
		const [file, record] = [await read('signed'), await read('certificate')];
		return {
			recipients,
			textsIn: (index: number) => textsIn(file, index),
			certificate: record.pages.map(textOf).join(' '),
		};
	}

	it('has every letter of a value', async () => {
		const values = Object.values(VALUES).map((value, index) => ({
			...row(index),
			type: 'TEXT',
			value,
			fontSize: 12,
		}));
		const { textsIn } = await signed([ANN], { fields: [...values, SIGNATURE] });
		for (const script of [
			...['Latin beyond Western Europe', 'Greek', 'Cyrillic', 'Arabic'],
			...['Arabic with brackets and digits', 'Latin around Hebrew'],
		]) {
			const seen = textsIn(Object.keys(VALUES).indexOf(script)).join('');
			expect([script, lettersOf(seen)]).toEqual([script, lettersOf(VALUES[script] ?? '')]);
		}
	});

	it('leaves an optional signature empty, fills a required one in, and shows everybody in the certificate', async () => {
		const types = ['SIGNATURE', 'INITIALS', 'STAMP'];
		const optional = types.map((type, index) => ({ ...row(2 * index), type, required: false }));
		const required = types.map((type, index) => ({ ...row(8 + 2 * index), type }));
		const people = [
			{ name: 'Ada Byron-King', email: 'ada@example.com' },
			{ name: 'Cy', email: 'cy@example.com', type: 'cc' },
		];
		const { recipients, textsIn, certificate } = await signed(people, {
			fields: [...optional, ...required],
		});
		expect([0, 2, 4].flatMap(textsIn)).toEqual([]);
		expect([8, 10, 12].map((index) => textsIn(index)[0])).toEqual([
			'Ada Byron-King',
			'ABK',
			'ADA BYRON-KING',
		]);
		const { organization } = (await workspace.test.get('/account')).data;
		expect(recipients[1].status).toBe('sent');
		expect(certificate).toContain('Cy cy@example.com cc sent');
		expect(certificate).toContain(
			`Sender ${String(organization['name'])} Organization ID ${String(organization['id'])}`,
		);
	});
});
