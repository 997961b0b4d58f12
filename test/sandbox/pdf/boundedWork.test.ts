import { NIGHTLY } from '../../../harness/nightly';
import { largest } from '../../../sandbox/pdf/text/fitText';
import { ANN, SIGNATURE, Workspace } from '../workspace';

describe('fitting a text into its box', () => {
	it.each([
		['fits at once', () => true, 48, 1],
		['never fits', () => false, 2, 11],
		['fits somewhere between', (size: number) => size <= 7.3, 7.3, 11],
	])('tries a bounded number of sizes when it %s', (_case, fits, expected, most) => {
		let tries = 0;
		const size = largest(2, 48, (tried) => {
			tries++;
			return fits(tried);
		});
		expect(tries).toBeLessThanOrEqual(most);
		expect(size).toBeLessThanOrEqual(expected);
		expect(expected - size).toBeLessThan(0.05);
	});
});

/** It takes seconds of both processors. */
const nightly = NIGHTLY ? describe : describe.skip;

nightly('drawing the largest document that the API takes', () => {
	const workspace = Workspace.forTests();

	it('leaves the service free for everybody else: 500 fields of 2,000 characters without a blank', async () => {
		const { test, control } = workspace;
		const files = [await workspace.fileId(test)];
		const draft = (await test.post('/documents', { files, recipients: [ANN] })).data;
		const recipientId = draft.recipients[0].id;
		const value = (index: number) => `${index}`.padStart(4, '0') + 'Ż'.repeat(1996);
		const place = { ...SIGNATURE, yNorm: 0.1, heightNorm: 0.3, type: 'TEXT' };
		const fields = Array.from({ length: 499 }, (_, index) => ({ ...place, recipientId, value: value(index) }));
		await test.put(`/documents/${draft.id}/fields`, { fields: [{ ...SIGNATURE, recipientId }, ...fields] });
		await test.post(`/documents/${draft.id}/send`);

		let open = true;
		const signing = control.sign(recipientId).finally(() => (open = false));
		let answered = 0;
		for (; open; answered++) expect((await test.get('/account')).status).toBe(200);
		await signing;
		expect(answered).toBeGreaterThan(10);
		expect((await test.get(`/documents/${draft.id}`)).data.status).toBe('completed');
	});
});
