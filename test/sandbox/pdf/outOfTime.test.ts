import { NIGHTLY } from '../../../harness/nightly';
import { patience } from '../../../sandbox/pdf/enginePool';
import { HOSTILE } from '../../../harness/hostilePdfs';
import { ANN, pdfBytes, refusal, SIGNATURE, Workspace } from '../workspace';

const PATIENT = patience.ms;

/** pdf-lib reads it for minutes, on any machine. */
const slowFile = () => HOSTILE['a packed cross-reference stream of zeros'](1_000_000);

/** Slow files hold every thread of the pool until they are given up: seconds of all processors. */
const nightly = NIGHTLY ? it : it.skip;

describe('a PDF that takes longer than it may', () => {
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

	it('cannot be made into a source: the draft has no original, and is not sent', async () => {
		// Not done within a millisecond, whatever the machine.
		const files = [await workspace.fileId(workspace.test, 500)];
		patience.ms = 1;
		const draft = await workspace.test.post('/documents', { files, recipients: [ANN] });
		expect([draft.status, draft.data.status]).toEqual([201, 'draft']);
		expect(refusal(await workspace.test.get(`/documents/${draft.data.id}/files/original`))).toBe(
			'404 original_not_available',
		);
		const recipientId = draft.data.recipients[0].id;
		await workspace.test.put(`/documents/${draft.data.id}/fields`, { fields: [{ ...SIGNATURE, recipientId }] });
		const sent = await workspace.test.post(`/documents/${draft.data.id}/send`);
		expect([sent.status, sent.data.error.details?.[0]?.field]).toEqual([400, 'files']);
	});

	it('cannot be sealed: the answer is 503, nothing is signed, and another try may do it', async () => {
		const sent = await workspace.sent(workspace.test);
		const [recipient] = sent.recipients;
		patience.ms = 1;
		await expect(workspace.control.sign(recipient?.id ?? '')).rejects.toThrow('503, document_not_sealed');
		patience.ms = PATIENT;
		const still = (await workspace.test.get(`/documents/${sent.id}`)).data;
		expect([still.status, still.recipients[0].status]).toEqual(['in_progress', 'viewed']);
		await workspace.control.sign(recipient?.id ?? '');
		expect((await workspace.test.get(`/documents/${sent.id}`)).data.status).toBe('completed');
	});
});
