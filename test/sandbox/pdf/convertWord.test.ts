import CFB from 'cfb';
import { convertWord } from '../../../sandbox/pdf/word/convertWord';
import { fixture } from './fixture';
import { readPdf, textOf } from './readPdf';

/** The letter with this much text in it, which an archive packs to almost nothing. */
function letterOf(characters: number): Buffer {
	const archive = CFB.read(fixture('letter.docx'), { type: 'buffer' });
	const part = CFB.find(archive, '/word/document.xml');
	if (!part) throw new Error('The letter has no text');
	const line = `<w:p><w:r><w:t>${'Ż'.repeat(40)}</w:t></w:r></w:p>`;
	const text = Buffer.from(part.content).toString('utf8');
	part.content = Buffer.from(text.replace('</w:body>', `${line.repeat(characters / 40)}</w:body>`));
	part.size = part.content.length;
	return CFB.write(archive, { type: 'buffer', fileType: 'zip', compression: true }) as Buffer;
}

/** How long this machine takes for a letter of a few lines when nothing disturbs it, in milliseconds. */
async function quickest(): Promise<number> {
	const took: number[] = [];
	for (let time = 0; time < 3; time++) {
		const begun = performance.now();
		await convertWord(fixture('letter.docx'), 240_000);
		took.push(performance.now() - begun);
	}
	return Math.ceil(Math.min(...took));
}

describe('converting a Word file', () => {
	it.each(['letter.docx', 'letter.doc'])('%s becomes a page with its text', async (file) => {
		const { pages } = readPdf(Buffer.from(await convertWord(fixture(file))));
		expect(textOf(pages[0])).toMatch(/^Supply letter Dear Ms Żółć,/);
	});

	it.each([93, 162])(
		'comes to an end when byte %i of a DOCX is damaged, over which the extractor falls silent',
		async (at) => {
			const bytes = Buffer.from(fixture('letter.docx'));
			bytes[at]! ^= 0xff;
			await expect(convertWord(bytes)).rejects.toThrow();
		},
	);

	it('begins when one of two others is done, whose time it does not pay for', async () => {
		const endless = letterOf(6_000_000);
		// Several times what the short one needs on this machine.
		const patience = Math.max(8_000, 10 * (await quickest()));
		const ended: string[] = [];
		// Whether the long ones are given up or a fast machine lays them out in time is the same here.
		const others = ['first', 'second'].map((name) =>
			convertWord(endless, patience).then(
				() => ended.push(name),
				() => ended.push(name),
			),
		);
		const own = convertWord(fixture('letter.docx'), patience).then(() => ended.push('own'));
		await Promise.all([own, ...others]);
		expect(ended).toEqual(expect.arrayContaining(['first', 'second', 'own']));
		expect(ended[0]).not.toBe('own');
	});

	it('is given up in the middle of the layout of a text that takes many times as long', async () => {
		// A thread is under way by then on any machine, and nowhere has the long text been laid out.
		const patience = 2 * (await quickest());
		await expect(convertWord(letterOf(6_000_000), patience)).rejects.toThrow('takes too long');
	});
});
