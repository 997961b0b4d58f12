import { readWordText } from '../../../sandbox/pdf/word/wordText';
import { fixture } from './fixture';

describe('reading the text of a Word file', () => {
	it.each(['letter.docx', 'letter.doc'])('%s', async (file) => {
		expect(await readWordText(fixture(file))).toMatch(/^Supply letter\nDear Ms Żółć,\n/);
	});
});
