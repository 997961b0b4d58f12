import { NIGHTLY } from '../../../harness/nightly';
import { patience } from '../../../sandbox/pdf/enginePool';
import { HOSTILE } from '../../../harness/hostilePdfs';
import { readWordText } from '../../../sandbox/pdf/source/wordPages';
import { ANN, pdfBytes, refusal, Workspace } from '../workspace';
import { fixture } from './fixture';

const PATIENT = patience.ms;

/** pdf-lib reads it for minutes, on any machine. */
const slowFile = () => HOSTILE['a packed cross-reference stream of zeros'](1_000_000);

/** Slow files hold every thread of the pool until they are given up: seconds of all processors. */
const nightly = NIGHTLY ? it : it.skip;

describe('a file that takes longer than it may', () => {
	const workspace = Workspace.forTests();
	afterEach(() => (patience.ms = PATIENT));

	it('is corrupt_pdf when it is uploaded', async () => {
		patience.ms = 1_000;
		expect(refusal(await workspace.upload(workspace.test, slowFile()))).toBe('400 corrupt_pdf');
	});

	nightly('does not cost others their turn: theirs begins when a thread is free', async () => {
		const honest = await pdfBytes();
		const begun = performance.now();
		await workspace.upload(workspace.test, honest);
		// Long enough on this machine for a thread to begin anew after a file that ended it, as it just did.
		patience.ms = Math.max(8_000, Math.ceil(5 * (performance.now() - begun)));
		const slow = Array.from({ length: 4 }, () => workspace.upload(workspace.test, slowFile()));
		const [own, ...others] = await Promise.all([workspace.upload(workspace.test, honest), ...slow]);
		expect(own.status).toBe(201);
		expect(others.map(({ data }) => data.error.code)).toEqual(slow.map(() => 'corrupt_pdf'));
	});

	// requests.test.ts: what becomes of a draft whose source cannot be built.
	it('cannot be made into a source: the draft has no original', async () => {
		// Not done within a millisecond, whatever the machine.
		const files = [await workspace.fileId(workspace.test, 500)];
		patience.ms = 1;
		const { id, status } = await workspace.draft(workspace.test, [ANN], { files });
		expect(status).toBe('draft');
		const original = await workspace.test.get(`/documents/${id}/files/original`);
		expect(refusal(original)).toBe('404 original_not_available');
	});

	it('cannot be sealed: the answer is 503, nothing is signed, and another try may do it', async () => {
		const { id, recipients } = await workspace.sent(workspace.test);
		patience.ms = 1;
		await expect(workspace.control.sign(recipients[0].id)).rejects.toThrow('503, document_not_sealed');
		patience.ms = PATIENT;
		expect((await workspace.document(id)).status).toBe('in_progress');
		expect(await workspace.statuses(id)).toEqual(['viewed']);
		await workspace.control.sign(recipients[0].id);
		expect((await workspace.document(id)).status).toBe('completed');
	});

	it('as a DOCX with a damaged byte, over which the extractor falls silent, is given up', async () => {
		const bytes = Buffer.from(fixture('letter.docx'));
		bytes[93]! ^= 0xff;
		await expect(readWordText(bytes, 200)).rejects.toThrow('Reading the text takes too long');
	});
});
