import { patience } from '../../../sandbox/pdf/engineThread';
import { HOSTILE } from '../../support/hostilePdfs';
import { ANN, refusal, Workspace } from '../workspace';
import { fixture } from '../../fixtures/fixture';

const PATIENT = patience.ms;

describe('a file that takes longer than it may', () => {
	const workspace = Workspace.forTests();
	afterEach(() => (patience.ms = PATIENT));

	it('is corrupt_pdf when it is uploaded', async () => {
		patience.ms = 1_000;
		// pdf-lib reads it for minutes, on any machine.
		const slow = HOSTILE['a packed cross-reference stream of zeros'](1_000_000);
		expect(refusal(await workspace.upload(workspace.test, slow))).toBe('400 corrupt_pdf');
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
		await expect(workspace.control.sign(recipients[0].id)).rejects.toThrow(
			'503, document_not_sealed',
		);
		patience.ms = PATIENT;
		expect((await workspace.document(id)).status).toBe('in_progress');
		expect(await workspace.statuses(id)).toEqual(['viewed']);
		await workspace.control.sign(recipients[0].id);
		expect((await workspace.document(id)).status).toBe('completed');
	});

	it('as a DOCX with a damaged byte, over which the extractor falls silent: no original', async () => {
		const bytes = Buffer.from(fixture('letter.docx'));
		bytes[93]! ^= 0xff;
		const uploaded = await workspace.upload(workspace.test, bytes);
		patience.ms = 1_000;
		const { id } = await workspace.draft(workspace.test, [ANN], { files: [uploaded.data.id] });
		const original = await workspace.test.get(`/documents/${id}/files/original`);
		expect(refusal(original)).toBe('404 original_not_available');
	});
});
