import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { seededRandom } from '../../../harness/seededRandom';
import type { Shaped, WordList } from './shapeWords';

function shape(lists: readonly WordList[]): Shaped[] {
	const program = ['--import', 'tsx', join(__dirname, 'shapeWords.ts')];
	const output = execFileSync(process.execPath, program, { input: JSON.stringify(lists), maxBuffer: 256e6 });
	return JSON.parse(output.toString('utf8')) as Shaped[];
}

type Range = readonly [first: number, last: number];

/** Joiners and marks of direction stand in texts of every script. */
const JOINERS: Range = [0x200c, 0x200f];

const SCRIPTS = {
	'Arabic letters': ['arabic', [[0x620, 0x64a]]],
	'Arabic letters, marks and joiners': ['arabic', [[0x620, 0x66f], [0x671, 0x6d3], JOINERS]],
	'Hebrew letters': ['hebrew', [[0x5d0, 0x5ea]]],
	'Hebrew letters, points and joiners': ['hebrew', [[0x5b0, 0x5bd], [0x5d0, 0x5ea], JOINERS]],
	'Devanagari letters': ['devanagari', [[0x905, 0x939]]],
	'Devanagari letters, marks and joiners': ['devanagari', [[0x900, 0x94f], [0x94d, 0x94d], JOINERS]],
	'Thai letters': ['thai', [[0xe01, 0xe2e]]],
	'Thai letters, marks and joiners': ['thai', [[0xe01, 0xe3a], [0xe40, 0xe4e], JOINERS]],
} as const satisfies Record<string, readonly [WordList['script'], readonly Range[]]>;

/** Words of one to eight characters drawn by lot, none of them twice. */
function words(ranges: readonly Range[], seed: number): string[] {
	const random = seededRandom(seed);
	const letter = () => {
		const [first, last] = ranges[Math.floor(random() * ranges.length)] ?? [0x61, 0x7a];
		return String.fromCodePoint(first + Math.floor(random() * (last - first + 1)));
	};
	const some = Array.from({ length: 600 }, () => Array.from({ length: 1 + Math.floor(random() * 8) }, letter).join(''));
	return [...new Set(some)];
}

describe('words of one script, drawn by lot', () => {
	const lists = Object.values(SCRIPTS).map(([script, ranges], seed): WordList => ({
		script,
		rightToLeft: script === 'arabic' || script === 'hebrew',
		words: words(ranges, seed),
	}));
	let shaped: Shaped[];
	beforeAll(() => (shaped = shape(lists)));

	describe.each(Object.keys(SCRIPTS).map((name, index) => [name, index] as const))('%s', (_name, index) => {
		it('look the same, shaped together, as when each is shaped alone', () => {
			const { together, alone } = shaped[index]!;
			expect(together.words).toEqual(alone.words);
			expect(together.objects).toEqual(alone.objects);
		});

		it('keep all of their text, in the order in which it was entered', () => {
			const copied = shaped[index]!.together.words.map((clusters) => {
				return clusters.map((cluster) => cluster.replace(/ \S+ \d+ 0 R [\da-f]{2}$/, '')).join('');
			});
			expect(copied).toEqual(lists[index]!.words);
		});
	});
});

describe('letters that join', () => {
	const picturesIn = (clusters: readonly string[] | undefined) => (clusters ?? []).map((one) => one.split(' ').at(-1));

	it('have a form of their own at the beginning, in the middle and at the end of a word, and alone', () => {
		// The words before and behind join with nothing.
		const [{ together }] = shape([{ script: 'arabic', rightToLeft: true, words: ['ب', 'ببب', 'بب'] }]) as [Shaped];
		const [alone, three, two] = together.words.map(picturesIn);
		expect(new Set([...alone!, ...three!]).size).toBe(4);
		expect(two).toEqual([three![0], three![2]]);
	});
});
