import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { HOSTILE, type Hostile } from '../support/hostilePdfs';
import { SEED, sized } from '../support/nightly';
import { pageCount } from '../../nodes/ESign/pdf';
import { pagesByPdfLib } from './pagesByPdfLib';
import { damages, madePdf } from './randomPdfs';

fc.configureGlobal({ seed: SEED });

describe('The page count', () => {
	// pdf-lib tells the console of every object that it cannot read.
	beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());
	afterEach(() => jest.restoreAllMocks());

	it('of any valid PDF is right', async () => {
		await fc.assert(
			fc.asyncProperty(madePdf, async ({ bytes, pages, how }) => {
				expect({ how, pages: await pageCount(bytes) }).toEqual({ how, pages });
			}),
			{ numRuns: sized(40, 400) },
		);
	});

	it('of a damaged PDF is what pdf-lib finds, or is not told', async () => {
		await fc.assert(
			fc.asyncProperty(
				madePdf,
				fc.array(damages, { minLength: 5, maxLength: 5 }),
				async ({ bytes }, each) => {
					for (const damage of each) {
						const file = damage(bytes);
						const pages = await pageCount(file);
						// A file that pdf-lib does not open at all has no number of pages that could be wrong.
						if (pages !== undefined) expect([pages, 'none']).toContain(await pagesByPdfLib(file));
					}
				},
			),
			{ numRuns: sized(60, 600) },
		);
	});
});

/**
 * Every limit is the same for a file of any size: what a person has to wait for is what other
 * things do meanwhile.
 */
describe('A file that was made to harm', () => {
	const size = sized(200_000, 25_000_000);

	it.each(Object.keys(HOSTILE) as Hostile[])('is counted or given up: %s', async (kind) => {
		const pages = await pageCount(HOSTILE[kind](size));
		expect(pages === undefined || pages > 0).toBe(true);
	});

	it('lets other things run while it is read', async () => {
		let turns = 0;
		let isRead = false;
		const count = () => {
			turns += 1;
			if (!isRead) setImmediate(count);
		};
		setImmediate(count);
		await pageCount(HOSTILE['object headers'](8_000_000));
		isRead = true;
		expect(turns).toBeGreaterThan(10);
	});

	it('of 3,000 pages in 40 KB is none', async () => {
		const document = await PDFDocument.create();
		for (let page = 0; page < 3_000; page++) document.addPage();
		await expect(pageCount(Buffer.from(await document.save()))).resolves.toBe(3_000);
	});
});
