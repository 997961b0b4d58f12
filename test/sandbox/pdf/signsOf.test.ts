import { signsOf } from '../../../sandbox/pdf/text/cleanText';
import { seededRandom } from '../../../harness/seededRandom';

const bySign = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Scripts in which characters join in ways of their own; controls and halves of pairs never get that far. */
const RANGES = [
	[0x20, 0x7e],
	[0x300, 0x36f],
	[0x5d0, 0x5ea],
	[0x591, 0x5bd],
	[0x620, 0x65f],
	[0x905, 0x965],
	[0xe01, 0xe4e],
	[0x1100, 0x11ff],
	[0xac00, 0xd7a3],
	[0x200c, 0x200f],
	[0xfe00, 0xfe0f],
	[0x4e00, 0x9fff],
	[0x1f1e6, 0x1f1ff],
	[0x1f3fb, 0x1f3ff],
	[0x1f466, 0x1f469],
] as const;

describe('the signs of a text', () => {
	it.each(Array.from({ length: 40 }, (_, seed) => seed))('are its grapheme clusters, in random text %i', (seed) => {
		const random = seededRandom(seed);
		const some = RANGES.filter(() => random() < 0.4);
		const text = Array.from({ length: 500 }, () => {
			const [first, last] = some[Math.floor(random() * some.length)] ?? RANGES[0];
			return String.fromCodePoint(first + Math.floor(random() * (last - first + 1)));
		}).join('');
		expect(signsOf(text)).toEqual(Array.from(bySign.segment(text), ({ segment }) => segment));
	});
});
