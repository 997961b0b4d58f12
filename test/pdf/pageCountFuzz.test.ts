import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { SEED, sized } from '../../harness/nightly';
import { pageCount } from '../../nodes/ESign/pdf';
import { damages, madePdf } from './randomPdfs';
import { repacked, repackings } from './repackedPdfs';

fc.configureGlobal({ seed: SEED });

const TIMES = sized(1, 10);

/** What pdf-lib finds; it does not go by the table, and mends what it can. */
async function pagesByPdfLib(bytes: Buffer): Promise<number | 'none'> {
	try {
		return (await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false })).getPageCount();
	} catch {
		return 'none';
	}
}

describe('The page count', () => {
	// pdf-lib tells the console of every object that it cannot read.
	beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());
	afterEach(() => jest.restoreAllMocks());

	it('of any valid PDF is right', async () => {
		await fc.assert(
			fc.asyncProperty(madePdf, async (make) => {
				const { bytes, pages, how } = await make();
				expect({ how, pages: await pageCount(bytes) }).toEqual({ how, pages });
			}),
			{ numRuns: 40 * TIMES },
		);
	});

	it('of a damaged PDF is what pdf-lib finds, or is not told', async () => {
		await fc.assert(
			fc.asyncProperty(madePdf, fc.array(damages, { minLength: 5, maxLength: 5 }), async (make, each) => {
				const { bytes } = await make();
				for (const damage of each) {
					const file = damage(bytes);
					const pages = await pageCount(file);
					if (pages === undefined) continue;
					// A file that pdf-lib does not open at all has no number of pages that could be wrong.
					expect([pages, 'none']).toContain(await pagesByPdfLib(file));
				}
			}),
			{ numRuns: 40 * TIMES },
		);
	});

	it('of a PDF with damage inside a packed stream is what pdf-lib finds, or is not told', async () => {
		await fc.assert(
			fc.asyncProperty(madePdf, fc.array(repackings, { minLength: 10, maxLength: 10 }), async (make, each) => {
				const { bytes } = await make();
				for (const one of each) {
					const file = repacked(bytes, one);
					const pages = await pageCount(file);
					if (pages !== undefined) expect([pages, 'none']).toContain(await pagesByPdfLib(file));
				}
			}),
			{ numRuns: 15 * TIMES },
		);
	});

	it('of arbitrary bytes in the form of a PDF is not told, and nothing is thrown', async () => {
		const token = fc.constantFrom('<<', '>>', '[', ']', '(', ')', '<', '>', '/Type', '/Pages', '/Kids', '/Count', '/Root', '1 0 R', '2 0 obj', 'endobj', 'stream\n', 'endstream', 'xref\n', 'trailer', 'startxref\n', '%', '\n', '0', '9999999999', '/W [1 2 1]', '/Prev 9', '%%EOF'); // prettier-ignore
		await fc.assert(
			fc.asyncProperty(fc.array(token, { maxLength: 200 }), async (tokens) => {
				const bytes = Buffer.from(`%PDF-1.7\n${tokens.join(' ')}\nstartxref\n9\n%%EOF`, 'latin1');
				const pages = await pageCount(bytes);
				if (pages !== undefined) expect(await pagesByPdfLib(bytes)).toBe(pages);
			}),
			{ numRuns: 100 * TIMES },
		);
	});
});
