import fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTILE_TEXT, type HostileText } from '../../harness/hostilePdfs';
import { SEED, sized } from '../../harness/nightly';
import { pageCount, textOf } from '../../nodes/ESign/pdf';
import { fixture } from '../fixtures/fixture';
import { damages } from './randomPdfs';

fc.configureGlobal({ seed: SEED });

const CASES = readdirSync(join(__dirname, '../fixtures/pdf-text/cases')).filter((name) =>
	name.endsWith('.pdf'),
);

/** In milliseconds of CPU, with what the garbage collector and unpacking take in other threads. */
const LONGEST_TURN = 150;

/**
 * How long other things had to wait at most. In CPU time: a machine that runs tests does other
 * things too, and its clock would measure those.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	const now = () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1000;
	};
	let longest = 0;
	let isDone = false;
	let before = now();
	const look = () => {
		const at = now();
		longest = Math.max(longest, at - before);
		before = at;
		if (!isDone) setImmediate(look);
	};
	setImmediate(look);
	await work();
	isDone = true;
	return longest;
}

describe('The text of a PDF', () => {
	it('that is damaged is read, or is not, and never of another number of pages', async () => {
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...CASES), damages, async (name, damage) => {
				const file = damage(fixture(`pdf-text/cases/${name}`));
				const [pages, count] = [await textOf(file), await pageCount(file)];
				if (pages && count !== undefined) expect(pages.length).toBe(count);
				for (const { texts, starts, ends } of pages?.flatMap(({ runs }) => runs) ?? []) {
					expect([starts.length, ends.length]).toEqual([texts.length, texts.length]);
					expect([...starts, ...ends].every(Number.isFinite)).toBe(true);
				}
			}),
			{ numRuns: sized(150, 5_000) },
		);
	});

	it.each(Object.keys(HOSTILE_TEXT) as HostileText[])(
		'that was made to harm ends, and lets others run: %s',
		async (kind) => {
			const file = HOSTILE_TEXT[kind](sized(500_000, 8_000_000));
			const longest = await longestTurn(async () => {
				const pages = await textOf(file);
				expect(pages === undefined || pages.length > 0).toBe(true);
			});
			expect(longest).toBeLessThan(LONGEST_TURN);
		},
	);
});
