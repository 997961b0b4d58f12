import { readWordText } from '../../../sandbox/pdf/source/wordPages';
import { fixture } from './fixture';

describe('reading the text of a Word file', () => {
	it.each(['letter.docx', 'letter.doc'])('%s', async (file) => {
		expect(await readWordText(fixture(file))).toMatch(/^Supply letter\nDear Ms Żółć,\n/);
	});

	it('comes to an end when a byte of a DOCX is damaged, over which the extractor falls silent', async () => {
		const bytes = Buffer.from(fixture('letter.docx'));
		bytes[93]! ^= 0xff;
		await expect(readWordText(bytes, 200)).rejects.toThrow('Reading the text takes too long');
	});
});
