import { readFileSync } from 'node:fs';
import path from 'node:path';
import { HOSTILE, type Hostile } from '../../../../harness/hostilePdfs';
import { pagesOfPdf } from '../../../../nodes/ESign/actions/document/fields/pageCount/pagesOfPdf';
import { Source } from '../../../../nodes/ESign/actions/document/fields/pageCount/source';
import { GivenUp, Unreadable } from '../../../../nodes/ESign/actions/document/fields/pageCount/work';

/** The steps it takes to count the pages of a file, or to give it up. */
function stepsFor(bytes: Buffer): number {
	const work = Source.workFor(bytes.length);
	try {
		pagesOfPdf(bytes, work);
	} catch (error) {
		if (!(error instanceof Unreadable) && !(error instanceof GivenUp)) throw error;
	}
	return work.spent;
}

describe('The work of counting the pages', () => {
	it.each(Object.keys(HOSTILE) as Hostile[])('of a hostile PDF grows no faster than the file: %s', (kind) => {
		for (const size of [50_000, 1_000_000]) {
			const bytes = HOSTILE[kind](size);
			// Ten steps a byte and half a million for small files; what is counted in one piece may go over it by its own size.
			expect(stepsFor(bytes)).toBeLessThan(10 * bytes.length + 2 ** 19 + bytes.length / 2 + 2 ** 21);
		}
	});

	it.each(['contract.pdf', 'libreoffice.pdf', 'linearized.pdf', 'object-streams.pdf'])(
		'of %s is a step a byte at most',
		(name) => {
			const bytes = readFileSync(path.join(__dirname, '../../../fixtures', name));
			expect(stepsFor(bytes)).toBeLessThan(bytes.length);
		},
	);
});
