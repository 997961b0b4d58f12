import { asSent, fromItem, items, links, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Template Link > Rotate', () => {
	it('POST /template-links/{linkId}/rotate', async () => {
		const made = await links();
		const { requests, output } = await run(
			['templateLink', 'rotate'],
			{ templateLinkId: fromItem('id') },
			items(...made.map((id) => ({ id }))),
		);
		expect(asSent(requests)).toEqual(made.map((id) => sent('POST', `/template-links/${id}/rotate`)));
		expect(output.map(({ id }) => id)).toEqual(made);
	});
});
