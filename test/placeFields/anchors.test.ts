import { findTexts } from '../../nodes/ESign/actions/document/fields/text/find';
import { A4, pageWith, type Written } from '../actions/document/fields/support/page';
import { field, loadScripts, type TextPiece } from './scripts';

const page = loadScripts();

function pieceOf({ text, x, y, size = 10 }: Written): TextPiece {
	const right = x + (text.length * size) / 2;
	return { text: String(text), left: { x, y }, right: { x: right, y }, up: { x: 0, y: -size } };
}

const line = (text: string, x: number, more: Partial<Written> = {}): Written => ({
	text,
	x,
	y: 100,
	...more,
});

describe('A text is found in the page as often as by the node', () => {
	it.each<[string, number, ...Written[]]>([
		['in one piece', 1, line('The client:', 50)],
		['as a whole word', 0, line('The clients', 50)],
		['not within a word in two pieces', 0, line('The client', 50), line('s', 100.5)],
		['before another word', 1, line('The client', 50), line('signs', 102)],
		['before the mark of a note', 1, line('client', 50), line('1', 80, { y: 97, size: 6 })],
		['before a mark that is a little raised', 1, line('client', 50), line('1', 80, { y: 98.9 })],
		[
			'not before a letter that is hardly raised',
			0,
			line('client', 50),
			line('s', 80, { y: 99.5 }),
		],
		['before the mark of a chemist', 1, line('client', 50), line('2', 80, { y: 102, size: 6 })],
	])('%s', async (_, count, ...written) => {
		const [matches] = await findTexts([pageWith(...written)], ['client']);
		expect(matches).toHaveLength(count);
		const anchored = field(1, { anchor: { text: 'client' } });
		expect(page.boxesAt(written.map(pieceOf), A4, anchored)).toHaveLength(count);
	});
});
