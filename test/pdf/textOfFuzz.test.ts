import fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTILE_TEXT, type HostileText } from '../support/hostilePdfs';
import { SEED, sized } from '../support/nightly';
import { pageCount, textOf } from '../../nodes/ESign/pdf';
import { fixture } from '../fixtures/fixture';
import { damages } from './randomPdfs';

fc.configureGlobal({ seed: SEED });

const CASES = readdirSync(join(__dirname, '../fixtures/pdf-text/cases')).filter((name) =>
	name.endsWith('.pdf'),
);

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
		'that was made to harm ends, and says what it shows or that it cannot be read: %s',
		async (kind) => {
			// A content of more than 2 MB is not read at all.
			const pages = await textOf(HOSTILE_TEXT[kind](sized(500_000, 2_000_000)));
			expect(pages === undefined || pages.length > 0).toBe(true);
		},
	);
});
