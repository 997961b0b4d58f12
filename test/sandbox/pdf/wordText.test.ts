import { readWordText } from '../../../sandbox/pdf/wordText';
import { fixture } from './fixture';

describe('reading the text of a Word file', () => {
	it.each(['letter.docx', 'letter.doc'])('%s', async (file) => {
		expect(await readWordText(fixture(file))).toMatch(/^Supply letter\nDear Ms Żółć,\n/);
	});

	it.each([93, 162])(
		'comes to an end when byte %i of a DOCX is damaged, over which the extractor falls silent',
		async (at) => {
			const bytes = Buffer.from(fixture('letter.docx'));
			bytes[at]! ^= 0xff;
			await expect(readWordText(bytes, 100)).rejects.toThrow();
		},
	);
});
